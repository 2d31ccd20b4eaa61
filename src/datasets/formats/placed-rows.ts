import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from './json-records.ts'
import { open } from 'node:fs/promises'
import { messageOf, UserError } from '../../errors.ts'

/** A row of a table as an object, and where it stands. */
interface PlacedRow {
  readonly where: string
  readonly value: unknown
}

/** The rows of a file, Parquet or JSON objects; of Parquet the columns named. Throws UserError naming file, and row or line, of what is malformed. */
export async function* placedRows(
  file: string,
  columns: readonly string[],
  bad: BadRecords,
): AsyncGenerator<PlacedRow> {
  if (await isParquet(file)) {
    let number = 0
    for await (const value of parquetRows(file, columns)) yield { where: `${file}: row ${++number}`, value }
  } else for await (const { line, value } of jsonRecords(file, bad)) yield { where: `${file}:${line}`, value }
}

/** Whether a file begins as Parquet does. */
async function isParquet(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1') === 'PAR1'
  } finally {
    await handle.close()
  }
}

/**
 * The rows of a Parquet file as objects of the columns named, held in memory one row group at a time; a column that the file lacks is left
 * out. Throws UserError when the file cannot be read or holds no row.
 */
async function* parquetRows(file: string, columns: readonly string[]): AsyncGenerator {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet')
  const { compressors } = await import('hyparquet-compressors')
  let rowStart = 0
  try {
    const source = { file: await asyncBufferFromFile(file), compressors }
    const metadata = await parquetMetadataAsync(source.file)
    const present = new Set(parquetSchema(metadata).children.map(({ element }) => element.name))
    const wanted = { metadata, columns: columns.filter((column) => present.has(column)) }
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      yield* await parquetReadObjects({ ...source, ...wanted, rowStart, rowEnd })
      rowStart = rowEnd
    }
  } catch (error) {
    throw new UserError(`${file}: cannot be read as Parquet (${messageOf(error)})`, { cause: error })
  }
  if (rowStart === 0) throw new UserError(`${file}: contains no rows`)
}
