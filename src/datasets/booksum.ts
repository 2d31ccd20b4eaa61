import { dirname, join } from 'node:path'
import { z } from 'zod'
import { recordsOf, shape, words } from '../formats/records.ts'
import { wholeText } from '../formats/text-file.ts'
import { jsonIn } from '../text/json.ts'
import { documentId, summaryQuestion } from './shared/document-of-record.ts'
import { exists, officialFile, split } from './shared/official-file.ts'
import { type MalformedRecords, malformedRecords, publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstOnly, wordCount } from './shared/selection.ts'

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

/** A chapter must be longer than this by its column chapter_length (GoR); of alignments by its words. */
const minLength = 8000

/**
 * BookSum (Kryściński et al., 2022): one corpus per chapter, or book, shared by the rows of its study guides. The texts
 * of the original alignments are collected by its users.
 */
export const booksum = publishedDataset({
  name: 'booksum',
  summary: 'Chapters of novels and plays, each with the summaries that study guides give of it.',
  source: 'https://huggingface.co/datasets/kmfoda/booksum',
  licence:
    'alignments and code: BSD 3-Clause (Salesforce), for research only; summaries: the study guides that wrote them; books: mostly Project Gutenberg',
  layout:
    '`{train,dev,test}.csv` with `chapter`, `chapter_length` and `summary_text`, else a file of alignments (https://github.com/salesforce/booksum) beside the folders of its texts',
  options,
  evidence: false,
  files: async (path, { split }) => {
    const original = `chapter_summary_aligned_${split === 'dev' ? 'val' : split}_split.jsonl`
    const file = await officialFile(path, [`${split}.csv`, original], 'booksum')
    if (!isAlignment(file)) return [file]
    const texts = new Set<string>()
    for await (const { value } of recordsOf(file, alignment, alignedRelease, malformedRecords('skip')))
      for (const name of [value.text, value.summary]) {
        const text = join(dirname(file), name)
        if (await exists(text)) texts.add(text)
      }
    return [file, ...texts]
  },
  // the chapters in the order of their first row; every row is a question, as in GoR
  async *corpora({ files: [file], options: { items, withoutLength }, bad, holds, leftOut }) {
    const isFirst = firstOnly(items, 'rows', { leftOut })
    const isLong = ({ length }: BookRow) => {
      if (length === undefined ? withoutLength === 'reference' : length > minLength) return true
      leftOut(length === undefined ? 'rows without a length' : `rows of length ${minLength} or less`)
      return false
    }
    const chapters = new Map<string, { readonly title: string; readonly text: string; readonly summaries: string[] }>()
    for await (const row of rowsOf(file, bad)) {
      holds('rows')
      if (!row) leftOut('rows whose texts are not there')
      if (!row || !isLong(row)) continue
      holds(`rows longer than ${minLength}`)
      const { title, text, summary } = row
      if (text.trim() === '') leftOut('rows without a chapter')
      else if (summary.trim() === '') leftOut('rows without a summary')
      else if (isFirst()) {
        const id = documentId(text)
        const chapter = chapters.get(id) ?? { title, text, summaries: [] }
        chapters.set(id, chapter)
        chapter.summaries.push(summary.trim())
      }
    }
    holds('chapters of the rows that are kept', chapters.size)
    for (const [id, { title, text, summaries }] of chapters) {
      const questions = summaries.map((summary, at) =>
        summaryQuestion(at === 0 ? id : `${id}#${at + 1}`, 'Summarise this story.', [summary], id),
      )
      yield { id, documents: [{ id, text, ...(title !== '' && { title }) }], questions }
    }
  },
  download: {
    files: splits.map((split) => ({
      url: `https://huggingface.co/datasets/kmfoda/booksum/resolve/main/${split}.csv`,
      name: `${split}.csv`,
    })),
    note: 'For research only: the summaries belong to the study guides that wrote them.',
  },
})

const isAlignment = (file: string) => /\.jsonl(\.gz)?$/i.test(file)

interface BookRow {
  readonly title: string
  readonly text: string
  readonly length: number | undefined
  readonly summary: string
}

const csvRelease = 'kmfoda/booksum (columns chapter, chapter_length and summary_text)'
const csvRow = z
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
  .transform(({ book_id: title, chapter: text, chapter_length: length, summary_text: summary }): BookRow => {
    return { title, text, length, summary }
  })

const alignedRelease = 'the alignments of BookSum (chapter_path or book_path, and summary_path)'

const alignment = z
  .union([
    z.object({ chapter_path: words, summary_path: words, book_id: words }),
    z.object({ book_path: words, summary_path: words, title: words }),
  ])
  .transform((row) => {
    const [title, text] = 'title' in row ? [row.title, row.book_path] : [row.book_id, row.chapter_path]
    return { title, text, summary: row.summary_path }
  })

async function* rowsOf(file: string, bad: MalformedRecords): AsyncGenerator<BookRow | undefined> {
  if (!isAlignment(file)) {
    for await (const { value } of recordsOf(file, csvRow, csvRelease, bad)) yield value
    return
  }
  for await (const { value } of recordsOf(file, alignment, alignedRelease, bad)) {
    const textFile = join(dirname(file), value.text)
    const summaryFile = join(dirname(file), value.summary)
    if ((await exists(textFile)) && (await exists(summaryFile))) {
      const row = await bad.attemptAsync(async () => {
        const text = await wholeText(textFile)
        return { title: value.title, text, length: wordCount(text), summary: await summaryIn(summaryFile) }
      })
      if (row) yield row
    } else yield undefined
  }
}

const summaryForm = z.object({
  summary: z.union([z.string(), z.array(z.string()).transform((paragraphs) => paragraphs.join('\n\n'))]),
})

async function summaryIn(file: string): Promise<string> {
  const text = await wholeText(file)
  return file.endsWith('.json') ? shape(summaryForm, jsonIn(text), file, '{"summary": "…"}').summary : text
}
