import { dirname } from 'node:path'
import { z } from 'zod'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Document, Question } from '../types.ts'
import { sectionAt, sectionsOf } from './emanual-manual.ts'
import { manualQuestions, type ManualQuestion } from './emanual-questions.ts'
import { officialFile } from './files.ts'

const names = {
  'smart-tv': { questions: 'smart_tv_remote_50_questions.csv', manual: 'smart_tv_remote_manual_corpus.json' },
  s10: { questions: 's10_50_questions.csv', manual: 's10_manual_corpus.json' },
} as const

const options = z.strictObject({
  device: z
    .enum(['smart-tv', 's10'])
    .default('smart-tv')
    .describe('Whose manual is searched; it is looked for beside the questions'),
})

/**
 * eManual (Nandy et al., 2021): a manual, one document per section, and the questions asked of it. Evidence is the section that a
 * question's path names; `outer-section` marks those whose last title is missing from the manual, `no-section` those with none left.
 */
export const emanual = defineDataset({
  name: 'emanual',
  summary: "Questions about two devices, answered from the sections of their manuals; the authors' samples of 50.",
  source: 'https://github.com/abhi1nandy2/EMNLP-2021-Findings',
  licence: "Apache 2.0; the manuals' text is Samsung's",
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path, { device }) => Object.values(await filesOf(path, device)),
  async *corpora(path, { device }) {
    const files = await filesOf(path, device)
    const documents = await sectionsOf(files.manual)
    const questions = (await manualQuestions(files.questions)).map((asked) => toQuestion(asked, documents))
    if (questions.every(({ tags }) => tags?.includes('no-section')))
      throw new UserError(
        `${files.questions}: not one of ${questions.length} questions names a section of ${files.manual}; set the option "device"`,
      )
    yield { id: device, documents, questions }
  },
  download: {
    files: [...Object.values(names).flatMap((device) => Object.values(device)), 'smart_remote_QA.zip'].map((name) => ({
      url: `https://raw.githubusercontent.com/abhi1nandy2/EMNLP-2021-Findings/main/data/${name}`,
      name,
    })),
    note:
      'smart_remote_QA.zip holds more questions about the Smart TV, as JSON: unpack it and name one of its files. ' +
      'The emanual that UnWeaver reports on is a subset of "ragbench".',
  },
})

async function filesOf(path: string, device: keyof typeof names): Promise<{ questions: string; manual: string }> {
  const questions = await officialFile(path, [names[device].questions], 'emanual')
  const manual = await officialFile(dirname(questions), [names[device].manual], 'emanual')
  return { questions, manual }
}

function toQuestion({ id, question, path, answer }: ManualQuestion, sections: readonly Document[]): Question {
  const section = sectionAt(path, sections)
  return {
    id,
    text: question.trim(),
    reference: { kind: 'answer', accepted: [{ text: answer.trim() }] },
    evidence: section ? [{ documentId: section.id }] : [],
    tags: section ? (section.whole ? [] : ['outer-section']) : ['no-section'],
  }
}
