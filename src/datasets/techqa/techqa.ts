import { dirname } from 'node:path'
import { z } from 'zod'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Corpus, Question } from '../types.ts'
import { locateAnswer } from './answer-span.ts'
import { officialFile } from './files.ts'
import { refuseCopy, techqaQuestions, type TechqaQuestion } from './techqa-questions.ts'
import { technotesOf, type Technote } from './techqa-technotes.ts'
import { unanswerable } from './unanswerable.ts'

const options = z.strictObject({
  split: z
    .enum(['train', 'dev'])
    .default('dev')
    .describe(
      'Official file to take from a folder; the training_dev_technotes.json beside it holds the technotes of both',
    ),
  scope: z
    .enum(['all', 'question'])
    .default('all')
    .describe(
      'all: every technote of the file is searched (our reading); question: the fifty listed for each question, a corpus each, as in the paper',
    ),
  answerableOnly: z
    .boolean()
    .default(true)
    .describe('Leaves out the questions that no listed technote answers (our reading: one sentence cannot say so)'),
})

type Technotes = ReadonlyMap<string, Technote>

/**
 * TechQA in IBM's original form (Castelli et al., 2020): real questions to technical support, answered by a passage of one technote.
 * Evidence is the paragraphs that the answer lies in, or the whole technote where it is not found word for word (`lost-answer`).
 */
export const techqa = defineDataset({
  name: 'techqa',
  summary: 'Real questions to technical support, answered by passages of technical notes; original form.',
  source: 'https://github.com/IBM/techqa',
  licence: 'CDLA-Permissive 1.0 (in the archive); Apache 2.0 (dataset card)',
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path, { split }) => Object.values(await filesOf(path, split)),
  async *corpora(path, { split, scope, answerableOnly }) {
    const files = await filesOf(path, split)
    const asked = await techqaQuestions(files.questions)
    const technotes = await technotesOf(files.technotes)
    const kept = asked.filter(({ ANSWERABLE }) => ANSWERABLE === 'Y' || !answerableOnly)
    if (scope === 'question') for (const one of kept) yield candidates(one, technotes)
    else
      yield {
        id: 'techqa',
        documents: [...technotes.values()].map(({ document }) => document),
        questions: kept.map((one) => toQuestion(one, technotes)),
        leftOut: { 'questions that no technote answers': asked.length - kept.length },
      }
  },
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
      'The techqa that UnWeaver reports on is a subset of "ragbench".',
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
  if (!note) throw new UserError(`${asked.where}: the technotes lack "${id}", which holds the answer`)
  const { evidence, tags } = locateAnswer(id, note.text, { answer: asked.ANSWER, offset: asked.START_OFFSET })
  return {
    ...question,
    reference: { kind: 'answer', accepted: [{ text: asked.ANSWER.trim(), type: 'extractive' }] },
    evidence: [evidence],
    tags,
  }
}
