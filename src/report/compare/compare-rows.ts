import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { rowName } from '../../text/names.ts'
import { runOfRow } from '../synthetic.ts'
import type { ScoredRow } from '../gather/observations.ts'
import type { Scores } from '../gather/scores.ts'
import { testPairs, type Interval } from './compare-family.ts'
import { alpha, sharedPair } from './compare-pair.ts'
import { baselineIn, comparedMetric, isRow, pairsAmong, rowsToCompare, type ComparedRun } from './rows-to-compare.ts'
import { betterThan, type DifferenceBounds, type Pair, type RowComparison } from './row-comparison.ts'
import { equivalences } from './t-tests.ts'

/**
 * Compares rows within the budget, with the baseline or in all pairs (specification of statistics, sections 3 and 7).
 * `testPairs` picks the test. Returns a text that says why rows cannot be compared; undefined for fewer than two rows.
 */
export function compareRows(
  manifest: ComparedRun,
  scores: Pick<Scores, 'cells' | 'questions' | 'of'>,
): RowComparison | string | undefined {
  const { margin = null, metric: metricOfConfig } = manifest.compare ?? {}
  const baseline = baselineIn(manifest)
  const rows = rowsToCompare(manifest)
  if (rows.length < 2 && !baseline) return undefined
  const mainMetric = comparedMetric(manifest, scores.cells)
  if (!mainMetric) return metricOfConfig && `no scorer has a metric ${metricOfConfig.metric} where higher is better`
  const { scorer, metric, record } = mainMetric
  const all = rows.map((row) => ({ row, ...scores.of(row.id, record.id, metric) }))
  const sides = all.filter((side) => side.scores.size > 0)
  const base = sides.find(({ row }) => baseline && isRow(row, baseline))
  if (baseline && !base) return `the baseline ${rowName(baseline)} has no score of ${metric}`
  if (sides.length < 2) return `fewer than two rows have a score of ${metric}`
  // rows may be of several runs of a series
  const scorerIds = sides.map(
    ({ row }) => runOfRow(manifest, row).scorers.find((candidate) => candidate.scorer === scorer)?.id,
  )
  if (new Set(scorerIds).size > 1) return `the scorer ${scorer} differs between the runs: in options, version or judge`

  const range = rangeOf(metric, record.ranges)
  const family = pairsAmong(sides, base)
  const sharedPairs = family.flatMap(([first, second]) => {
    const pair = sharedPair(first, second, scores.questions.clusterOf)
    const a = sides.indexOf(first)
    const b = sides.indexOf(second)
    const sharesAll = [first, second].every((side) => side.scores.size === pair?.questions.length)
    return pair ? [{ a, b, first, second, ...pair, ...(sharesAll && { rowNumbers: { a, b } }) }] : []
  })
  if (sharedPairs.length === 0) return `no two rows share a question with a score of ${metric}`
  const results = testPairs(sharedPairs, manifest.seed)
  const equivalenceTests = equivalences(results.pairs, margin)
  const pairs = sharedPairs.map(({ a, b, first, second, questions }, i): Pair => {
    const test = itemAt(results.pairs, i)
    return {
      a: letterOf(a),
      b: letterOf(b),
      ...test,
      ...within(range, test),
      simultaneous: within(range, test.simultaneous),
      ...differenceBounds(first, second, questions, range),
      ...(equivalenceTests[i] && { equivalence: equivalenceTests[i] }),
    }
  })
  const largestPair = pairs.reduce((largest, pair) => (pair.questions > largest.questions ? pair : largest))
  const unscoredRows = all
    .filter((side) => side.scores.size === 0 && side.failed.size > 0)
    .map(({ row }) => rowName(row))
  return {
    scorer,
    metric,
    alpha,
    baseline: base ? letterOf(sides.indexOf(base)) : null,
    margin,
    questions: largestPair.questions,
    clusters: largestPair.clusters,
    fewest: Math.min(...pairs.map(({ questions }) => questions)),
    ...(family.length > sharedPairs.length && { apart: family.length - sharedPairs.length }),
    ...(unscoredRows.length > 0 && { unscored: unscoredRows }),
    rows: sides.map(({ row: { method, variant }, scores: byQuestion }, index) => ({
      method,
      variant,
      letter: letterOf(index),
      mean: mean([...byQuestion.values()]),
      questions: byQuestion.size,
      better: pairs.flatMap((pair) => betterThan(letterOf(index), pair, alpha)),
    })),
    pairs,
    smallestP: results.smallestP,
    smallestDifference: results.smallestDifference,
  }
}

/** Clips an interval to the possible range of a difference. */
function within([least, greatest]: readonly [number, number], { low, high }: Interval): Interval {
  const reach = greatest - least
  if (low === null || high === null || !Number.isFinite(reach)) return { low, high }
  return { low: Math.max(low, -reach), high: Math.min(high, reach) }
}

/** a to z, then a2 to z2, … */
const letterOf = (index: number) =>
  `${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : Math.floor(index / 26) + 1}`

/** Bounds of the mean of a - b where failed questions may have any score; skipped ones are left out. */
function differenceBounds(
  a: ScoredRow,
  b: ScoredRow,
  sharedQuestions: readonly number[],
  [least, greatest]: readonly [number, number],
): DifferenceBounds {
  const failedQuestions = [...new Set([...a.failed, ...b.failed])].filter(
    (question) =>
      [a, b].some(({ scores }) => !scores.has(question)) &&
      [a, b].every(({ scores, failed }) => scores.has(question) || failed.has(question)),
  )
  const questions = [...sharedQuestions, ...failedQuestions]
  const mean = (ofA: number, ofB: number) => {
    let sum = 0
    for (const question of questions) {
      sum += a.scores.get(question) ?? ofA
      sum -= b.scores.get(question) ?? ofB
    }
    return sum / questions.length
  }
  return { least: mean(least, greatest), greatest: mean(greatest, least) }
}
