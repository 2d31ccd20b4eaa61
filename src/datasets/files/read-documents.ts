import { UserError } from '../../errors.ts'
import type { Document } from '../../types.ts'
import { csvRows } from '../formats/csv-rows.ts'
import { htmlText } from '../formats/html-text.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { docxText, pdfText } from '../formats/optional-text.ts'
import { isObject } from '../formats/shape.ts'
import { wholeText } from '../formats/text-file.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { documentOf } from '../shared/document-of-record.ts'
import type { FoundFile } from './find-files.ts'
import type { FilesOptions } from './options.ts'

/** Documents, and what was left out of their files, counted. */
export interface ReadDocuments {
  readonly documents: readonly Document[]
  readonly leftOut: Readonly<Record<string, number>>
}

/**
 * The documents of files. A text, a page, a PDF or a Word file is one, and its name is its id; a row of CSV or an object of JSON is one with
 * `text`, and `id` and `title` where it has them. The text begins with the title where the record keeps it apart. Throws UserError for a file
 * that cannot be read and an id that is used twice.
 */
export async function readDocuments(
  files: readonly FoundFile[],
  { encoding }: Pick<FilesOptions, 'encoding'>,
  bad: BadRecords,
): Promise<ReadDocuments> {
  const documents = new Map<string, { readonly document: Document; readonly where: string }>()
  const leftOut = new Map<string, number>()
  const leave = (what: string): void => void leftOut.set(what, (leftOut.get(what) ?? 0) + 1)
  const add = (document: Document, where: string): void => {
    const before = documents.get(document.id)
    if (before)
      throw new UserError(`${where}: the document id ${JSON.stringify(document.id)} is used by ${before.where} already`)
    documents.set(document.id, { document, where })
  }
  for (const file of files) {
    const read = await documentsOf(file, encoding, bad).catch((error: unknown) => error)
    bad.attempt(() => {
      if (!Array.isArray(read)) throw read
      if (read.length === 0) leave(`files ${file.format} without the key or column "text"`)
    })
    for (const { document, where } of Array.isArray(read) ? (read as Placed[]) : [])
      bad.attempt(() => (document.text.trim() === '' ? leave(emptyOf(file)) : add(document, where)))
  }
  return { documents: [...documents.values()].map(({ document }) => document), leftOut: Object.fromEntries(leftOut) }
}

interface Placed {
  readonly document: Document
  readonly where: string
}

const emptyOf = ({ format }: FoundFile): string =>
  format === 'pdf'
    ? 'PDF files without text (scans)'
    : format === 'csv' || format === 'json'
      ? 'empty records'
      : 'empty files'

async function documentsOf(file: FoundFile, encoding: FilesOptions['encoding'], bad: BadRecords): Promise<Placed[]> {
  const { path, name, format } = file
  if (format === 'csv' || format === 'json') return recordsOf(file, encoding, bad)
  const id = name.normalize('NFC')
  const one = (document: Omit<Document, 'id'>): Placed[] => [{ document: { id, ...document }, where: path }]
  if (format === 'pdf') return one({ text: await pdfText(path) })
  if (format === 'docx') return one({ text: await docxText(path) })
  const text = (await wholeText(path, encoding)).replaceAll('\r\n', '\n')
  if (format === 'html') return one(htmlText(text))
  const title = format === 'md' ? /^# +(\S.*)$/m.exec(text)?.[1]?.trim() : undefined
  return one({ text, ...(title !== undefined && { title }) })
}

/** The documents of a file of records; none where its first record has no text: it is about something else. */
async function recordsOf(
  { path, name, format }: FoundFile,
  encoding: FilesOptions['encoding'],
  bad: BadRecords,
): Promise<Placed[]> {
  const placed: Placed[] = []
  const records = format === 'csv' ? csvRows(path, await wholeText(path, encoding)) : jsonRecords(path, bad)
  let number = 0
  for await (const { line, value } of records) {
    const where = `${path}:${line}`
    if (++number === 1 && !(isObject(value) && 'text' in value)) return []
    const document = bad.attempt(() => documentOf(value, `${name.normalize('NFC')}#${number}`, where))
    if (document) placed.push({ document, where })
  }
  return placed
}
