import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { messageOf } from '../errors.ts'

/** The folder of the golden vectors: the copy in `vectors/`, or what `npm run vectors` names in GEMBENCH_VECTORS. */
export const vectorsFolder = process.env['GEMBENCH_VECTORS'] ?? fileURLToPath(new URL('vectors', import.meta.url))

/** One input and what a reference implementation made of it; numbers may differ by `tol`, or 1e-12. */
export interface GoldenCase {
  readonly id: string
  readonly metric: string
  readonly input: unknown
  readonly expected: unknown
  readonly tol?: number
}

/**
 * Calls our functions on the input of a case, whose shape its metric fixes, and names the results as the vectors do.
 * What is expected is for those that name a range, within which any result is as good.
 */
export type Replay = (input: never, expected: never) => unknown

/** What stands for a result, or a part of one, that the project does not have. */
export const notOurs = Symbol('not ours')

/** The cases of every file of the folder. */
const casesOfFolder = (): readonly GoldenCase[] =>
  readdirSync(vectorsFolder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const content = JSON.parse(readFileSync(join(vectorsFolder, name), 'utf8')) as { readonly cases?: GoldenCase[] }
      return content.cases ?? []
    })

/** A test for every case of the metrics of a table; each metric must have some. */
export function replayGolden(table: Readonly<Record<string, Replay>>, cases = casesOfFolder()): void {
  describe.each(Object.entries(table))('%s', (metric, replay) => {
    const matches = cases.filter((testCase) => testCase.metric === metric)
    if (matches.length === 0) throw new Error(`no case of ${metric} in ${vectorsFolder}`)
    test.for(matches)('$id', async ({ input, expected, tol }, { skip }) => {
      const got = await outcomeOf(() => (replay as (input: unknown, expected: unknown) => unknown)(input, expected))
      if (got === notOurs) skip('a setting of the reference that is not offered')
      expect(differencesFrom(expected, got, tol ?? 1e-12)).toEqual([])
    })
  })
}

/** What an implementation gives where it refuses: a reference's error matches any of ours. */
interface Raised {
  readonly error: string
}

const outcomeOf = async (make: () => unknown): Promise<unknown> => {
  try {
    return await make()
  } catch (error) {
    return { error: messageOf(error) }
  }
}

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

/** Every expected field that differs. What is got may hold more fields; numbers may differ by `tolerance`. */
export function differencesFrom(expected: unknown, got: unknown, tolerance: number, path = '$'): Difference[] {
  if (got === notOurs) return []
  const different = [{ path, expected: shortText(expected), got: shortText(got) }]
  if (isRecord(expected) && 'error' in expected) return hasRaised(got) ? [] : different
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
  return isSame(expected, got, tolerance) ? [] : different
}

function isSame(expected: unknown, got: unknown, tolerance: number): boolean {
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
function hasRaised(got: unknown): boolean {
  if (!isRecord(got)) return false
  const parts = Object.values(got)
  return 'error' in got || (parts.length > 0 && parts.every(hasRaised))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shortText = (value: unknown): string =>
  typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value)

/** Python's round(value, digits): the decimal nearest to the exact binary value; of two equally near ones the even. */
export function pythonRound(value: number, digits: number): number {
  // a tie has no more than digits + 1 binary places, so this product is exact
  const places = value * 2 ** (digits + 1)
  const tie = Number.isInteger(places) && places % 2 !== 0
  if (!tie) return Number(value.toFixed(digits))
  return (2 * Math.round((value * 10 ** digits) / 2)) / 10 ** digits
}
