import { messageOf } from '../../src/errors.ts'
import { differencesFrom, type Difference, type Raised } from './compare.ts'
import type { Case } from './read.ts'

/** Calls our functions on the input of a case, whose shape its metric fixes, and names the results as the vectors do. */
export type Adapter = (input: never) => unknown

/** What came of the cases of a file; `skipped` holds the metric of each that was not run. */
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

/** Runs every case whose metric stands in the table. */
export const runCases = (cases: readonly Case[], table: Readonly<Record<string, Adapter>>): Tally =>
  cases.map((one) => runCase(one, table[one.metric])).reduce(add, nothing)

function runCase({ id, metric, input, expected, tol }: Case, adapter: Adapter | undefined): Tally {
  if (!adapter) return { ...nothing, skipped: [metric] }
  const differences = differencesFrom(
    expected,
    attempt(() => (adapter as (input: unknown) => unknown)(input)),
    tol,
  )
  return differences.length > 0 ? { ...nothing, failed: [{ id, differences }] } : { ...nothing, passed: 1 }
}

/** The result, or that there is none. */
export function attempt<T>(make: () => T): T | Raised {
  try {
    return make()
  } catch (error) {
    return { error: messageOf(error) }
  }
}
