import { csvRows } from '../formats/csv-rows.ts'
import { jsonRecords, type JsonRecord } from '../formats/json-records.ts'
import { isObject } from '../formats/shape.ts'
import { wholeText } from '../formats/text-file.ts'
import { badRecords, type BadRecords } from '../shared/bad-records.ts'
import type { FoundFile } from './find-files.ts'
import type { FilesOptions } from './options.ts'

/** Why a file of records has no document, as it is counted, and what to do about it. */
export interface Lack {
  readonly counted: string
  readonly remedy?: string
}

/** Whether each record of a file is a document, if it has "text". */
export const isOfRecords = ({ format }: Pick<FoundFile, 'format'>): boolean => format === 'csv' || format === 'json'

/** The records of a file of CSV or JSON. Throws UserError naming file and line of what is malformed. */
export async function* recordsOf(
  { path, format }: FoundFile,
  encoding: FilesOptions['encoding'],
  bad: BadRecords,
): AsyncGenerator<JsonRecord> {
  if (format === 'csv') yield* csvRows(path, await wholeText(path, encoding), plainColumn)
  else yield* jsonRecords(path, bad)
}

/** Why a file has no document, none of whose records has "text"; `first` is the first of them, where there is one. */
export function lackOf({ name, format }: FoundFile, first: unknown): Lack | undefined {
  if (first === undefined) return format === 'csv' ? { counted: 'files csv without a row' } : undefined
  const what = format === 'csv' ? 'column' : 'key'
  const found = isObject(first) ? Object.keys(first) : []
  const shown = `${found.slice(0, mostNames).join(', ')}${found.length > mostNames ? ', …' : ''}`
  return {
    counted: `files ${format} without the key or column "text"`,
    remedy: `${name} has no ${what} "text": rename the ${what} that holds the text to "text"${found.length > 0 ? ` (found: ${shown})` : ''}`,
  }
}

const mostNames = 10

/** The same of a file that is not read further than to its first record with "text". One that cannot be read is refused where it is read whole. */
export async function lackIn(file: FoundFile): Promise<Lack | undefined> {
  let first: unknown
  try {
    for await (const { value } of recordsOf(file, undefined, badRecords('skip'))) {
      if (isObject(value) && 'text' in value) return undefined
      first ??= value
    }
  } catch {
    return undefined
  }
  return lackOf(file, first)
}

/** A column of documents by its plain name: as those of questions, it may be written in any case. */
const plainColumn = (name: string): string =>
  ['id', '_id', 'title', 'text'].find((column) => column === name.toLowerCase()) ?? name
