import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { UserError } from '../errors.ts'
import { recordsOf, words } from '../formats/records.ts'
import { wholeText } from '../formats/text-file.ts'
import { documentId, summaryQuestion } from './shared/document-of-record.ts'
import { exists, officialFile, split } from './shared/official-file.ts'
import {
  type MalformedRecords,
  malformedRecords,
  type Counting,
  firstItems,
  firstOnly,
  publishedDataset,
  wordCount,
} from './shared/reading.ts'

const splits = ['train', 'dev', 'test'] as const

const options = z.strictObject({
  split: split(splits, 'test'),
  withoutLength: z
    .enum(['leave-out', 'reference'])
    .default('leave-out')
    .describe(
      'Rows that do not say how long their chapter is: leave-out, or reference, which keeps them as the code of GoR does',
    ),
  items: firstItems('rows', 'GoR takes 30 of test and 400 of train'),
})

/** A chapter must be longer than this by its column chapter_length (GoR); of alignments by its words. */
const minLength = 8000

/**
 * BookSum (Kryściński et al., 2022): one corpus per chapter, or book. The rows of a chapter by several study guides
 * share it. The original has alignments only, whose texts everyone collects; a row whose texts are not there is left
 * out.
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
    for await (const paths of alignedRows(file, malformedRecords('skip')))
      for (const text of [paths.text, paths.summary]) if (await exists(text)) texts.add(text)
    return [file, ...texts]
  },
  // the chapters in the order of their first row; every row is a question, as in GoR
  async *corpora({ files: [file], options, ...counting }) {
    const chapters = new Map<string, { readonly title: string; readonly text: string; readonly summaries: string[] }>()
    for await (const { title, text, summary } of filteredRows(file, options, counting)) {
      const id = documentId(text)
      const chapter = chapters.get(id) ?? { title, text, summaries: [] }
      chapters.set(id, chapter)
      chapter.summaries.push(summary.trim())
    }
    counting.holds('chapters of the rows that are kept', chapters.size)
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

/** The rows that pass the filters, up to the limit. */
async function* filteredRows(
  file: string,
  { items, withoutLength }: z.output<typeof options>,
  { bad, holds, leftOut }: Counting,
): AsyncGenerator<BookRow> {
  const isFirst = firstOnly(items, 'rows', leftOut)
  for await (const row of isAlignment(file) ? alignedBookRows(file, bad) : csvBookRows(file, bad)) {
    holds('rows')
    const isLong = row && (row.length === undefined ? withoutLength === 'reference' : row.length > minLength)
    if (!row) leftOut('rows whose texts are not there')
    else if (!isLong)
      leftOut(row.length === undefined ? 'rows without a length' : `rows of length ${minLength} or less`)
    else {
      holds(`rows longer than ${minLength}`)
      if (row.text.trim() === '') leftOut('rows without a chapter')
      else if (row.summary.trim() === '') leftOut('rows without a summary')
      else if (isFirst()) yield row
    }
  }
}

/** A chapter or a whole book, and its summary by one study guide. `length` is absent where the row has none. */
interface BookRow {
  readonly title: string
  readonly text: string
  readonly length?: number
  readonly summary: string
}

const csv = z.object({
  chapter: z.string(),
  chapter_length: z.string().regex(/^\s*(\d+(\.\d+)?)?\s*$/, 'must be a number or empty'),
  summary_text: z.string(),
  book_id: z.string().optional(),
})
const csvRelease = 'kmfoda/booksum (columns chapter, chapter_length and summary_text)'

/** Whether a file has rows whose texts are in other files: the alignments of the original. */
const isAlignment = (file: string): boolean => /\.jsonl(\.gz)?$/i.test(file)

/** The rows of the CSV that GoR reads. Throws UserError naming file and line of what is malformed. */
async function* csvBookRows(file: string, bad: MalformedRecords): AsyncGenerator<BookRow> {
  for await (const { value } of recordsOf(file, csv, csvRelease, bad)) {
    const { chapter, chapter_length, summary_text, book_id = '' } = value
    const length = chapter_length.trim()
    const row = { title: book_id.trim(), text: chapter, summary: summary_text }
    yield length === '' ? row : { ...row, length: Number(length) }
  }
}

const common = { source: words, summary_path: words }
const alignment = z.union([
  z.object({ ...common, chapter_path: words, book_id: words }),
  z.object({ ...common, book_path: words, title: words }),
])
const alignedRelease = 'the alignments of BookSum (chapter_path or book_path, and summary_path)'

/** The rows of an alignment file, with the paths of their texts, which start from its folder. */
async function* alignedRows(file: string, bad: MalformedRecords): AsyncGenerator<BookRow> {
  const folder = dirname(file)
  for await (const { value } of recordsOf(file, alignment, alignedRelease, bad)) {
    const [title, text] = 'book_path' in value ? [value.title, value.book_path] : [value.book_id, value.chapter_path]
    yield { title, text: join(folder, text), summary: join(folder, value.summary_path) }
  }
}

/**
 * The same with their texts; the length is the number of words, and a row whose texts are not there is undefined.
 * Throws UserError naming an unreadable file.
 */
async function* alignedBookRows(file: string, bad: MalformedRecords): AsyncGenerator<BookRow | undefined> {
  for await (const { title, text, summary } of alignedRows(file, bad))
    if ((await exists(text)) && (await exists(summary))) {
      const row = await bad.attemptAsync(async () => {
        const chapter = await wholeText(text)
        return { title, text: chapter, length: wordCount(chapter), summary: await summaryIn(summary) }
      })
      if (row) yield row
    } else yield undefined
}

/** A summary in a text file, or in JSON with `summary`: a text, or a list of paragraphs. */
async function summaryIn(file: string): Promise<string> {
  if (!file.endsWith('.json')) return wholeText(file)
  const expectation = `expected {"summary": "…"}`
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    throw new UserError(`${file}: malformed JSON; ${expectation}`)
  }
  const summary = isObject(value) ? value['summary'] : undefined
  if (typeof summary === 'string') return summary
  if (Array.isArray(summary) && summary.every((part) => typeof part === 'string')) return summary.join('\n\n')
  throw new UserError(`${file}: has no summary; ${expectation}`)
}
