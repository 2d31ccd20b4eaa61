import { dirname } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Document, Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { locateAnswer } from './shared/answer-span.ts'
import { officialFile, split } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({
  split: split(['train', 'dev'], 'dev'),
})

/**
 * TechQA in IBM's original form (Castelli et al., 2020), over all technotes of the file (our reading). Evidence is the
 * paragraphs of the answer; none where it is not found word for word (`lost-answer`).
 */
export const techqa = publishedDataset({
  name: 'techqa',
  summary: 'Real questions to technical support, answered by passages of technical notes; the original release.',
  source: 'https://github.com/IBM/techqa',
  licence: 'CDLA-Permissive 1.0 (in the archive); Apache 2.0 (dataset card)',
  layout: '`training_Q_A.json` or `dev_Q_A.json`, and `training_dev_technotes.json`',
  options,
  evidence: 'some',
  answers: 'sentence',
  files: filesOf,
  async *corpora({ files: [questionFile, technoteFile], bad, leftOut }) {
    const documents = new Map<string, Document>()
    for await (const { value, part } of recordsOf(technoteFile, technotes, bad))
      for (const [id, item] of Object.entries(value)) {
        const note = part(technote, item, id)
        if (note && note.text !== '') documents.set(id, { id, ...note })
      }
    const questions: Question[] = []
    for await (const { value, where } of recordsOf(questionFile, question, bad)) {
      if (value.ANSWERABLE === 'N') leftOut('questions that no technote answers')
      else questions.push(...(bad.attempt(() => [toQuestion(value, documents, where)]) ?? []))
    }
    yield { id: 'techqa', documents: [...documents.values()], questions }
  },
  download: {
    files: filesBelow('https://huggingface.co/datasets/PrimeQA/TechQA/resolve/main', ['TechQA.tar.gz'], {
      'TechQA.tar.gz': '6b094ef9a69718f727ce8d7e15c4d961e51032cefaa952e0d6af9d176d7ba118',
    }),
    note:
      'The archive is too large to be unpacked here: run "tar -xzf TechQA.tar.gz TechQA/training_and_dev" in its folder. ' +
      'UnWeaver reports on another dataset of this name: the subset techqa of "ragbench".',
  },
})

const officialNames = { train: 'training', dev: 'dev' } as const

async function filesOf(path: string, { split }: z.output<typeof options>): Promise<readonly [string, string]> {
  const name = `${officialNames[split]}_Q_A.json`
  const places = ['', 'training_and_dev/', 'TechQA/training_and_dev/'].map((folder) => folder + name)
  const questions = await officialFile(path, places, 'techqa')
  return [questions, await officialFile(dirname(questions), ['training_dev_technotes.json'], 'techqa')]
}

function toQuestion(
  record: z.output<typeof answerable>,
  documents: ReadonlyMap<string, Document>,
  where: string,
): Question {
  const id = record.DOCUMENT.trim()
  const { title = '', text } = documents.get(id) ?? {}
  if (text === undefined) throw new UserError(`${where}: the technotes have no document "${id}", which has the answer`)
  // offsets count in the technote's text, which follows its title
  const before = title === '' ? 0 : title.length + gap.length
  const answer = { answer: record.ANSWER, offset: record.START_OFFSET }
  const { evidence, tags } = locateAnswer({ id, text: text.slice(before) }, answer)
  return {
    id: record.QUESTION_ID,
    text: [record.QUESTION_TITLE, record.QUESTION_TEXT]
      .map((part) => part.trim())
      .join(gap)
      .trim(),
    reference: { kind: 'answer', accepted: [{ text: record.ANSWER.trim(), type: 'extractive' }] },
    ...(evidence && { evidence: [{ ...evidence, start: before + evidence.start }] }),
    tags,
    cluster: id,
  }
}

const common = { QUESTION_ID: words, QUESTION_TITLE: z.string(), QUESTION_TEXT: z.string() }
const answerable = z.object({
  ...common,
  ANSWERABLE: z.literal('Y'),
  DOCUMENT: words,
  ANSWER: words,
  // offsets are written as text
  START_OFFSET: z.coerce.number().int(),
})
const question = z
  .discriminatedUnion('ANSWERABLE', [answerable, z.object({ ...common, ANSWERABLE: z.literal('N') })])
  .describe('TechQA (training_Q_A.json or dev_Q_A.json, with QUESTION_ID, ANSWERABLE, DOCUMENT and ANSWER)')

const technotes = z
  .record(z.string(), z.unknown())
  .describe('the technotes of TechQA (an object keyed by document, with title and text)')

/** Title and text with a blank line between (our reading; RAGBench's copies join them too); empty for a blank one. */
const technote = z.object({ title: z.string(), text: z.string() }).transform((note) => {
  const title = note.title.trim()
  return { title, text: [title, note.text].filter((words) => words.trim() !== '').join(gap) }
})

const gap = '\n\n'
