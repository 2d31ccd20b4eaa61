import { isObject } from '../../basics/plain-data.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Document } from '../../types.ts'
import { type CsvRow, csvRows } from '../../formats/csv-rows.ts'
import { htmlText } from '../../formats/html-text.ts'
import { jsonRecords, type JsonRecord } from '../../formats/json-records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { listing } from '../../text/amounts.ts'
import { withoutInvisible } from '../../text/characters.ts'
import { documentOf, uniqueIds } from '../shared/document-of-record.ts'
import { docxText, findReader, pdfText } from './pdf-and-docx.ts'
import { type MalformedRecords, malformedRecords } from '../shared/published-dataset.ts'
import { type FoundFile, noDocuments, type Omission } from './find-files.ts'
import type { FilesOptions } from './options.ts'

type ReadOptions = Pick<FilesOptions, 'encoding' | 'text'> & Partial<Pick<FilesOptions, 'columns'>>

/**
 * The documents of files: a text, a row or object with `text`, or a whole table, without invisible text. Throws
 * UserError for a file or id at fault, where `text` names what no file has, and for no document.
 */
export async function readDocuments(
  path: string,
  files: readonly FoundFile[],
  options: ReadOptions,
  bad: MalformedRecords,
  leftOut: Omission[],
): Promise<readonly Document[]> {
  const documents: Document[] = []
  const useId = uniqueIds()
  let table: string | undefined
  let hasText = options.text === 'text'
  for (const file of files) {
    const content = await bad.attemptAsync(() => contentOf(file, options, bad))
    if (!content) continue
    if (content.lack) leftOut.push(content.lack)
    else if (isOfRecords(file) && content.text !== undefined) table ??= file.path
    else if (isOfRecords(file)) hasText = true
    for (const { id, text, title, where } of documentsOf(file, content, bad)) {
      const visible = withoutInvisible(text)
      if (visible.trim() === '') leftOut.push({ reason: emptyOf(file) })
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
  if (documents.length === 0) throw bad.first() ?? noDocuments(path, leftOut)
  return documents
}

/** One text, records with `text`, or why there is neither. */
interface Content {
  readonly text?: string
  readonly title?: string
  readonly records?: readonly JsonRecord[]
  readonly lack?: Omission
}

function emptyOf(file: FoundFile) {
  if (file.format === 'pdf') return 'PDF files without text (scans)'
  return isOfRecords(file) ? 'empty records' : 'empty files'
}

/** Whether each record of a file is a document, if it has "text". */
const isOfRecords = ({ format }: FoundFile) => format === 'csv' || format === 'json'

function documentsOf({ path, name }: FoundFile, { text, title, records = [] }: Content, bad: MalformedRecords) {
  const id = name.normalize('NFC')
  if (text !== undefined) return [{ id, text, title, where: path }]
  return records.flatMap(({ line, number, value }) => {
    const where = `${path}:${line}`
    return bad.attempt(() => [{ title: undefined, ...documentOf(value, `${id}#${number}`, where), where }]) ?? []
  })
}

async function contentOf(file: FoundFile, options: ReadOptions, bad: MalformedRecords): Promise<Content> {
  const { path, format } = file
  if (format === 'csv') return readTable(file, options)
  if (format === 'json') return readObjects(file, options, bad)
  if (format === 'pdf') return { text: await pdfText(path) }
  if (format === 'docx') return { text: await docxText(path) }
  const text = (await wholeText(path, options.encoding)).replaceAll('\r\n', '\n')
  if (format === 'html') return htmlText(text)
  const title = format === 'md' ? /^# +(\S.*)$/m.exec(text)?.[1]?.trim() : undefined
  return { text, ...(title !== undefined && { title }) }
}

/** The objects of JSON; no documents where none has "text": then the file is about something else. */
async function readObjects({ path, name }: FoundFile, options: ReadOptions, bad: MalformedRecords): Promise<Content> {
  const records: JsonRecord[] = []
  let first: unknown
  let hasText = false
  for await (const { value, ...place } of jsonRecords(path, bad, 'text')) {
    const record = namedText(value, options.text)
    first ??= value
    hasText ||= record !== undefined
    // nothing else of a record without text is needed to refuse it
    records.push({ ...place, value: record ?? (isObject(value) ? {} : value) })
  }
  if (hasText || first === undefined) return { records: hasText ? records : [] }
  const keys = isObject(first) ? Object.keys(first) : []
  const remedy = `${name} has no key "text": set the option "text" to the key of the text, or rename it${keys.length > 0 ? ` (found: ${listing(keys)})` : ''}`
  return { lack: { reason: 'files json without the key "text"', remedy } }
}

/** A record with its text under "text"; undefined for one that has none. */
function namedText(value: unknown, name: string) {
  if (!isObject(value)) return undefined
  if (name in value) return { ...value, text: value[name] }
  return 'text' in value ? value : undefined
}

const documentColumns = ['id', '_id', 'title', 'text']

/** The rows of CSV or TSV; no documents where the table is empty, or may give away answers. */
async function readTable({ path, name }: FoundFile, { encoding, text, columns }: ReadOptions): Promise<Content> {
  // the names of the columns, which may be empty or the same, by their keys in the rows
  const names = new Map<string, string>()
  const keyOf = (name: string) => {
    const column =
      name === text ? 'text' : (documentColumns.find((candidate) => candidate === name.toLowerCase()) ?? name)
    // a document has each of these once; names in the file do not begin with a space
    const isKey = name !== '' && (documentColumns.includes(column) || !names.has(column))
    const key = isKey ? column : ` ${names.size}`
    names.set(key, name)
    return key
  }
  const records: CsvRow[] = []
  for await (const row of csvRows(path, await wholeText(path, encoding), { rename: keyOf })) records.push(row)
  if (records.length === 0) return { lack: { reason: 'files csv without a row' } }
  if (names.has('text')) return { records }
  const configNames = [columns?.question ?? []].flat()
  const questions = ['question', ...configNames.map((name) => name.toLowerCase())]
  const question = [...names.values()].find((name) => questions.includes(name.toLowerCase()))
  if (question === undefined) return { text: tableText(names, records) }
  const remedy = `${name} is read as questions (column "${question}"): rename the column if the table is a document`
  return { lack: { reason: 'files csv of questions', remedy } }
}

/** A table as text: a paragraph "Name: X; Price: 3" for each row, so that every chunk has the names of its columns. */
function tableText(names: ReadonlyMap<string, string>, rows: readonly CsvRow[]) {
  const lines = rows.map(({ value }) =>
    [...names].flatMap(([key, name]) => {
      const cell = (value[key] ?? '').replace(/\s+/g, ' ').trim()
      if (cell === '') return []
      return name === '' ? cell : `${name.replace(/\s+/g, ' ')}: ${cell}`
    }),
  )
  return lines.flatMap((cells) => (cells.length > 0 ? [cells.join('; ')] : [])).join('\n\n')
}

/** What keeps a file from being read, or from holding documents. */
export async function problemOf(file: FoundFile): Promise<{ readonly refusal?: string; readonly lack?: Omission }> {
  const { path, format } = file
  const options = { text: 'text', encoding: undefined }
  try {
    if (format === 'pdf' || format === 'docx') findReader(path, format)
    else if (format !== 'json') await wholeText(path)
  } catch (error) {
    return { refusal: messageOf(error) }
  }
  if (!isOfRecords(file)) return {}
  return contentOf(file, options, malformedRecords('skip')).catch(() => ({}))
}
