import { itemAt } from '../../basics/collections.ts'
import { mean, rounding } from '../../math/statistics/descriptive.ts'
import { rowName } from '../../text/names.ts'
import type { AcrossRuns, ComparedRunScores } from './across-runs.ts'
import type { RowComparison } from './row-comparison.ts'

/** Whether one row stays above the others from run to run. */
export interface Stability {
  readonly leader: string
  /** Why it is: the baseline of all runs, else the highest mean, or where metrics differ the best mean rank. */
  readonly leaderBy: 'baseline' | 'mean' | 'rank'
  /** In the order of their mean ranks. */
  readonly others: readonly BesideLeader[]
  /** Runs whose tests cannot find any difference, or that make none. */
  readonly untested: number
  /** The keys that the runs vary, the one that turns the largest share of its cases first. */
  readonly keys: readonly TurningKey[]
}

/** How the leader stands to another row. */
export interface BesideLeader {
  readonly row: string
  /** Runs in which the leader is above it, equal to it and below it. */
  readonly above: number
  readonly level: number
  readonly below: number
  /** By run, by the test of its own table with its correction: 1 leader above, -1 leader below, 0 not shown. */
  readonly shown: readonly (-1 | 0 | 1)[]
}

/** A varied key. A case is two runs that differ in this key alone, and a row beside the leader. */
interface TurningKey {
  readonly option: string
  /** Cases in which the leader is above the row in one of the two runs and below it in the other. */
  readonly turned: number
  readonly cases: number
}

/** `runs` are those that `across` compares, in the same order. */
export function stabilityOf(across: AcrossRuns, runs: readonly ComparedRunScores[]): Stability {
  const tests = runs.map((run) => run.comparison())
  const baseline = commonBaseline(across, tests)
  const isOneMetric = new Set(across.metrics).size === 1
  const leader = baseline ?? (isOneMetric ? highestRow(across) : itemAt(across.rows, 0).row)
  const others = across.rows.flatMap(({ row }) => (row === leader ? [] : [besideLeader(across, leader, row)]))
  const shownOf = (row: string): BesideLeader['shown'] =>
    tests.map((test) => (isShown(test, leader, row) ? 1 : isShown(test, row, leader) ? -1 : 0))
  return {
    ...{ leader, leaderBy: baseline !== undefined ? 'baseline' : isOneMetric ? 'mean' : 'rank' },
    others: others.map(({ row, signs }) => ({
      ...{ row, above: countOf(signs, 1), level: countOf(signs, 0), below: countOf(signs, -1), shown: shownOf(row) },
    })),
    untested: tests.filter((test) => !test || test.smallestP > test.alpha).length,
    keys: turningKeys(
      runs,
      others.map(({ signs }) => signs),
    ),
  }
}

/** The row that all runs have as their baseline, where every run has it. */
function commonBaseline({ rows }: AcrossRuns, tests: readonly (RowComparison | undefined)[]): string | undefined {
  const names = tests.map((test) => {
    const base = test?.rows.find(({ letter }) => letter === test.baseline)
    return base && rowName(base)
  })
  const [first] = names
  return names.every((name) => name === first) && rows.some(({ row }) => row === first) ? first : undefined
}

/** Of equal means the best ranked. */
const highestRow = ({ rows }: AcrossRuns): string =>
  rows.reduce((one, other) => (mean(other.means) > mean(one.means) + rounding ? other : one)).row

/** By run, 1 where the leader's mean is above the row's, -1 where it is below, and 0 where they are equal. */
function besideLeader({ pairs }: AcrossRuns, leader: string, row: string) {
  const found = pairs.find(({ a, b }) => (a === leader && b === row) || (a === row && b === leader))
  if (!found) throw new Error(`no pair of ${leader} and ${row}`)
  const sign = found.a === leader ? 1 : -1
  return { row, signs: found.differences.map((one) => (Math.abs(one) <= rounding ? 0 : sign * Math.sign(one))) }
}

const countOf = (signs: readonly number[], sign: number): number => signs.filter((one) => one === sign).length

function isShown(test: RowComparison | undefined, above: string, below: string): boolean {
  const letter = test?.rows.find((row) => rowName(row) === below)?.letter
  const better = test?.rows.find((row) => rowName(row) === above)?.better ?? []
  return letter !== undefined && better.includes(letter)
}

/** Keys of which no two runs differ in this key alone are left out. */
function turningKeys(runs: readonly ComparedRunScores[], signs: readonly (readonly number[])[]): readonly TurningKey[] {
  const keys = new Map<string, { turned: number; cases: number }>()
  runs.forEach(({ varied }, i) => {
    for (let j = 0; j < i; j++) {
      const other = itemAt(runs, j).varied
      const differing = varied.filter(({ option, text }) => !other.some((o) => o.option === option && o.text === text))
      const [key, more] = differing
      if (!key || more || other.length !== varied.length) continue
      const count = keys.get(key.option) ?? { turned: 0, cases: 0 }
      count.cases += signs.length
      count.turned += signs.filter((own) => itemAt(own, i) * itemAt(own, j) < 0).length
      keys.set(key.option, count)
    }
  })
  return [...keys]
    .map(([option, count]) => ({ option, ...count }))
    .sort((a, b) => b.turned / b.cases - a.turned / a.cases)
}
