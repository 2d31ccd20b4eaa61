import { dirname } from 'node:path'
import { z } from 'zod'
import { defineDataset } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { Corpus, Question } from '../../types.ts'
import { locateAnswer } from '../shared/answer-span.ts'
import { onBadRecord, skippingBad } from '../shared/bad-records.ts'
import { officialFile, ofFolder } from '../shared/official-file.ts'
import { refuseCopy, techqaQuestions, type TechqaQuestion } from './questions.ts'
import { technotesOf, type Technote } from './technotes.ts'
import { unanswerable } from '../shared/unanswerable.ts'

const options = z.strictObject({
  split: z
    .enum(['train', 'dev'])
    .default('dev')
    .describe(
      'Official file to read when the path is a folder; training_dev_technotes.json in the same folder has the technotes of both splits',
    ),
  scope: z
    .enum(['all', 'question'])
    .default('all')
    .describe(
      'all: every technote of the file is searched (our reading); question: only the fifty technotes listed for the question, one corpus per question, as in the paper',
    ),
  answerableOnly: z
    .boolean()
    .default(true)
    .describe('Leaves out the questions that no listed technote answers (our reading)'),
  onBadRecord,
})

type Technotes = ReadonlyMap<string, Technote>

/**
 * TechQA in IBM's original form (Castelli et al., 2020): real questions to technical support, answered by a passage of one technote.
 * Evidence is the paragraphs that the answer lies in, and none where it is not found word for word (`lost-answer`).
 */
export const techqa = defineDataset({
  name: 'techqa',
  summary: 'Real questions to technical support, answered by passages of technical notes; the original release.',
  source: 'https://github.com/IBM/techqa',
  licence: 'CDLA-Permissive 1.0 (in the archive); Apache 2.0 (dataset card)',
  layout: '`training_Q_A.json` or `dev_Q_A.json`, and `training_dev_technotes.json`',
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path, { split }) => Object.values(await filesOf(path, split)),
  unused: ofFolder('split'),
  corpora: (path, { split, scope, answerableOnly, onBadRecord }) =>
    skippingBad(onBadRecord, async function* (bad) {
      const files = await filesOf(path, split)
      const asked = await techqaQuestions(files.questions, bad)
      const technotes = await technotesOf(files.technotes, bad)
      const kept = asked.filter(({ ANSWERABLE }) => ANSWERABLE === 'Y' || !answerableOnly)
      if (scope === 'question') {
        for (const one of kept) {
          const corpus = bad.attempt(() => candidates(one, technotes))
          if (corpus) yield corpus
        }
      } else
        yield {
          id: 'techqa',
          documents: [...technotes.values()].map(({ document }) => document),
          questions: kept.flatMap((one) => bad.attempt(() => toQuestion(one, technotes)) ?? []),
          leftOut: { 'questions that no technote answers': asked.length - kept.length },
        }
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

/** The technotes listed for a question; one that the file lacks is passed over, as by the official reader (techqa_processor.py). */
function candidates(asked: TechqaQuestion, technotes: Technotes): Corpus {
  const listed = new Set(asked.DOC_IDS.map((id) => id.trim()))
  if (asked.ANSWERABLE === 'Y') listed.add(asked.DOCUMENT.trim())
  const documents = [...listed].flatMap((id) => technotes.get(id)?.document ?? [])
  return { id: asked.QUESTION_ID, documents, questions: [toQuestion(asked, technotes)] }
}

function toQuestion(asked: TechqaQuestion, technotes: Technotes): Question {
  const text = [asked.QUESTION_TITLE, asked.QUESTION_TEXT].map((part) => part.trim()).join('\n\n')
  const question = { id: asked.QUESTION_ID, text: text.trim() }
  if (asked.ANSWERABLE === 'N') return { ...question, ...unanswerable, tags: ['unanswerable'] }
  const id = asked.DOCUMENT.trim()
  const note = technotes.get(id)
  if (!note) throw new UserError(`${asked.where}: the technotes have no document "${id}", which has the answer`)
  const { evidence, tags } = locateAnswer(id, note.text, { answer: asked.ANSWER, offset: asked.START_OFFSET })
  // offsets count in the technote's text, which is the end of its document
  const before = note.document.text.length - note.text.length
  return {
    ...question,
    reference: { kind: 'answer', accepted: [{ text: asked.ANSWER.trim(), type: 'extractive' }] },
    evidence: evidence ? [{ ...evidence, start: before + (evidence.start ?? 0) }] : [],
    tags,
    cluster: id,
  }
}
