import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from './json-records.ts'
import { isParquet, parquetRows } from './parquet-rows.ts'

/** A row of a table as an object, and where it stands. */
export interface PlacedRow {
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
