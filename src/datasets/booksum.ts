import { z } from 'zod'
import { recordsOf } from '../formats/records.ts'
import { documentId, summaryQuestion } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstOnly } from './shared/selection.ts'

const splits = ['train', 'dev', 'test'] as const

const options = z.strictObject({
  split: split(splits, 'test'),
  withoutLength: z
    .enum(['leave-out', 'reference'])
    .default('leave-out')
    .describe(
      'Rows that do not say how long their chapter is: leave-out, or reference, which keeps them as the code of GoR does',
    ),
  items: firstItems('rows'),
})

/** A chapter must be longer than this by its column chapter_length (GoR). */
const minLength = 8000

/** BookSum (Kryściński et al., 2022) as GoR reads it: one corpus per chapter, shared by its rows. */
export const booksum = publishedDataset({
  name: 'booksum',
  summary: 'Chapters of novels and plays, each with the summaries that study guides give of it.',
  source: 'https://huggingface.co/datasets/kmfoda/booksum',
  licence:
    'alignments and code: BSD 3-Clause (Salesforce), for research only; summaries: the study guides that wrote them; books: mostly Project Gutenberg',
  layout: '`{train,dev,test}.csv` with `chapter`, `chapter_length` and `summary_text`',
  options,
  files: async (path, { split }) => [await officialFile(path, [`${split}.csv`], 'booksum')],
  // the chapters in the order of their first row; every row is a question, as in GoR
  async *corpora({ files, options: { items, withoutLength }, bad, holds, leftOut }) {
    const isFirst = firstOnly(items, 'rows', { leftOut })
    const isLong = ({ length }: z.output<typeof row>) => {
      if (length === undefined ? withoutLength === 'reference' : length > minLength) return true
      leftOut(length === undefined ? 'rows without a length' : `rows of length ${minLength} or less`)
      return false
    }
    const chapters = new Map<string, { readonly title: string; readonly text: string; readonly summaries: string[] }>()
    for await (const { value } of recordsOf(files, row, bad)) {
      holds('rows')
      if (!isLong(value)) continue
      holds(`rows longer than ${minLength}`)
      const { title, text, summary } = value
      if (text.trim() === '') leftOut('rows without a chapter')
      else if (summary.trim() === '') leftOut('rows without a summary')
      else if (isFirst()) {
        const id = documentId(text)
        const chapter = chapters.get(id) ?? { title, text, summaries: [] }
        chapters.set(id, chapter)
        chapter.summaries.push(summary.trim())
      }
    }
    for (const [id, { title, text, summaries }] of chapters) {
      const questions = summaries.map((summary, at) =>
        summaryQuestion(at === 0 ? id : `${id}#${at + 1}`, 'Summarise this story.', [summary], id),
      )
      yield { id, documents: [{ id, text, ...(title !== '' && { title }) }], questions }
    }
  },
  download: {
    files: filesBelow(
      'https://huggingface.co/datasets/kmfoda/booksum/resolve/main',
      splits.map((split) => `${split}.csv`),
    ),
    note: 'For research only: the summaries belong to the study guides that wrote them.',
  },
})

const row = z
  .object({
    chapter: z.string(),
    chapter_length: z
      .string()
      .trim()
      .regex(/^(\d+(\.\d+)?)?$/, 'must be a number or empty')
      .transform((length) => (length === '' ? undefined : Number(length))),
    summary_text: z.string(),
    book_id: z.string().trim().default(''),
  })
  .transform(({ book_id: title, chapter: text, chapter_length: length, summary_text: summary }) => {
    return { title, text, length, summary }
  })
  .describe('kmfoda/booksum (columns chapter, chapter_length and summary_text)')
