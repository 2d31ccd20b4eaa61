import { open } from 'node:fs/promises'
import type { RowGroup } from 'hyparquet'
import { z, type ZodType } from 'zod'
import { messageOf, UserError } from '../../errors.ts'
import type { BadRecords } from '../shared/reading.ts'
import { jsonRecords } from './json-records.ts'

/** A record in the shape of its schema, its number from 1, and where it stands. */
interface ReadRecord<T> {
  readonly value: T
  readonly number: number
  readonly where: string
}

/**
 * The records of one file or several, rows of Parquet or JSON objects, in the shape of a schema; `expected` names that.
 * Throws UserError naming file, row or line, and field of what is malformed; where bad records are skipped, it is
 * passed over.
 */
export async function* recordsOf<T>(
  files: string | readonly string[],
  schema: z.ZodType<T>,
  expected: string,
  bad: BadRecords,
): AsyncGenerator<ReadRecord<T>> {
  const columns = schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined
  let number = 0
  for (const file of [files].flat())
    for await (const { where, value } of placedValues(file, columns, bad)) {
      number++
      const read = bad.attempt(() => ({ value: shape(schema, value, where, expected), number, where }))
      if (read) yield read
    }
}

async function* placedValues(
  file: string,
  columns: readonly string[] | undefined,
  bad: BadRecords,
): AsyncGenerator<{ readonly where: string; readonly value: unknown }> {
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
 * The rows of a Parquet file as objects of the columns named, or of all, held in memory one row group at a time; a
 * column that the file lacks is left out. Throws UserError when the file cannot be read or holds no row.
 */
async function* parquetRows(file: string, columns?: readonly string[]): AsyncGenerator {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet')
  const { compressors } = await import('hyparquet-compressors')
  let rowStart = 0
  try {
    const source = { file: await asyncBufferFromFile(file), compressors: bounded(compressors) }
    const metadata = await parquetMetadataAsync(source.file)
    const present = parquetSchema(metadata).children.map(({ element }) => element.name)
    const wanted = { metadata, columns: present.filter((column) => columns?.includes(column) ?? true) }
    for (const group of metadata.row_groups) {
      refuseLarge(group)
      const rowEnd = rowStart + Number(group.num_rows)
      yield* await parquetReadObjects({ ...source, ...wanted, rowStart, rowEnd })
      rowStart = rowEnd
    }
  } catch (error) {
    throw new UserError(`${file}: cannot be read as Parquet (${messageOf(error)})`, { cause: error })
  }
  if (rowStart === 0) throw new UserError(`${file}: contains no rows`)
}

/** The value in the shape of the schema; `within`: its place in its record. Throws UserError naming the place. */
export function shape<T>(
  schema: ZodType<T>,
  value: unknown,
  where: string,
  expected: string,
  within: readonly PropertyKey[] = [],
): T {
  const read = schema.safeParse(value, { reportInput: true })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = [...within, ...(issue?.path ?? [])]
  const last = path.at(-1)
  const absent = ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue?.code ?? '')
  const missing = absent && issue?.input === undefined && typeof last === 'string'
  const complaint = missing
    ? `${place(path.slice(0, -1))} lacks "${last}"`
    : `${place(path)}: ${(issue?.message ?? '').replace(/^Invalid input: /, '')}`
  throw new UserError(`${where}: ${complaint.replace(/^:? /, '')}; expected ${expected}`)
}

/** A text that is more than white space. */
export const words = z.string().regex(/\S/, 'is empty')

/** `['questions', 2, 'options']` -> `question 3, options` */
function place(path: readonly PropertyKey[]): string {
  return path.reduce<string>((said, step) => {
    if (typeof step === 'number') return `${said.replace(/(?<=\w{3})s$/, '')} ${step + 1}`
    return said === '' ? String(step) : `${said}, ${String(step)}`
  }, '')
}

/** Bytes that a page of a column may unpack to: pages have about one MiB, and a text is within one. */
const largestPage = 512 * 1024 ** 2

/** Rows of a group, which are held in memory together: writers put a million into one at most. */
const mostRows = 2 ** 24

type Compressors = Readonly<Record<string, ((input: Uint8Array, length: number) => Uint8Array) | undefined>>

/** The same functions, which refuse a page that says to be larger than any is, before room is made for it. */
const bounded = (compressors: Compressors): Compressors =>
  Object.fromEntries(
    Object.entries(compressors).map(([name, unpack]) => [
      name,
      unpack &&
        ((input, length) => {
          if (length > largestPage)
            throw new Error(`a page says to unpack to ${length} bytes, more than ${largestPage}`)
          return unpack(input, length)
        }),
    ]),
  )

/** Throws Error where the rows of a group are said to be more than memory holds. */
function refuseLarge({ num_rows: rows, columns }: RowGroup): void {
  const bytes = columns.reduce((sum, { meta_data: of }) => sum + Number(of?.total_uncompressed_size ?? 0n), 0)
  if (rows > mostRows || bytes > 8 * largestPage)
    throw new Error(
      `a group of ${rows} rows and ${bytes} bytes is more than ${mostRows} rows or ${8 * largestPage} bytes`,
    )
}
