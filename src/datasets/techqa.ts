import { dirname } from 'node:path'
import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Document, Question } from '../types.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { recordsOf, shape, words } from '../formats/records.ts'
import { locateAnswer } from './shared/answer-span.ts'
import { officialFile, ofFolder, split } from './shared/official-file.ts'
import { badRecords, type BadRecords, countedCorpora } from './shared/reading.ts'

const options = z.strictObject({
  split: split(['train', 'dev'], 'dev'),
})

type Technotes = ReadonlyMap<string, Technote>

/**
 * TechQA in IBM's original form (Castelli et al., 2020): real questions to technical support, answered by a passage of
 * one technote, over all technotes of the file (our reading); those that no technote answers are left out. Evidence is
 * the paragraphs that the answer lies in, and none where it is not found word for word
 * (`lost-answer`).
 */
export const techqa = defineDataset({
  name: 'techqa',
  summary: 'Real questions to technical support, answered by passages of technical notes; the original release.',
  source: 'https://github.com/IBM/techqa',
  licence: 'CDLA-Permissive 1.0 (in the archive); Apache 2.0 (dataset card)',
  layout: '`training_Q_A.json` or `dev_Q_A.json`, and `training_dev_technotes.json`',
  options,
  evidence: 'some',
  answers: 'sentence',
  files: async (path, { split }) => Object.values(await filesOf(path, split)),
  unused: ofFolder('split'),
  corpora: (path, { split }, onBadRecord) =>
    countedCorpora(path, onBadRecord, async function* ({ bad, leftOut }) {
      const files = await filesOf(path, split)
      const technotes = await technotesOf(files.technotes, bad)
      const documents = Array.from(technotes.values(), ({ document }) => document)
      const questions: Question[] = []
      for await (const { value, where } of recordsOf(files.questions, question, release, bad)) {
        if (value.ANSWERABLE === 'N') leftOut('questions that no technote answers')
        else questions.push(...(bad.attempt(() => [toQuestion(value, technotes, where)]) ?? []))
      }
      yield { id: 'techqa', documents, questions }
    }),
  download: {
    files: [
      {
        url: 'https://huggingface.co/datasets/PrimeQA/TechQA/resolve/main/TechQA.tar.gz',
        name: 'TechQA.tar.gz',
        sha256: '6b094ef9a69718f727ce8d7e15c4d961e51032cefaa952e0d6af9d176d7ba118',
        bytes: 2_959_973_525,
      },
    ],
    note:
      'The archive is too large to be unpacked here: run "tar -xzf TechQA.tar.gz TechQA/training_and_dev" in its folder. ' +
      'UnWeaver reports on another dataset of this name: the subset techqa of "ragbench".',
  },
})

const officialNames = { train: 'training', dev: 'dev' } as const

async function filesOf(
  path: string,
  split: keyof typeof officialNames,
): Promise<{ questions: string; technotes: string }> {
  const name = `${officialNames[split]}_Q_A.json`
  const places = ['', 'training_and_dev/', 'TechQA/training_and_dev/'].map((folder) => folder + name)
  const questions = await officialFile(path, places, 'techqa')
  await refuseCopy(questions)
  const technotes = await officialFile(dirname(questions), ['training_dev_technotes.json'], 'techqa')
  return { questions, technotes }
}

function toQuestion(asked: Answerable, technotes: Technotes, where: string): Question {
  const text = [asked.QUESTION_TITLE, asked.QUESTION_TEXT].map((part) => part.trim()).join('\n\n')
  const question = { id: asked.QUESTION_ID, text: text.trim() }
  const id = asked.DOCUMENT.trim()
  const note = technotes.get(id)
  if (!note) throw new UserError(`${where}: the technotes have no document "${id}", which has the answer`)
  const { evidence, tags } = locateAnswer(id, note.text, { answer: asked.ANSWER, offset: asked.START_OFFSET })
  // offsets count in the technote's text, which is the end of its document
  const before = note.document.text.length - note.text.length
  return {
    ...question,
    reference: { kind: 'answer', accepted: [{ text: asked.ANSWER.trim(), type: 'extractive' }] },
    ...(evidence && { evidence: [{ ...evidence, start: before + evidence.start }] }),
    tags,
    cluster: id,
  }
}

const release = 'TechQA (training_Q_A.json or dev_Q_A.json, with QUESTION_ID, ANSWERABLE, DOCUMENT and ANSWER)'

const common = { QUESTION_ID: words, QUESTION_TITLE: z.string(), QUESTION_TEXT: z.string() }
const question = z.discriminatedUnion('ANSWERABLE', [
  // offsets are written as text
  z.object({
    ...common,
    ANSWERABLE: z.literal('Y'),
    DOCUMENT: words,
    ANSWER: words,
    START_OFFSET: z.coerce.number().int(),
  }),
  z.object({ ...common, ANSWERABLE: z.literal('N') }),
])

type Answerable = Extract<z.output<typeof question>, { ANSWERABLE: 'Y' }>

/** Throws UserError for a known copy of RAGBench's techqa that is cut into chunks and has no answers. */
async function refuseCopy(file: string): Promise<void> {
  for await (const { line, value } of jsonRecords(file, badRecords('skip'))) {
    if (isObject(value) && 'document_chunks' in value)
      throw new UserError(
        `${file}:${line}: a copy that is cut into chunks and has no answers, for tests of indexing only; expected ${release}`,
      )
    return
  }
}

const technoteForm = 'the technotes of TechQA (an object keyed by document, with title and text)'

const technotes = z.record(z.string(), z.unknown())
const technote = z.object({ title: z.string(), text: z.string() })

/** A technote as a document, and its text without the title: offsets count in that. */
interface Technote {
  readonly document: Document
  readonly text: string
}

/**
 * The technotes of a file by their id, in its order: title and text with a blank line between (our reading; RAGBench's
 * copies join them too). Blank ones are left out. Throws UserError naming technote and field of what is malformed.
 */
async function technotesOf(file: string, bad: BadRecords): Promise<ReadonlyMap<string, Technote>> {
  const notes = new Map<string, Technote>()
  for await (const { value, where } of recordsOf(file, technotes, technoteForm, bad))
    for (const [id, one] of Object.entries(value)) {
      const note = bad.attempt(() => shape(technote, one, where, technoteForm, [id]))
      if (!note) continue
      const { title, text } = note
      const whole = [title.trim(), text].filter((part) => part.trim() !== '').join('\n\n')
      if (whole !== '') notes.set(id, { document: { id, text: whole, title: title.trim() }, text })
    }
  return notes
}
