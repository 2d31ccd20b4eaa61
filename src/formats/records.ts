import { z, type ZodType } from 'zod'
import { beginningOf } from '../basics/files.ts'
import { parquetRows } from '../basics/parquet-rows.ts'
import { UserError } from '../errors.ts'
import type { MalformedRecords } from './malformed-records.ts'
import { csvRows } from './csv-rows.ts'
import { jsonRecords, type Numbers } from './json-records.ts'
import { wholeText } from './text-file.ts'

/**
 * The validated records of JSON, Parquet or CSV files. Throws UserError naming file, row or line, field and what the
 * schema describes.
 */
export async function* recordsOf<T>(
  files: string | readonly string[],
  schema: z.ZodType<T>,
  bad: MalformedRecords,
  numbers?: Numbers,
) {
  const columns = schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined
  let before = 0
  for (const file of [files].flat()) {
    let count = 0
    for await (const { where, value, number } of placedValues(file, columns, bad, numbers)) {
      count = number
      /** Validates a part of the record; undefined where it is malformed and skipped. */
      const part = <P>(of: ZodType<P>, item: unknown, ...within: PropertyKey[]) =>
        bad.attempt(() => shape(of, item, where, schema.description, within))
      const read = bad.attempt(() => ({ value: shape(schema, value, where), number: before + number, where, part }))
      if (read) yield read
    }
    before += count
  }
}

async function* placedValues(
  file: string,
  columns: readonly string[] | undefined,
  bad: MalformedRecords,
  numbers: Numbers | undefined,
): AsyncGenerator<{ readonly where: string; readonly value: unknown; readonly number: number }> {
  if ((await beginningOf(file, 4)) === 'PAR1') {
    let number = 0
    for await (const value of parquetRows(file, columns)) yield { where: `${file}: row ${++number}`, value, number }
    if (number === 0) throw new UserError(`${file}: contains no rows`)
  } else {
    const isCsv = /\.(csv|tsv)(\.gz)?$/i.test(file)
    const records = isCsv
      ? csvRows(file, await wholeText(file), { anyLength: bad.skips })
      : jsonRecords(file, bad, numbers)
    for await (const { line, value, number } of records) yield { where: `${file}:${line}`, value, number }
  }
}

/** Validates a value; `within`: its path in the record. Throws UserError naming the place. */
export function shape<T>(
  schema: ZodType<T>,
  value: unknown,
  where: string,
  expectation = schema.description,
  within: readonly PropertyKey[] = [],
): T {
  const read = schema.safeParse(value, { reportInput: true })
  if (read.success) return read.data
  const issue = nearestIssue(read.error.issues)
  const path = [...within, ...(issue?.path ?? [])]
  const last = path.at(-1)
  const absent = ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue?.code ?? '')
  const missing = absent && issue?.input === undefined && typeof last === 'string'
  const complaint = missing
    ? `${place(path.slice(0, -1))} lacks "${last}"`
    : `${place(path)}: ${(issue?.message ?? '').replace(/^Invalid input: /, '')}`
  throw new UserError(
    `${where}: ${complaint.replace(/^:? /, '')}${expectation === undefined ? '' : `; expected ${expectation}`}`,
  )
}

function nearestIssue([issue]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union' || issue.errors.length === 0) return issue
  const best = issue.errors.reduce((least, issues) => (issues.length < least.length ? issues : least))
  const inner = nearestIssue(best)
  return inner && { ...inner, path: [...issue.path, ...inner.path] }
}

/** A text that is more than white space. */
export const words = z.string().regex(/\S/, 'is empty')

/** `['questions', 2, 'options']` -> `question 3, options` */
function place(path: readonly PropertyKey[]) {
  return path.reduce<string>((result, step) => {
    if (typeof step === 'number') return `${result.replace(/(?<=\w{3})s$/, '')} ${step + 1}`
    return result === '' ? String(step) : `${result}, ${String(step)}`
  }, '')
}
