import { messageOf, UserError } from '../../src/errors.ts'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Calls our functions on the input of a case, whose shape its metric fixes, and names the results as the vectors do; it may give a promise. What is
 * expected is for those that name a range, within which any result is as good. */
export type Adapter = (input: never, expected: never) => unknown

/** What came of the cases of a file; `skipped` holds the metric of each that was not run, and the parts that are not ours. */
export interface Tally {
  readonly passed: number
  readonly failed: readonly { readonly id: string; readonly differences: readonly Difference[] }[]
  readonly skipped: readonly string[]
}

export const nothing: Tally = { passed: 0, failed: [], skipped: [] }

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: [...a.failed, ...b.failed],
  skipped: [...a.skipped, ...b.skipped],
})

/** Runs every case whose metric stands in the table, one after the other. */
export async function runCases(cases: readonly Case[], table: Readonly<Record<string, Adapter>>): Promise<Tally> {
  const tallies: Tally[] = []
  for (const one of cases) tallies.push(await runCase(one, table[one.metric]))
  return tallies.reduce(add, nothing)
}

async function runCase({ id, metric, input, expected, tol }: Case, adapter: Adapter | undefined): Promise<Tally> {
  if (!adapter) return { ...nothing, skipped: [metric] }
  const got = await Promise.resolve()
    .then(() => (adapter as (input: unknown, expected: unknown) => unknown)(input, expected))
    .catch((error: unknown): Raised => ({ error: messageOf(error) }))
  if (got === notOurs) return { ...nothing, skipped: [metric] }
  const differences = differencesFrom(expected, got, tol)
  if (differences.length > 0) return { ...nothing, failed: [{ id, differences }] }
  return { ...nothing, passed: 1, skipped: partsLeftOut(expected, got).map((part) => `${metric} ${part}`) }
}

/** The expected fields of a result that are not ours. */
const partsLeftOut = (expected: unknown, got: unknown): readonly string[] =>
  Object.entries(got ?? {}).flatMap(([key, value]) =>
    value === notOurs && Object.hasOwn(expected as object, key) ? [key] : [],
  )

/** The result, or that there is none. */
export function attempt<T>(make: () => T): T | Raised {
  try {
    return make()
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** One number, text or shape that is not as expected, and where. */
interface Difference {
  readonly path: string
  readonly expected: string
  readonly got: string
}

/** What an implementation gives where it refuses: a reference's error matches any of ours. */
interface Raised {
  readonly error: string
}

/** What stands for a part of a reference that the project does not have. */
export const notOurs = Symbol('not ours')

/** Every expected field that differs. What is got may hold more fields; numbers may differ by `tolerance`. */
export function differencesFrom(expected: unknown, got: unknown, tolerance: number, path = '$'): Difference[] {
  if (got === notOurs) return []
  const different = [{ path, expected: shown(expected), got: shown(got) }]
  if (isRecord(expected) && 'error' in expected) return raised(got) ? [] : different
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return different
    return expected.flatMap((item, index) => differencesFrom(item, got[index], tolerance, `${path}[${index}]`))
  }
  if (isRecord(expected)) {
    if (!isRecord(got)) return different
    return Object.entries(expected).flatMap(([key, item]) =>
      differencesFrom(item, Object.hasOwn(got, key) ? got[key] : undefined, tolerance, `${path}.${key}`),
    )
  }
  return same(expected, got, tolerance) ? [] : different
}

function same(expected: unknown, got: unknown, tolerance: number): boolean {
  const number = numberOf(expected)
  if (number === undefined || typeof got !== 'number') return expected === got
  return Object.is(number, got) || number === got || Math.abs(number - got) <= tolerance
}

/** JSON has no NaN and no infinities: these three texts stand for them. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined
}

/** An error, or a result of which every part is one. */
function raised(got: unknown): boolean {
  if (!isRecord(got)) return false
  const parts = Object.values(got)
  return 'error' in got || (parts.length > 0 && parts.every(raised))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string =>
  typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value)

/** One input and what a reference implementation made of it; `tol` is absolute, for every number in `expected`. */
export type Case = z.infer<typeof caseSchema>

const caseSchema = z.object({
  id: z.string(),
  metric: z.string(),
  input: z.unknown(),
  expected: z.unknown(),
  tol: z.number().nonnegative().default(1e-12),
})

/** A file of golden vectors: a list of cases, or the one GEM construction. */
export type Vectors =
  { readonly format: 'cases'; readonly cases: readonly Case[] } | { readonly format: 'gem'; readonly content: unknown }

/** Reads a file of vectors. Throws UserError naming the file when it is missing, no JSON, or of another format. */
export function readVectors(file: string): Vectors {
  const content = parsed(file)
  const cases = z.object({ cases: z.array(caseSchema) }).safeParse(content)
  if (cases.success) return { format: 'cases', cases: cases.data.cases }
  if (z.object({ chunkEmbeddings: z.unknown(), variants: z.unknown() }).safeParse(content).success) {
    return { format: 'gem', content }
  }
  const [issue] = cases.error.issues
  throw new UserError(`${file}: not a file of vectors (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`)
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UserError(`${file}: cannot be read (${messageOf(error)})`)
  }
}

/** Python's round(value, digits): the nearest decimal to the exact binary value, and of two equally near ones the even. */
export function pythonRound(value: number, digits: number): number {
  // a tie has no more than digits + 1 binary places, so this product is exact
  const places = value * 2 ** (digits + 1)
  const tie = Number.isInteger(places) && places % 2 !== 0
  if (!tie) return Number(value.toFixed(digits))
  return (2 * Math.round((value * 10 ** digits) / 2)) / 10 ** digits
}
