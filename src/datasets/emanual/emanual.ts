import { dirname } from 'node:path'
import { z } from 'zod'
import { defineDataset } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { Document, Question } from '../../types.ts'
import { sectionAt, sectionsOf } from './manual.ts'
import { manualQuestions, type ManualQuestion } from './questions.ts'
import { onBadRecord, skippingBad } from '../shared/bad-records.ts'
import { officialFile } from '../shared/official-file.ts'

const names = {
  'smart-tv': { questions: 'smart_tv_remote_50_questions.csv', manual: 'smart_tv_remote_manual_corpus.json' },
  s10: { questions: 's10_50_questions.csv', manual: 's10_manual_corpus.json' },
} as const

const firstCommit = '6655edf5688867380370f3296422e8207f513460'

/** Where each file was published: a commit, or the branch where a digest alone is known. */
const published = [
  {
    name: names['smart-tv'].questions,
    at: firstCommit,
    sha256: '0eb6df5f9a9f8d827979a895ac838f88ae2d50a9a6a2af069ea9146f75f732a4',
  },
  {
    name: names['smart-tv'].manual,
    at: 'main',
    sha256: '381b0143a4b39f7218e94a8a1dc571524f5808c497c8fdfea58ef8e6edae43d9',
  },
  { name: names.s10.questions, at: firstCommit },
  { name: names.s10.manual, at: firstCommit },
  { name: 'smart_remote_QA.zip', at: '552c067e1559ed9d4b017e889866610bf5814e17' },
]

const options = z.strictObject({
  device: z
    .enum(['smart-tv', 's10'])
    .default('smart-tv')
    .describe('Device whose manual is searched; the manual must be in the folder of the questions file'),
  onBadRecord,
})

/**
 * eManual (Nandy et al., 2021): a manual, one document per section, and the questions asked of it. Evidence is the section that a
 * question's path names; `outer-section` marks those whose last title is missing from the manual, `no-section` those with none left.
 */
export const emanual = defineDataset({
  name: 'emanual',
  summary:
    'Questions about two devices, answered from sections of their manuals; the two samples of 50 questions that the authors publish.',
  source: 'https://github.com/abhi1nandy2/EMNLP-2021-Findings',
  licence: "Apache 2.0; the manuals' text is Samsung's",
  layout:
    '`smart_tv_remote_50_questions.csv` and `smart_tv_remote_manual_corpus.json`, or `s10_50_questions.csv` and `s10_manual_corpus.json`',
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path, { device }) => Object.values(await filesOf(path, device)),
  corpora: (path, { device, onBadRecord }) =>
    skippingBad(onBadRecord, async function* (bad) {
      const files = await filesOf(path, device)
      const documents = await sectionsOf(files.manual, bad)
      const asked = await manualQuestions(files.questions, bad)
      const questions = asked.map((one) => toQuestion(one, documents))
      if (questions.every(({ tags }) => tags?.includes('no-section')))
        throw new UserError(
          `${files.questions}: none of the ${questions.length} questions names a section of ${files.manual}; set the option "device"`,
        )
      yield { id: device, documents, questions }
    }),
  download: {
    files: published.map(({ at, ...file }) => ({
      ...file,
      url: `https://raw.githubusercontent.com/abhi1nandy2/EMNLP-2021-Findings/${at}/data/${file.name}`,
    })),
    note:
      'smart_remote_QA.zip contains more questions about the Smart TV, as JSON: unpack it and set dataset.path to one of its files. ' +
      'UnWeaver reports on another dataset of this name: the subset emanual of "ragbench".',
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
    ...(section && { cluster: section.id }),
  }
}
