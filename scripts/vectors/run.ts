import { messageOf } from '../../src/errors.ts'
import { differencesFrom, notOurs, type Difference, type Raised } from './compare.ts'
import type { Case } from './read.ts'

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
