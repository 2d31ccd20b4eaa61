import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, UserError } from '../../../errors.ts'
import { lines } from '../../../text/jsonl.ts'

/** A row of a table of a published index; `row` counts from 1. */
export interface TableRow {
  readonly file: string
  readonly row: number
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * The rows of the first file of these names in the folder, as JSON lines or as Parquet. Throws UserError where there is none, or naming
 * file and row where it cannot be read.
 */
export async function tableRows(folder: string, names: readonly string[]): Promise<readonly TableRow[]> {
  const file = names
    .flatMap((name) => [join(folder, `${name}.jsonl`), join(folder, `${name}.parquet`)])
    .find((path) => existsSync(path))
  if (file === undefined)
    throw new UserError(`${folder}: contains no table ${names[0] ?? ''} (${names.join(' or ')}, as .jsonl or .parquet)`)
  return file.endsWith('.parquet') ? parquet(file) : jsonLines(file)
}

async function jsonLines(file: string): Promise<readonly TableRow[]> {
  const rows: TableRow[] = []
  for await (const { line, text } of lines(file)) {
    const row = rows.length + 1
    try {
      const values: unknown = JSON.parse(text)
      if (typeof values !== 'object' || values === null || Array.isArray(values)) throw new Error('not an object')
      rows.push({ file, row, values: values as TableRow['values'] })
    } catch (error) {
      throw new UserError(`${file}: row ${row} (line ${line}) cannot be read as JSON: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
  return rows
}

async function parquet(file: string): Promise<readonly TableRow[]> {
  try {
    const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet')
    const { compressors } = await import('hyparquet-compressors')
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors })
    return rows.map((values, index) => ({ file, row: index + 1, values }))
  } catch (error) {
    throw new UserError(`${file}: cannot be read as Parquet (${messageOf(error)})`, { cause: error })
  }
}
