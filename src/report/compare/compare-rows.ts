import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { runOfRow } from '../synthetic.ts'
import type { Scores } from '../table/gather-scores.ts'
import { testPairs, type Interval } from './compare-family.ts'
import { alpha, scoredSide, sharedPair, type ScoredSide } from './compare-pair.ts'
import { baselineIn, comparedMetric, type ComparedMetric, isRow, pairsAmong, rowsToCompare } from './rows-to-compare.ts'
import { betterThan, type DifferenceBounds, type Pair, type RowComparison } from './row-comparison.ts'
import { equivalences } from './t-tests.ts'

type ComparedRun = Pick<Manifest, 'methods' | 'scorers' | 'compare' | 'seed' | 'series' | 'varied'>

/**
 * Compares rows within the budget as the manifest says, with the baseline or all pairs (specification of statistics,
 * sections 3 and 7): McNemar's exact test for scores of 0 or 1 without clusters, else sign flips of cluster sums,
 * several pairs by Westfall and Young's max-T; with the luck of three indexes in an error Student's t and Holm. A text
 * says why not; undefined for fewer than two rows.
 */
export function compareRows(
  manifest: ComparedRun,
  scores: Pick<Scores, 'cells' | 'questions' | 'byQuestion' | 'failedQuestions' | 'hasOwnIndexes'>,
): RowComparison | string | undefined {
  const { margin = null } = manifest.compare ?? {}
  const baseline = baselineIn(manifest)
  const rows = rowsToCompare(manifest)
  if (rows.length < 2 && !baseline) return undefined
  const chosen = comparedMetric(manifest, scores.cells)
  if (!chosen)
    return (
      manifest.compare?.metric &&
      `no scorer gives ${manifest.compare.metric.metric} as a metric of which more is better`
    )
  const { scorer, metric } = chosen
  const all = rows.map((row) => scoresOf(row, chosen, scores))
  const sides = all.filter((one) => one.scores.size > 0)
  const base = sides.find(({ row }) => baseline && isRow(row, baseline))
  if (baseline && !base) return `the row ${rowName(baseline)}, with which to compare, has no score of ${metric}`
  if (sides.length < 2) return `fewer than two rows have a score of ${metric}`
  if (!scoredAlike(manifest, scorer.scorer, sides))
    return `the runs do not score alike: the scorer ${scorer.scorer} has other options, another version or another judge in some of them`

  const range = rangeOf(metric, scorer.ranges)
  const { clusterOf } = scores.questions
  const family = pairsAmong(sides, base)
  const shared = family.flatMap((pair) => pairOf(pair, sides, clusterOf))
  if (shared.length === 0) return `no question has a score of ${metric} in two of the rows`
  const tested = testPairs(shared, manifest.seed)
  const same = equivalences(
    shared.map(({ estimate }) => estimate),
    margin,
  )
  const pairs = shared.map(({ a, b, first, second, x, y, luck, ...pair }, i): Pair => {
    const { test, p, midP, pAdjusted, simultaneous, ...difference } = itemAt(tested.pairs, i)
    return {
      a: letterOf(a),
      b: letterOf(b),
      ...difference,
      ...within(range, difference),
      test,
      p,
      ...(midP !== undefined && { midP }),
      pAdjusted,
      simultaneous: within(range, simultaneous),
      questions: x.length,
      clusters: new Set(pair.clusters).size,
      means: { a: mean(x), b: mean(y) },
      ...differenceBounds(first, second, pair.questions, range),
      ...(same[i] && { equivalence: same[i] }),
      ...(luck && { luck }),
    }
  })
  const counts = pairs.map(({ questions }) => questions)
  const most = pairs.reduce((one, other) => (other.questions > one.questions ? other : one))
  const unscored = all.filter((one) => one.scores.size === 0 && one.failed.size > 0).map(({ row }) => rowName(row))
  return {
    scorer: scorer.scorer,
    metric,
    alpha,
    baseline: base ? letterOf(sides.indexOf(base)) : null,
    alternative: 'two-sided',
    margin,
    questions: most.questions,
    clusters: most.clusters,
    fewest: Math.min(...counts),
    ...(family.length > shared.length && { apart: family.length - shared.length }),
    ...(unscored.length > 0 && { unscored }),
    rows: sides.map(({ row: { method, variant }, scores: own }, index) => ({
      method,
      variant,
      letter: letterOf(index),
      mean: mean([...own.values()]),
      questions: own.size,
      better: pairs.flatMap((pair) => betterThan(letterOf(index), pair, alpha)),
    })),
    pairs,
    smallestP: tested.smallestP,
    smallestDifference: tested.smallestDifference,
  }
}

/** Two rows, by their numbers, on the questions of both; none where there is no such question. */
function pairOf(
  [first, second]: readonly [ScoredRow, ScoredRow],
  sides: readonly ScoredRow[],
  clusterOf: (question: number) => string | number,
) {
  const shared = sharedPair(first, second, clusterOf)
  if (!shared) return []
  const [a, b] = [sides.indexOf(first), sides.indexOf(second)]
  const count = shared.questions.length
  const isWhole = count === first.scores.size && count === second.scores.size
  return [{ a, b, first, second, ...shared, ...(isWhole && { whole: { a, b } }) }]
}

/** An interval cut at the ends of a difference of two means, which no difference can pass. */
function within([least, greatest]: readonly [number, number], { low, high }: Interval): Interval {
  const reach = greatest - least
  if (low === null || high === null || !Number.isFinite(reach)) return { low, high }
  return { low: Math.max(low, -reach), high: Math.min(high, reach) }
}

interface ScoredRow extends ScoredSide {
  readonly failed: ReadonlySet<number>
  readonly row: MethodRecord
}

const scoresOf = (
  row: MethodRecord,
  { scorer, metric }: ComparedMetric,
  scores: Pick<Scores, 'byQuestion' | 'failedQuestions' | 'hasOwnIndexes'>,
): ScoredRow => ({
  row,
  ...scoredSide(scores.byQuestion(row.id, scorer.id, metric), scores.hasOwnIndexes(row.id)),
  failed: scores.failedQuestions(row.id, scorer.id),
})

/** Whether the scorer of a label is the same in the runs of all rows, which may be runs of a series. */
function scoredAlike(manifest: ComparedRun, label: string, rows: readonly ScoredRow[]): boolean {
  const idOf = ({ row }: ScoredRow) => runOfRow(manifest, row).scorers.find(({ scorer }) => scorer === label)?.id
  return new Set(rows.map(idOf)).size === 1
}

/** a to z, then a2 to z2, … */
const letterOf = (index: number): string =>
  `${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : Math.floor(index / 26) + 1}`

/** Bounds of the mean of a - b where questions that failed in a row may have any score; those declined are left out. */
function differenceBounds(
  a: ScoredRow,
  b: ScoredRow,
  compared: readonly number[],
  [least, greatest]: readonly [number, number],
): DifferenceBounds {
  const wasAsked = ({ scores, failed }: ScoredRow, question: number): boolean =>
    scores.has(question) || failed.has(question)
  const lost = [...new Set([...a.failed, ...b.failed])].filter(
    (question) => !(a.scores.has(question) && b.scores.has(question)) && wasAsked(a, question) && wasAsked(b, question),
  )
  const questions = [...compared, ...lost]
  const mean = (ofA: number, ofB: number): number =>
    questions.reduce((sum, one) => sum + (a.scores.get(one) ?? ofA) - (b.scores.get(one) ?? ofB), 0) / questions.length
  return { least: mean(least, greatest), greatest: mean(greatest, least) }
}
