import { mcnemar } from '../../math/statistics/paired-tests.ts'
import { luckySide, pairLuck, type LuckySide, alpha, commonScores, testOf, untestedDifference } from './compare-pair.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { around } from '../../math/statistics/cr2.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { runOfRow } from '../synthetic.ts'
import type { Luck } from '../table/estimate.ts'
import type { Scores } from '../table/gather-scores.ts'
import { testFamily, type Interval, type SharedPair } from './compare-family.ts'
import { baselineIn, comparedMetric, type ComparedMetric, isRow, pairsAmong, rowsToCompare } from './rows-to-compare.ts'
import { betterThan, type DifferenceBounds, type Pair, type RowComparison } from './row-comparison.ts'
import { equivalences, testByT } from './t-tests.ts'

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
  const shared = family.flatMap((pair) => sharedOf(pair, sides, clusterOf))
  if (shared.length === 0) return `no question has a score of ${metric} in two of the rows`
  const tested = shared.some(({ isByT }) => isByT) ? familyByT(shared) : testFamily(shared, manifest.seed)
  const same = equivalences(
    shared.map(({ found }) => found),
    margin,
  )
  const one = shared.length === 1
  const pairs = tested.pairs.map(({ pair, p, pAdjusted, simultaneous }, i): Pair => {
    const { a, b, x, y, found, luck } = pair
    const exact = pair.binary && !tested.byT ? mcnemar(found.win, found.loss) : undefined
    const equivalence = same[i]
    return {
      a: letterOf(a),
      b: letterOf(b),
      ...found,
      ...within(range, found),
      test: exact ? 'McNemar' : tested.byT ? 't' : 'sign flips',
      p: exact?.p ?? p,
      ...(exact && { midP: exact.midP }),
      pAdjusted: one ? (exact?.p ?? p) : pAdjusted,
      simultaneous: within(range, one ? found : simultaneous),
      questions: x.length,
      clusters: new Set(pair.clusters).size,
      means: { a: mean(x), b: mean(y) },
      ...differenceBounds(pair.first, pair.second, pair.questions, range),
      ...(equivalence && { equivalence }),
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

/** Two rows on the questions that both have a score for; none where there is no such question. */
function sharedOf(
  [first, second]: readonly [ScoredRow, ScoredRow],
  sides: readonly ScoredRow[],
  clusterOf: (question: number) => string | number,
): readonly ComparedQuestions[] {
  const { questions, x, y, clusters } = commonScores(first.scores, second.scores, clusterOf)
  if (questions.length === 0) return []
  const testing = testOf([x, y], clusters)
  const [a, b] = [sides.indexOf(first), sides.indexOf(second)]
  const isWhole = questions.length === first.scores.size && questions.length === second.scores.size
  const indexes = pairLuck(first, second, questions, clusterOf)
  return [
    {
      a,
      b,
      first,
      second,
      x,
      y,
      ...testing,
      // shifted differences of right and wrong answers keep a variance that larger true ones would not
      ...(testing.binary && { step: 1 / x.length }),
      questions,
      isByT: indexes?.known !== undefined,
      ...(indexes && { luck: indexes.luck }),
      ...(isWhole && { whole: { a, b } }),
      found: { ...untestedDifference(x, y, testing), ...indexes?.known },
    },
  ]
}

interface ComparedQuestions extends SharedPair {
  readonly a: number
  readonly b: number
  readonly first: ScoredRow
  readonly second: ScoredRow
  readonly questions: readonly number[]
  readonly binary: boolean
  readonly found: ReturnType<typeof untestedDifference>
  readonly luck?: Luck
  /** Whether the error holds the luck of indexes. */
  readonly isByT: boolean
}

/** As the test is: not Newcombe's, which other tests of right and wrong answers have. */
const intervalByT = ({ difference, error, degrees }: ComparedQuestions['found']): Partial<Interval> =>
  error === null || degrees === null ? {} : around(difference, { error, degrees })

/** All pairs by Student's t, in the form of a family that is tested by sign flips. */
function familyByT(pairs: readonly ComparedQuestions[]) {
  const { pairs: tested, smallestDifference } = testByT(pairs.map(({ found }) => found))
  // so few say their luck so badly that what is promised is found in 7 of 10 runs, not in 8
  const isKnown = pairs.every(({ isByT, luck }) => !isByT || (luck !== undefined && luck.indexes >= 10))
  const unknown = { p: 1, pAdjusted: 1, simultaneous: { low: null, high: null } }
  return {
    pairs: pairs.map((pair, i) => ({
      pair: { ...pair, found: { ...pair.found, ...intervalByT(pair.found) } },
      ...(tested[i] ?? unknown),
    })),
    smallestDifference: isKnown ? smallestDifference : null,
    smallestP: 0,
    byT: true,
  }
}

/** An interval cut at the ends of a difference of two means, which no difference can pass. */
function within([least, greatest]: readonly [number, number], { low, high }: Interval): Interval {
  const reach = greatest - least
  if (low === null || high === null || !Number.isFinite(reach)) return { low, high }
  return { low: Math.max(low, -reach), high: Math.min(high, reach) }
}

interface ScoredRow extends RowScores, LuckySide {
  readonly row: MethodRecord
}

const scoresOf = (
  row: MethodRecord,
  { scorer, metric }: ComparedMetric,
  scores: Pick<Scores, 'byQuestion' | 'failedQuestions' | 'hasOwnIndexes'>,
): ScoredRow => ({
  row,
  ...luckySide(scores.byQuestion(row.id, scorer.id, metric), scores.hasOwnIndexes(row.id)),
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

/** A row's scores by question, and the questions of which one failed. */
interface RowScores {
  readonly scores: ReadonlyMap<number, number>
  readonly failed: ReadonlySet<number>
}

/** Bounds of the mean of a - b where questions that failed in a row may have any score; those declined are left out. */
function differenceBounds(
  a: RowScores,
  b: RowScores,
  compared: readonly number[],
  [least, greatest]: readonly [number, number],
): DifferenceBounds {
  const wasAsked = ({ scores, failed }: RowScores, question: number): boolean =>
    scores.has(question) || failed.has(question)
  const lost = [...new Set([...a.failed, ...b.failed])].filter(
    (question) => !(a.scores.has(question) && b.scores.has(question)) && wasAsked(a, question) && wasAsked(b, question),
  )
  const questions = [...compared, ...lost]
  const mean = (ofA: number, ofB: number): number =>
    questions.reduce((sum, one) => sum + (a.scores.get(one) ?? ofA) - (b.scores.get(one) ?? ofB), 0) / questions.length
  return { least: mean(least, greatest), greatest: mean(greatest, least) }
}
