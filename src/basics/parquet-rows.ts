import type { AsyncBuffer, RowGroup } from 'hyparquet'
import { failureOf } from '../errors.ts'

/** The rows of a Parquet file, one row group in memory at a time. Throws UserError, also for oversized groups. */
export async function* parquetRows(
  file: string,
  columns?: readonly string[],
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet')
  const { compressors } = await import('hyparquet-compressors')
  let rowStart = 0
  try {
    const source = await asyncBufferFromFile(file)
    const metadata = await parquetMetadataAsync(source)
    const present = parquetSchema(metadata).children.map(({ element }) => element.name)
    const selection = { metadata, columns: present.filter((column) => columns?.includes(column) ?? true) }
    for (const group of metadata.row_groups) {
      refuseLarge(group)
      await refuseManyValues(source, group, selection.columns)
      const rowEnd = rowStart + Number(group.num_rows)
      const reading = { file: source, compressors: limitSizes(compressors), ...selection, rowStart, rowEnd }
      yield* await parquetReadObjects(reading)
      rowStart = rowEnd
    }
  } catch (error) {
    throw failureOf(`${file}: cannot be read as Parquet`, error)
  }
}

/** Limit of an unpacked page; pages usually have about 1 MiB. */
const largestPage = 512 * 1024 ** 2

/** Limits of a row group, which is in memory as a whole. */
const largestGroup = 1024 ** 3
const mostRows = 2 ** 22

type Compressors = Readonly<Record<string, ((input: Uint8Array, length: number) => Uint8Array) | undefined>>

function limitSizes(compressors: Compressors): Compressors {
  let bytes = 0
  return Object.fromEntries(
    Object.entries(compressors).map(([name, unpack]) => [
      name,
      unpack &&
        ((input, length) => {
          if (length > largestPage)
            throw new Error(`a page says to unpack to ${length} bytes, more than ${largestPage}`)
          bytes += length
          if (bytes > largestGroup)
            throw new Error(`the pages of a group say to unpack to ${bytes} bytes, more than ${largestGroup}`)
          return unpack(input, length)
        }),
    ]),
  )
}

/** Limit of values in a group, list items counted. */
const mostValues = 2 ** 25

async function refuseManyValues(
  file: AsyncBuffer,
  { columns }: RowGroup,
  columnNames: readonly string[],
): Promise<void> {
  const { deserializeTCompactProtocol } = await import('hyparquet/src/thrift.js')
  let values = 0
  for (const { meta_data: of } of columns) {
    if (!of || !columnNames.includes(of.path_in_schema[0] ?? '')) continue
    const start = Number(of.dictionary_page_offset || of.data_page_offset)
    const bytes = await file.slice(start, Math.min(start + Number(of.total_compressed_size), file.byteLength))
    const reader = { view: new DataView(bytes), offset: 0 }
    while (reader.offset < bytes.byteLength - 1) {
      const page: Readonly<Record<string, unknown>> = deserializeTCompactProtocol(reader)
      reader.offset += Math.max(0, Number(page['field_3']))
      // of a page of data, of a dictionary, and of data in the second version
      for (const head of [page['field_5'], page['field_7'], page['field_8']])
        values += Math.max(0, (head as { readonly field_1?: number } | undefined)?.field_1 ?? 0)
      if (!(values <= mostValues))
        throw new Error(`the pages of a group say to hold ${values} values, more than ${mostValues}`)
    }
  }
}

function refuseLarge({ num_rows: rows, columns }: RowGroup) {
  const bytes = columns.reduce((sum, { meta_data: of }) => sum + Number(of?.total_uncompressed_size ?? 0n), 0)
  if (rows > mostRows || bytes > largestGroup)
    throw new Error(`a group of ${rows} rows and ${bytes} bytes is more than ${mostRows} rows or ${largestGroup} bytes`)
}
