import { isObject } from '../../basics/plain-data.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Document } from '../../types.ts'
import { type CsvRow, csvRows } from '../../formats/csv-rows.ts'
import { htmlText } from '../../formats/html-text.ts'
import { jsonRecords } from '../../formats/json-records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { withoutInvisible } from '../../text/characters.ts'
import { documentOf, uniqueIds } from '../shared/document-of-record.ts'
import { docxText, findReader, pdfText } from './pdf-and-docx.ts'
import { type MalformedRecords, malformedRecords } from '../shared/published-dataset.ts'
import type { FoundFile, Tally } from './find-files.ts'
import type { FilesOptions } from './options.ts'

interface ReadDocuments {
  readonly documents: readonly Document[]
  /** What to do about the first file whose records lack "text". */
  readonly textless?: string
}

type ReadOptions = Pick<FilesOptions, 'encoding' | 'text'> & Partial<Pick<FilesOptions, 'columns'>>

/**
 * The documents of files: a text each, or a row or object with `text`; a table without it is one. What nobody sees of a
 * text is left out, and what is no document is counted. Throws UserError for a file or id at fault, and where `text`
 * names what no file has.
 */
export async function readDocuments(
  files: readonly FoundFile[],
  options: ReadOptions,
  bad: MalformedRecords,
  leftOut: Tally,
): Promise<ReadDocuments> {
  const documents: Document[] = []
  const useId = uniqueIds()
  let textless: string | undefined
  let table: string | undefined
  let hasText = options.text === 'text'
  for (const file of files) {
    const read = await bad.attemptAsync(() => documentsOf(file, options, bad))
    if (!read) continue
    if (read.lack) {
      leftOut.add(read.lack.reason)
      textless ??= read.lack.remedy
    }
    if (read.isTable) table ??= file.path
    hasText ||= isOfRecords(file) && !read.isTable && !read.lack
    for (const { id, text, title, where } of read.documents) {
      const visible = withoutInvisible(text)
      if (visible.trim() === '') leftOut.add(emptyOf(file))
      else
        bad.attempt(() =>
          documents.push({
            id: useId(id, where),
            text: visible,
            ...(title !== undefined && { title: withoutInvisible(title) }),
          }),
        )
    }
  }
  if (table !== undefined && !hasText)
    throw new UserError(
      `${table}: no file has the column or key "${options.text}" of the option "text"; correct it, or omit it to read whole tables`,
    )
  return { documents, ...(textless !== undefined && { textless }) }
}

/** The documents of one file; `lack`: why it has none; `isTable`: its rows are one document together. */
interface ReadFile {
  readonly documents: readonly (Document & { readonly where: string })[]
  readonly lack?: Lack | undefined
  readonly isTable?: boolean
}

/** Why a file of records has no document, as it is counted, and what to do about it. */
interface Lack {
  readonly reason: string
  readonly remedy?: string
}

const emptyOf = (file: FoundFile): string =>
  file.format === 'pdf' ? 'PDF files without text (scans)' : isOfRecords(file) ? 'empty records' : 'empty files'

/** Whether each record of a file is a document, if it has "text". */
export const isOfRecords = ({ format }: Pick<FoundFile, 'format'>): boolean => format === 'csv' || format === 'json'

async function documentsOf(file: FoundFile, options: ReadOptions, bad: MalformedRecords): Promise<ReadFile> {
  const { path, name, format } = file
  const id = name.normalize('NFC')
  const single = (document: Omit<Document, 'id'>): ReadFile => ({ documents: [{ id, ...document, where: path }] })
  const readText = async (): Promise<string> => (await wholeText(path, options.encoding)).replaceAll('\r\n', '\n')
  switch (format) {
    case 'json':
      return documentsOfJson(file, options, bad)
    case 'csv': {
      const table = await readTable(path, options)
      const lack = tableLack(name, table)
      if (lack) return { documents: [], lack }
      if (!table.hasText) return { ...single({ text: tableText(table) }), isTable: true }
      return { documents: table.rows.flatMap((row) => recordDocument(file, row, bad) ?? []) }
    }
    case 'pdf':
      return single({ text: await pdfText(path) })
    case 'docx':
      return single({ text: await docxText(path) })
    case 'html':
      return single(htmlText(await readText()))
    case 'txt':
      return single({ text: await readText() })
    case 'md': {
      const text = await readText()
      const title = /^# +(\S.*)$/m.exec(text)?.[1]?.trim()
      return single({ text, ...(title !== undefined && { title }) })
    }
  }
}

interface NumberedRecord {
  readonly line: number
  readonly number: number
  readonly value: unknown
}

const recordDocument = ({ path, name }: FoundFile, { line, number, value }: NumberedRecord, bad: MalformedRecords) =>
  bad.attempt(() => {
    const where = `${path}:${line}`
    return { ...documentOf(value, `${name.normalize('NFC')}#${number}`, where), where }
  })

/** The documents of JSON; none where no record has "text": then the file is about something else. */
async function documentsOfJson(
  file: FoundFile,
  { text }: Pick<ReadOptions, 'text'>,
  bad: MalformedRecords,
): Promise<ReadFile> {
  const records: NumberedRecord[] = []
  let first: unknown
  let hasText = false
  for await (const { value, ...place } of jsonRecords(file.path, bad, { numbers: 'text' })) {
    const record = namedText(value, text)
    first ??= value
    hasText ||= record !== undefined
    // nothing else of a record without text is needed to refuse it
    records.push({ ...place, value: record ?? (isObject(value) ? {} : value) })
  }
  if (!hasText) return { documents: [], lack: lackOf(file, first) }
  return { documents: records.flatMap((record) => recordDocument(file, record, bad) ?? []) }
}

/** A record with its text under "text"; undefined for one that has none. */
function namedText(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(value)) return undefined
  if (name in value) return { ...value, text: value[name] }
  return 'text' in value ? value : undefined
}

const mostNames = 10

/** Why a file of JSON without "text" has no document; `first`: its first record, if any. */
function lackOf({ name }: FoundFile, first: unknown): Lack | undefined {
  if (first === undefined) return undefined
  const keys = isObject(first) ? Object.keys(first) : []
  const keyList = `${keys.slice(0, mostNames).join(', ')}${keys.length > mostNames ? ', …' : ''}`
  return {
    reason: 'files json without the key "text"',
    remedy: `${name} has no key "text": set the option "text" to the key of the text, or rename it${keys.length > 0 ? ` (found: ${keyList})` : ''}`,
  }
}

/** A file of CSV or TSV. */
interface Table {
  readonly rows: readonly CsvRow[]
  /** The names of the columns, which may be empty or the same, by their keys in the rows. */
  readonly names: ReadonlyMap<string, string>
  /** Whether each row is a document, its text under "text". */
  readonly hasText: boolean
  /** The original name of the column that holds questions. */
  readonly question: string | undefined
}

/** Columns of documents; as those of questions, they may be written in any case. */
const documentColumns = ['id', '_id', 'title', 'text']

async function readTable(path: string, { encoding, text, columns }: ReadOptions): Promise<Table> {
  const names = new Map<string, string>()
  const keyOf = (name: string): string => {
    const column =
      name === text ? 'text' : (documentColumns.find((candidate) => candidate === name.toLowerCase()) ?? name)
    // a document has each of these once; names in the file do not begin with a space
    const isKey = name !== '' && (documentColumns.includes(column) || !names.has(column))
    const key = isKey ? column : ` ${names.size}`
    names.set(key, name)
    return key
  }
  const rows: CsvRow[] = []
  for await (const row of csvRows(path, await wholeText(path, encoding), { rename: keyOf })) rows.push(row)
  const questions = ['question', ...[columns?.question ?? []].flat().map((name) => name.toLowerCase())]
  const question = [...names.values()].find((name) => questions.includes(name.toLowerCase()))
  return { rows, names, hasText: names.has('text'), question }
}

/** Why a table is no document: it is empty, or may give away answers. */
function tableLack(name: string, { rows, hasText, question }: Table): Lack | undefined {
  if (rows.length === 0) return { reason: 'files csv without a row' }
  if (hasText || question === undefined) return undefined
  return {
    reason: 'files csv of questions',
    remedy: `${name} is read as questions (column "${question}"): rename the column if the table is a document`,
  }
}

/**
 * A table as text: a paragraph of one line for each row, "Name: X; Price: 3", so that no part of the text that is cut
 * between paragraphs or sentences lacks the names of its columns. Empty cells are left out.
 */
function tableText({ names, rows }: Table): string {
  const lines = rows.map(({ value }) =>
    [...names].flatMap(([key, name]) => {
      const cell = (value[key] ?? '').replace(/\s+/g, ' ').trim()
      if (cell === '') return []
      return name === '' ? cell : `${name.replace(/\s+/g, ' ')}: ${cell}`
    }),
  )
  return lines.flatMap((cells) => (cells.length > 0 ? [cells.join('; ')] : [])).join('\n\n')
}

/** What keeps a file from being read, or from holding documents; a file of JSON is read to its first text only. */
export async function problemOf(file: FoundFile): Promise<{ readonly refusal?: string; readonly lack?: Lack }> {
  const { path, format } = file
  try {
    if (format === 'pdf' || format === 'docx') findReader(path, format)
    else if (format !== 'json') await wholeText(path)
  } catch (error) {
    return { refusal: messageOf(error) }
  }
  const lack = isOfRecords(file) ? await lackIn(file).catch(() => undefined) : undefined
  return lack ? { lack } : {}
}

async function lackIn(file: FoundFile): Promise<Lack | undefined> {
  if (file.format === 'csv')
    return tableLack(file.name, await readTable(file.path, { text: 'text', encoding: undefined }))
  let first: unknown
  for await (const { value } of jsonRecords(file.path, malformedRecords('skip'), { numbers: 'text' })) {
    if (isObject(value) && 'text' in value) return undefined
    first ??= value
  }
  return lackOf(file, first)
}
