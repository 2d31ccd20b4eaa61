import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Corpus } from '../types.ts'
import { csvRows } from '../formats/csv-rows.ts'
import { recordsOf, shape, words } from '../formats/records.ts'
import { wholeText } from '../formats/text-file.ts'
import { documentId, summaryQuestion } from './shared/document-of-record.ts'
import { exists, officialFile, ofFolder, split } from './shared/official-file.ts'
import {
  type BadRecords,
  badRecords,
  countedCorpora,
  type Counting,
  firstItems,
  firstOnly,
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

type Options = z.output<typeof options>

/**
 * BookSum (Kryściński et al., 2022): one corpus per chapter, or book. The rows of a chapter by several study guides
 * share it. The original has alignments only, whose texts everyone collects; a row whose texts are not there is left
 * out.
 */
export const booksum = defineDataset({
  name: 'booksum',
  summary: 'Chapters of novels and plays, each with the summaries that study guides give of it.',
  source: 'https://huggingface.co/datasets/kmfoda/booksum',
  licence:
    'alignments and code: BSD 3-Clause (Salesforce), for research only; summaries: the study guides that wrote them; books: mostly Project Gutenberg',
  layout:
    '`{train,dev,test}.csv` with `chapter`, `chapter_length` and `summary_text`, else a file of alignments (https://github.com/salesforce/booksum) beside the folders of its texts',
  options,
  evidence: false,
  files: async (path, chosen) => {
    const file = await fileOf(path, chosen)
    if (!isAlignment(file)) return [file]
    const texts = new Set<string>()
    for await (const { text, summary } of alignedRows(file, badRecords('skip')))
      for (const one of [text, summary]) if (await exists(one)) texts.add(one)
    return [file, ...texts]
  },
  unused: ofFolder('split'),
  corpora: (path, chosen, onBadRecord) =>
    countedCorpora(path, onBadRecord, ({ bad, ...counting }) => corporaOf(path, chosen, bad, counting)),
  download: {
    files: splits.map((split) => ({
      url: `https://huggingface.co/datasets/kmfoda/booksum/resolve/main/${split}.csv`,
      name: `${split}.csv`,
    })),
    note: 'For research only: the summaries belong to the study guides that wrote them.',
  },
})

const fileOf = (path: string, { split }: Options): Promise<string> =>
  officialFile(
    path,
    [`${split}.csv`, `chapter_summary_aligned_${split === 'dev' ? 'val' : split}_split.jsonl`],
    'booksum',
  )

/** The chapters in the order of their first row; every row is a question, as in GoR. */
async function* corporaOf(path: string, chosen: Options, bad: BadRecords, counting: Counting): AsyncGenerator<Corpus> {
  const chapters = new Map<string, { readonly title: string; readonly text: string; readonly summaries: string[] }>()
  for await (const { title, text, summary } of keptRows(await fileOf(path, chosen), chosen, bad, counting)) {
    const id = documentId(text)
    const chapter = chapters.get(id) ?? { title, text, summaries: [] }
    chapters.set(id, chapter)
    chapter.summaries.push(summary.trim())
  }
  counting.holds('chapters of the rows that are kept', chapters.size)
  for (const [id, { title, text, summaries }] of chapters) {
    const questions = summaries.map((one, at) =>
      summaryQuestion(at === 0 ? id : `${id}#${at + 1}`, 'Summarise this story.', [one], id),
    )
    yield { id, documents: [{ id, text, ...(title !== '' && { title }) }], questions }
  }
}

/** The rows that pass the filters, as many as are asked for. */
async function* keptRows(
  file: string,
  chosen: Options,
  bad: BadRecords,
  { holds, leftOut }: Counting,
): AsyncGenerator<BookRow> {
  const isFirst = firstOnly(chosen.items, 'rows', leftOut)
  for await (const row of rowsOf(file, bad)) {
    holds('rows')
    const long = row && (row.length === undefined ? chosen.withoutLength === 'reference' : row.length > minLength)
    if (!row) leftOut('rows whose texts are not there')
    else if (!long) leftOut(row.length === undefined ? 'rows without a length' : `rows of length ${minLength} or less`)
    else {
      holds(`rows longer than ${minLength}`)
      if (row.text.trim() === '') leftOut('rows without a chapter')
      else if (row.summary.trim() === '') leftOut('rows without a summary')
      else if (isFirst()) yield row
    }
  }
}

/** All rows; undefined for one whose texts are not there. */
async function* rowsOf(file: string, bad: BadRecords): AsyncGenerator<BookRow | undefined> {
  if (!isAlignment(file)) {
    yield* csvBookRows(file, bad)
    return
  }
  for await (const row of alignedRows(file, bad)) {
    const there = (await exists(row.text)) && (await exists(row.summary))
    const read = there ? await bad.attemptAsync(() => bookRowOf(row)) : undefined
    if (read || !there) yield read
  }
}

/** A chapter or a whole book, and its summary by one study guide. `length` is absent where the row has none. */
interface BookRow {
  readonly title: string
  readonly text: string
  readonly length?: number
  readonly summary: string
}

/** A row whose `text` and `summary` are paths of files, which need not be there. */
type AlignedRow = Omit<BookRow, 'length'>

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
async function* csvBookRows(file: string, bad: BadRecords): AsyncGenerator<BookRow> {
  for await (const { line, value } of csvRows(file, await wholeText(file))) {
    const read = bad.attempt(() => shape(csv, value, `${file}:${line}`, csvRelease))
    if (!read) continue
    const { chapter, chapter_length, summary_text, book_id = '' } = read
    const length = chapter_length.trim()
    yield {
      title: book_id.trim(),
      text: chapter,
      summary: summary_text,
      ...(length !== '' && { length: Number(length) }),
    }
  }
}

const common = { source: words, summary_path: words }
const aligned = z.union([
  z.object({ ...common, chapter_path: words, book_id: words }),
  z.object({ ...common, book_path: words, title: words }),
])
const alignedRelease = 'the alignments of BookSum (chapter_path or book_path, and summary_path)'

/** The rows of an alignment file, with the paths of their texts, which start from its folder. */
async function* alignedRows(file: string, bad: BadRecords): AsyncGenerator<AlignedRow> {
  const folder = dirname(file)
  for await (const { value } of recordsOf(file, aligned, alignedRelease, bad)) {
    const [title, text] = 'book_path' in value ? [value.title, value.book_path] : [value.book_id, value.chapter_path]
    yield { title, text: join(folder, text), summary: join(folder, value.summary_path) }
  }
}

/** An aligned row with its texts; its length is its number of words. Throws UserError naming an unreadable file. */
async function bookRowOf({ title, text, summary }: AlignedRow): Promise<BookRow> {
  const whole = await wholeText(text)
  return { title, text: whole, length: wordCount(whole), summary: await summaryIn(summary) }
}

/** A summary in a text file, or in JSON with `summary`: a text, or a list of paragraphs. */
async function summaryIn(file: string): Promise<string> {
  if (!file.endsWith('.json')) return wholeText(file)
  const expected = `expected {"summary": "…"}`
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    throw new UserError(`${file}: malformed JSON; ${expected}`)
  }
  const summary = isObject(value) ? value['summary'] : undefined
  if (typeof summary === 'string') return summary
  if (Array.isArray(summary) && summary.every((part) => typeof part === 'string')) return summary.join('\n\n')
  throw new UserError(`${file}: has no summary; ${expected}`)
}
