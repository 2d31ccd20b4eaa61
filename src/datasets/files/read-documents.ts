import { isObject } from '../../basics/plain-data.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Document } from '../../types.ts'
import { htmlText } from '../../formats/html-text.ts'
import { type JsonRecord, jsonRecords } from '../../formats/json-records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { withoutInvisible } from '../../text/characters.ts'
import { documentOf } from '../shared/document-of-record.ts'
import { docxText, findReader, pdfText } from './pdf-and-docx.ts'
import { type MalformedRecords, malformedRecords } from '../shared/published-dataset.ts'
import type { FoundFile, Tally } from './find-files.ts'
import type { FilesOptions } from './options.ts'
import { type CsvTable, csvTable, tableText } from './table-text.ts'

interface ReadDocuments {
  readonly documents: readonly Document[]
  /** What to do about the first file whose records lack "text". */
  readonly textless?: string
}

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
  const documents = new Map<string, { readonly document: Document; readonly where: string }>()
  let textless: string | undefined
  let table: string | undefined
  let hasText = options.text === 'text'
  const add = (document: Document, where: string): void => {
    const before = documents.get(document.id)
    if (before)
      throw new UserError(`${where}: the document id ${JSON.stringify(document.id)} is used by ${before.where} already`)
    documents.set(document.id, { document, where })
  }
  for (const file of files) {
    const read = await documentsOf(file, options, bad).catch((error: unknown) => ({ error }))
    bad.attempt(() => {
      if ('error' in read) throw read.error
    })
    if ('error' in read) continue
    if (read.lack) {
      leftOut.add(read.lack.reason)
      textless ??= read.lack.remedy
    }
    if (read.isTable === true) table ??= file.path
    hasText ||= isOfRecords(file) && read.isTable !== true && !read.lack
    for (const { document, where } of read.documents)
      bad.attempt(() => {
        const visible = seenOf(document)
        if (visible.text.trim() === '') leftOut.add(emptyOf(file))
        else add(visible, where)
      })
  }
  if (table !== undefined && !hasText)
    throw new UserError(
      `${table}: no file has the column or key "${options.text}" of the option "text"; correct it, or omit it to read whole tables`,
    )
  return {
    documents: [...documents.values()].map(({ document }) => document),
    ...(textless !== undefined && { textless }),
  }
}

interface Placed {
  readonly document: Document
  readonly where: string
}

/** The documents of one file; `lack`: why it has none; `isTable`: its rows are one document together. */
interface ReadFile {
  readonly documents: readonly Placed[]
  readonly lack?: Lack | undefined
  readonly isTable?: boolean
}

function seenOf({ id, text, title }: Document): Document {
  const visible = { id, text: withoutInvisible(text) }
  return title === undefined ? visible : { ...visible, title: withoutInvisible(title) }
}

const emptyOf = ({ format }: FoundFile): string =>
  format === 'pdf'
    ? 'PDF files without text (scans)'
    : format === 'csv' || format === 'json'
      ? 'empty records'
      : 'empty files'

async function documentsOf(file: FoundFile, options: ReadOptions, bad: MalformedRecords): Promise<ReadFile> {
  const { path, name, format } = file
  if (format === 'json') return documentsOfRecords(file, jsonDocuments(file, options, bad), bad)
  const id = name.normalize('NFC')
  const single = (document: Omit<Document, 'id'>): ReadFile => ({
    documents: [{ document: { id, ...document }, where: path }],
  })
  if (format === 'csv') {
    const table = await csvTable(path, options)
    const lack = tableLack(name, table)
    if (lack) return { documents: [], lack }
    if (table.hasText) return documentsOfRecords(file, table.rows, bad)
    return { ...single({ text: await tableText(table) }), isTable: true }
  }
  if (format === 'pdf') return single({ text: await pdfText(path) })
  if (format === 'docx') return single({ text: await docxText(path) })
  const text = (await wholeText(path, options.encoding)).replaceAll('\r\n', '\n')
  if (format === 'html') return single(htmlText(text))
  const title = format === 'md' ? /^# +(\S.*)$/m.exec(text)?.[1]?.trim() : undefined
  return single({ text, ...(title !== undefined && { title }) })
}

/** The documents of records; none where no record has "text": then the file is about something else. */
async function documentsOfRecords(
  file: FoundFile,
  records: AsyncIterable<JsonRecord>,
  bad: MalformedRecords,
): Promise<ReadFile> {
  const { path, name } = file
  const documents: Placed[] = []
  const place = ({ line, value, number }: JsonRecord): void => {
    const where = `${path}:${line}`
    const document = bad.attempt(() => documentOf(value, `${name.normalize('NFC')}#${number}`, where))
    if (document) documents.push({ document, where })
  }
  // whether these are bad, or the file is about something else, is not known before a record has "text"
  const waiting: (() => void)[] = []
  let hasText = false
  let first: unknown
  for await (const { line, value, number } of records) {
    first ??= value
    hasText ||= isObject(value) && 'text' in value
    if (hasText) {
      for (const refuse of waiting.splice(0)) refuse()
      place({ line, value, number })
    } else {
      const placeholder = isObject(value) ? {} : undefined // nothing else of it is needed to refuse it
      waiting.push(() => place({ line, value: placeholder, number }))
    }
  }
  return { documents, lack: hasText ? undefined : lackOf(file, first) }
}

/** Why a file of records has no document, as it is counted, and what to do about it. */
interface Lack {
  readonly reason: string
  readonly remedy?: string
}

/** Whether each record of a file is a document, if it has "text". */
export const isOfRecords = ({ format }: Pick<FoundFile, 'format'>): boolean => format === 'csv' || format === 'json'

type ReadOptions = Pick<FilesOptions, 'encoding' | 'text'> & Partial<Pick<FilesOptions, 'columns'>>

/** The records of a file of JSON, their text under "text". Throws UserError naming file and line of a malformed one. */
async function* jsonDocuments(
  { path }: FoundFile,
  { text }: ReadOptions,
  bad: MalformedRecords,
): AsyncGenerator<JsonRecord> {
  for await (const record of jsonRecords(path, bad, { numbers: 'text' })) {
    const { value } = record
    const isNamed = text !== 'text' && isObject(value) && text in value
    yield isNamed ? { ...record, value: { ...value, text: value[text] } } : record
  }
}

/** Why a file cannot be read as it is, in one line. */
export async function refusalOf({ path, format }: FoundFile): Promise<string | undefined> {
  try {
    if (format === 'pdf' || format === 'docx') findReader(path, format)
    else if (format !== 'json') await wholeText(path)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

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

const mostNames = 10

/** Why a table is no document: it is empty, or may give away answers. */
function tableLack(name: string, { isEmpty, hasText, question }: CsvTable): Lack | undefined {
  if (isEmpty) return { reason: 'files csv without a row' }
  if (hasText || question === undefined) return undefined
  return {
    reason: 'files csv of questions',
    remedy: `${name} is read as questions (column "${question}"): rename the column if the table is a document`,
  }
}

/** The same of a file that is read only to its first record with "text". An unreadable one is refused later. */
export async function lackIn(file: FoundFile): Promise<Lack | undefined> {
  const options = { encoding: undefined, text: 'text' }
  try {
    if (file.format === 'csv') return tableLack(file.name, await csvTable(file.path, options))
    let first: unknown
    for await (const { value } of jsonDocuments(file, options, malformedRecords('skip'))) {
      if (isObject(value) && 'text' in value) return undefined
      first ??= value
    }
    return lackOf(file, first)
  } catch {
    return undefined
  }
}
