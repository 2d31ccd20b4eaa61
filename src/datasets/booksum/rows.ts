import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { csvRows } from '../formats/csv-rows.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { isObject, shape, words } from '../formats/shape.ts'
import { wholeText } from '../formats/text-file.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { wordCount } from '../shared/counted-corpora.ts'

/** A chapter, or a whole book, and the summary of it by one study guide. `length` is absent where the row does not say it. */
export interface BookRow {
  readonly title: string
  readonly text: string
  readonly length?: number
  readonly summary: string
}

/** A row whose texts are in files of their own, which need not be there. */
export interface AlignedRow {
  readonly title: string
  readonly text: string
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
export const isAlignment = (file: string): boolean => /\.jsonl(\.gz)?$/i.test(file)

/** The rows of the CSV that GoR reads. Throws UserError naming file and line of what is malformed. */
export async function* csvBookRows(file: string, bad: BadRecords): AsyncGenerator<BookRow> {
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

/** The rows of an alignment file, with the paths of their texts in `folder`. Throws UserError naming file and line of what is malformed. */
export async function* alignedRows(file: string, folder: string, bad: BadRecords): AsyncGenerator<AlignedRow> {
  for await (const { line, value } of jsonRecords(file, bad)) {
    const read = bad.attempt(() => shape(aligned, value, `${file}:${line}`, alignedRelease))
    if (!read) continue
    const [title, text] = 'book_path' in read ? [read.title, read.book_path] : [read.book_id, read.chapter_path]
    yield { title, text: join(folder, text), summary: join(folder, read.summary_path) }
  }
}

/** An aligned row with its texts; a text has as many words as its length says. Throws UserError naming a file that cannot be read. */
export async function bookRowOf({ title, text, summary }: AlignedRow): Promise<BookRow> {
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
