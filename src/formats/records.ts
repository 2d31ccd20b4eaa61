import { open } from 'node:fs/promises'
import { z, type ZodType } from 'zod'
import { parquetRows } from '../basics/parquet-rows.ts'
import { UserError } from '../errors.ts'
import type { BadRecords } from './bad-records.ts'
import { csvRows } from './csv-rows.ts'
import { jsonRecords, type JsonReading } from './json-records.ts'
import { wholeText } from './text-file.ts'

/**
 * The records of files of JSON, Parquet or CSV, each checked. Throws UserError naming file, row or line, and field of
 * what is malformed.
 */
export async function* recordsOf<T>(
  files: string | readonly string[],
  schema: z.ZodType<T>,
  expected: string,
  bad: BadRecords,
  reading: JsonReading = {},
) {
  const columns = schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined
  let number = 0
  for (const file of [files].flat())
    for await (const { where, value } of placedValues(file, columns, bad, reading)) {
      number++
      /** A part of the record in a shape of its own; undefined where it is bad and skipped. */
      const part = <P>(of: ZodType<P>, item: unknown, ...within: PropertyKey[]): P | undefined =>
        bad.attempt(() => shape(of, item, where, expected, within))
      const read = bad.attempt(() => ({ value: shape(schema, value, where, expected), number, where, part }))
      if (read) yield read
    }
}

async function* placedValues(
  file: string,
  columns: readonly string[] | undefined,
  bad: BadRecords,
  reading: JsonReading,
): AsyncGenerator<{ readonly where: string; readonly value: unknown }> {
  if (await isParquet(file)) {
    let number = 0
    for await (const value of parquetRows(file, columns)) yield { where: `${file}: row ${++number}`, value }
    if (number === 0) throw new UserError(`${file}: contains no rows`)
  } else {
    const isCsv = /\.(csv|tsv)(\.gz)?$/i.test(file)
    const records = isCsv
      ? csvRows(file, await wholeText(file), { anyLength: bad.skips })
      : jsonRecords(file, bad, reading)
    for await (const { line, value } of records) yield { where: `${file}:${line}`, value }
  }
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
