import { rangeOf } from '../../basics/metrics.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { tost } from '../../math/statistics/cr2.ts'
import { mean, median, type Alternative } from '../../math/statistics/descriptive.ts'
import { smallestDifference } from '../../math/statistics/power.ts'
import type { Manifest, MethodRecord, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { runOfRow } from '../synthetic.ts'
import type { Scores } from '../table/gather-scores.ts'
import { alpha, differenceOf, testOf, usualPower, type Difference, type Testing } from './compare-pair.ts'
import { comparedMetric, type ComparedMetric, isRow, pairsAmong, rowsToCompare } from './rows-to-compare.ts'

/** What a comparison reads of a manifest. */
type ComparedRun = Pick<Manifest, 'methods' | 'scorers' | 'compare' | 'seed' | 'series'>

/** A row under its letter; `values` are its scores of the compared questions. */
interface Side extends ScoredRow {
  readonly letter: string
  readonly values: readonly number[]
}

/**
 * Compares the rows within the budget as the manifest says: each with the baseline, which may be a reference row, or
 * all pairs, on the metric named or the first that the table shows (specification of statistics, section 3). McNemar's
 * exact test where scores are 0 or 1 and questions independent, else sign flips of cluster sums; Holm over the pairs. A
 * text says why rows are not compared; undefined where there are no two.
 */
export function compareRows(
  manifest: ComparedRun,
  scores: Pick<Scores, 'cells' | 'questions' | 'byQuestion' | 'failedQuestions'>,
): RowComparison | string | undefined {
  const { baseline, alternative = 'two-sided', margin } = manifest.compare ?? {}
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
  const found = all.filter((one) => one.scores.size > 0)
  const base = found.find(({ row }) => baseline && isRow(row, baseline))
  if (baseline && !base) return `the row ${rowName(baseline)}, with which to compare, has no score of ${metric}`
  if (found.length < 2) return `fewer than two rows have a score of ${metric}`
  if (!scoredAlike(manifest, scorer.scorer, found))
    return `the runs do not score alike: the scorer ${scorer.scorer} has other options, another version or another judge in some of them`
  const asked = found.flatMap((one) => [...one.scores.keys(), ...one.failed])
  const seen = [...new Set(asked)].sort((a, b) => a - b)
  const common = seen.filter((question) => found.every((one) => one.scores.has(question)))
  if (common.length === 0) return `no question has a score of ${metric} in every row`

  const sides = found.map((one, index): Side => ({
    ...one,
    letter: letterOf(index),
    values: common.map((question) => one.scores.get(question) ?? NaN),
  }))
  const clusters = common.map((question) => scores.questions.clusterOf(question))
  const values = sides.map((side) => side.values)
  const testing = { ...testOf(values, clusters), seed: manifest.seed, alternative }
  const tested = pairsAmong(
    sides,
    sides.find(({ row }) => row === base?.row),
  ).map(([a, b]) => ({
    ...{ a: a.letter, b: b.letter },
    ...differenceOf(a.values, b.values, testing),
    bounds: differenceBounds(a, b, common, rangeOf(metric, scorer.ranges)),
  }))
  const differences = tested.map(({ difference }) => difference)
  const groups = new Set(clusters).size
  const adjusted = holm(differences.map(({ p }) => p))
  const same = margin === undefined ? [] : equivalences(differences, groups, margin)
  const unscored = all.filter((one) => one.scores.size === 0 && one.failed.size > 0).map(({ row }) => rowName(row))
  const pairs = tested.map(({ a, b, difference, bounds }, i): Pair => {
    const equivalence = same[i]
    return { a, b, ...difference, pAdjusted: adjusted[i] ?? 1, ...bounds, ...(equivalence && { equivalence }) }
  })
  return {
    ...{ scorer: scorer.scorer, metric, alpha },
    baseline: sides.find(({ row }) => row === base?.row)?.letter ?? null,
    ...{ alternative, margin: margin ?? null },
    ...{ questions: common.length, clusters: groups, dropped: seen.length - common.length },
    ...(unscored.length > 0 && { unscored }),
    rows: sides.map(({ row: { method, variant }, letter, values: own }) => ({
      ...{ method, variant, letter },
      mean: mean(own),
      better: pairs.flatMap((pair) => betterThan(letter, pair)),
    })),
    pairs,
    smallestP: Math.min(1, pairs.length * Math.min(...tested.map(({ smallestP }) => smallestP))),
    smallestDifference: detectable(differences, testing, alternative === 'two-sided' ? alpha : 2 * alpha),
  }
}

interface ScoredRow extends RowScores {
  readonly row: MethodRecord
}

const scoresOf = (
  row: MethodRecord,
  { scorer, metric }: ComparedMetric,
  scores: Pick<Scores, 'byQuestion' | 'failedQuestions'>,
): ScoredRow => ({
  row,
  scores: new Map(scores.byQuestion(row.id, scorer.id, metric).map((one) => [one.question, one.mean])),
  failed: scores.failedQuestions(row.id, scorer.id),
})

/** Whether the scorer of a label is the same in the runs of all rows, which may be runs of a series. */
function scoredAlike(manifest: ComparedRun, label: string, rows: readonly ScoredRow[]): boolean {
  const idOf = ({ row }: ScoredRow) => runOfRow(manifest, row).scorers.find(({ scorer }) => scorer === label)?.id
  return new Set(rows.map(idOf)).size === 1
}

/** The tests of sameness of a family. */
function equivalences(
  differences: readonly Difference[],
  clusters: number,
  margin: number,
): readonly NonNullable<Pair['equivalence']>[] {
  const ps = differences.map(
    ({ difference, error }) => tost({ mean: difference, error: error ?? NaN, degrees: clusters - 1 }, margin).p,
  )
  const adjusted = holm(ps.map((p) => (Number.isNaN(p) ? 1 : p)))
  return ps.map((p, i) => (Number.isNaN(p) ? { p: null, pAdjusted: null } : { p, pAdjusted: adjusted[i] ?? 1 }))
}

/** The smallest difference that is detected, by the median error; null where no error is known. */
function detectable(differences: readonly Difference[], { clusters, step }: Testing, outside: number): number | null {
  const errors = differences.flatMap(({ error }) => error ?? [])
  const wanted = { alpha: outside, power: usualPower }
  return errors.length === 0 ? null : smallestDifference(median(errors), new Set(clusters).size, wanted, step)
}

/** a to z, then a2 to z2, … */
const letterOf = (index: number): string =>
  `${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : Math.floor(index / 26) + 1}`

/** The letter of the row that this one is better than in a pair, where the pair differs. */
function betterThan(letter: string, { a, b, difference, pAdjusted }: Pair): readonly string[] {
  if (pAdjusted > alpha) return []
  if (letter === a && difference > 0) return [b]
  return letter === b && difference < 0 ? [a] : []
}

/** Which rows of a table differ in one metric, on the questions that all of them have a score for. */
export interface RowComparison {
  readonly scorer: string
  readonly metric: string
  readonly alpha: number
  /** Letter of the row that every other row is compared with; null: all pairs are compared. */
  readonly baseline: string | null
  /** Of a row against the baseline. */
  readonly alternative: Alternative
  /** Rows within it count as the same, as a fraction; null where sameness is not tested. */
  readonly margin: number | null
  /** Questions that every row has a score for, and their clusters. */
  readonly questions: number
  readonly clusters: number
  /** Questions that not every row has a score for, those that failed in all of them among them. */
  readonly dropped: number
  /** Rows that would be compared if not every score of them had failed; absent where there is none. */
  readonly unscored?: readonly string[]
  readonly rows: readonly ComparedRow[]
  /** Those that are tested: the family of Holm's correction. */
  readonly pairs: readonly Pair[]
  /** The smallest p that a pair could have after Holm's correction; above alpha nothing can be concluded. */
  readonly smallestP: number
  /** The median over pairs of the difference that a test at alpha detects with a power of .8; null where not known. */
  readonly smallestDifference: number | null
}

export interface ComparedRow extends Row {
  readonly letter: string
  /** On the compared questions. */
  readonly mean: number
  /** Letters of the rows that it is better than, after Holm's correction. */
  readonly better: readonly string[]
}

/** The difference of two rows, `a` minus `b`; `b` is the baseline where there is one. */
export interface Pair extends Difference, DifferenceBounds {
  readonly a: string
  readonly b: string
  readonly pAdjusted: number
  /** The test of sameness (TOST), adjusted by Holm over the same family; null where the pair gives no error. */
  readonly equivalence?: { readonly p: number | null; readonly pAdjusted: number | null }
}

/** The difference if every question that failed lessened it most, and if each raised it most. */
interface DifferenceBounds {
  readonly least: number
  readonly greatest: number
}

/** A row's scores by question, and the questions of which one failed. */
interface RowScores {
  readonly scores: ReadonlyMap<number, number>
  readonly failed: ReadonlySet<number>
}

/**
 * Bounds of the mean of a - b over the compared questions and those that failed in one of the two rows, whose scores
 * may be anything from `least` to `greatest`. What a scorer declined is no failure, and is left out.
 */
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
