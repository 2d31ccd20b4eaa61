import { dirname } from 'node:path'
import { z } from 'zod'
import type { Document, Question } from '../types.ts'
import { UserError } from '../errors.ts'
import { recordsOf, words } from '../formats/records.ts'
import { officialFile } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'

/** How the names of the files of a device begin. */
const stems = { 'smart-tv': 'smart_tv_remote', s10: 's10' } as const

const address = 'https://raw.githubusercontent.com/abhi1nandy2/EMNLP-2021-Findings'

const options = z.strictObject({
  device: z
    .enum(['smart-tv', 's10'])
    .default('smart-tv')
    .describe('Device whose manual is searched; the manual must be in the folder of the questions file'),
})

/**
 * eManual (Nandy et al., 2021): the sections of a manual; evidence is the section of a question's path, or the last
 * one before it that the manual has.
 */
export const emanual = publishedDataset({
  name: 'emanual',
  summary: 'Questions about two devices, answered from sections of their manuals; the two published samples of 50.',
  source: 'https://github.com/abhi1nandy2/EMNLP-2021-Findings',
  licence: "Apache 2.0; the manuals' text is Samsung's",
  layout:
    '`smart_tv_remote_50_questions.csv` and `smart_tv_remote_manual_corpus.json`, or `s10_50_questions.csv` and `s10_manual_corpus.json`',
  options,
  evidence: 'some',
  answers: 'sentence',
  files: filesOf,
  async *corpora({ files: [questionFile, manualFile], options: { device }, bad }) {
    const documents: Document[] = []
    for await (const { value, part } of recordsOf(manualFile, manual, bad))
      for (const [key, item] of Object.entries(value)) {
        const document = part(section, item, key)
        if (document && document.text !== '') documents.push(document)
      }
    const questions: Question[] = []
    for await (const { value } of recordsOf(questionFile, row, bad)) questions.push(toQuestion(value, documents))
    if (questions.length > 0 && !questions.some(({ evidence }) => evidence))
      throw new UserError(
        `${questionFile}: none of the ${questions.length} questions names a section of ${manualFile}; set the option "device"`,
      )
    yield { id: device, documents, questions }
  },
  download: {
    files: [
      ...filesBelow(
        `${address}/6655edf5688867380370f3296422e8207f513460/data`,
        ['smart_tv_remote_50_questions.csv', 's10_50_questions.csv', 's10_manual_corpus.json'],
        {
          'smart_tv_remote_50_questions.csv': '0eb6df5f9a9f8d827979a895ac838f88ae2d50a9a6a2af069ea9146f75f732a4',
        },
      ),
      ...filesBelow(`${address}/main/data`, ['smart_tv_remote_manual_corpus.json'], {
        'smart_tv_remote_manual_corpus.json': '381b0143a4b39f7218e94a8a1dc571524f5808c497c8fdfea58ef8e6edae43d9',
      }),
    ],
    note: 'UnWeaver reports on another dataset of this name: the subset emanual of "ragbench".',
  },
})

async function filesOf(path: string, { device }: z.output<typeof options>): Promise<readonly [string, string]> {
  const questions = await officialFile(path, [`${stems[device]}_50_questions.csv`], 'emanual')
  return [questions, await officialFile(dirname(questions), [`${stems[device]}_manual_corpus.json`], 'emanual')]
}

function toQuestion({ id, question, path, answer }: ManualQuestion, sections: readonly Document[]): Question {
  const section = sectionAt(path, sections)
  return {
    id,
    text: question.trim(),
    reference: { kind: 'answer', accepted: [{ text: answer.trim() }] },
    ...(section && { cluster: section.id, evidence: [{ documentId: section.id }] }),
  }
}

const manual = z
  .record(z.string(), z.unknown())
  .describe('a manual of eManual (an object of sections with id, title and text lines)')

/** A section as a document: its title, then its lines. */
const section = z
  .object({ id: z.string(), title: z.string(), text: z.array(z.string()) })
  .transform(({ id, title, text }) => {
    // one of the two manuals repeats the title as its section's first line
    const lines = text[0]?.trim() === title.trim() ? text : [title, ...text]
    return { id, text: lines.join('\n').trim(), title: title.trim() }
  })

/**
 * Follows a path such as `Troubleshooting>Getting Support` through the sections in reading order, each title looked for
 * behind the one before. Signs, case and the ends of long titles do not count; absent titles are passed over.
 */
export function sectionAt(path: string, sections: readonly Document[]): Document | undefined {
  const titles = sections.map(({ title = '' }) => plain(title))
  let at = -1
  for (const step of path.split('>').map(plain)) {
    const next = titles.findIndex((title, index) => index > at && isTitle(title, step))
    if (next >= 0) at = next
  }
  return sections[at]
}

const plain = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isTitle = (title: string, step: string) =>
  (title === step && step !== '') || (title.length >= cutTitle && step.startsWith(`${title} `))

/** Shortest title that may be cut off: those in the Smart TV manual have more than 60 signs (our reading). */
const cutTitle = 40

const row = z
  .object({ question_id: words, question: words, section_path: z.string(), answer: words })
  .transform(({ question_id: id, section_path: path, ...rest }) => ({ ...rest, id, path }))
  .describe('questions of eManual (CSV with question_id, question, section_path and answer)')

type ManualQuestion = z.output<typeof row>
