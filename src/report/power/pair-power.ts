import { cr2Difference } from '../../math/statistics/cr2.ts'
import { varianceFactors } from '../../math/statistics/distributions.ts'
import {
  fewestUnits,
  smallestDifference,
  unitsNeeded,
  type TestWanted,
  pairedTPower,
  noiseAt,
  noiseOfMeans,
  noiseWithin,
  type NestedScores,
} from '../../math/statistics/power.ts'
import { testOf } from '../compare/compare-pair.ts'
import type { QuestionScores } from '../table/estimate.ts'

/** A difference to find, as a fraction, and how surely. */
export interface DifferenceWanted extends TestWanted {
  readonly difference: number
}

/** Questions to score, and their clusters. */
export interface Needed {
  readonly questions: number
  readonly clusters: number
}

/** What a pilot says of the difference of two rows. */
export interface PairEstimate {
  readonly questions: number
  readonly clusters: number
  /** The most that a question has. */
  readonly repeats: number
  readonly judgeRuns: number
  readonly difference: number
  readonly error: number
  /** What was detected with the power wanted; null where no test could reach alpha with so many clusters. */
  readonly smallestDifference: number | null
  /** How often the pilot would have found the difference wanted. */
  readonly power: number
  /** Of the difference of a question; null where one repeat, or one judge run, says nothing of it. */
  readonly variance: {
    /** Between questions, with what clusters add; below 0 where repeats alone vary more: read as 0. */
    readonly between: number
    readonly repeats: number | null
    readonly judgeRuns: number | null
  }
  /** How many times the true variance may be that of the pilot: a 95 % interval by chi-squared. */
  readonly factors: readonly [least: number, most: number]
  /** What the difference wanted needs with so many repeats and judge runs, at `factor` times the pilot's variance. */
  readonly needed: (repeats: number, judgeRuns: number, factor?: number) => Needed
}

/**
 * Estimates from the questions that both rows have a score for; a text says why nothing can be estimated. The noise of
 * repeats and judge runs is taken from the variance of the differences, and what is left, clusters included, is between
 * questions.
 */
export function pairEstimate(
  first: readonly QuestionScores[],
  second: readonly QuestionScores[],
  clusterOf: (question: number) => string | number,
  wanted: DifferenceWanted,
): PairEstimate | string {
  const others = new Map(second.map((one) => [one.question, one]))
  const shared = first.flatMap((x) => {
    const y = others.get(x.question)
    return y ? [{ x, y, cluster: clusterOf(x.question) }] : []
  })
  if (shared.length === 0) return 'no question has a score in both rows'
  const rows = [shared.map(({ x }) => x), shared.map(({ y }) => y)] as const
  const [x, y] = [rows[0].map(({ mean }) => mean), rows[1].map(({ mean }) => mean)]
  const clusterNames = shared.map(({ cluster }) => cluster)
  const found = cr2Difference(x, y, clusterNames)
  const { n, clusters, mean: difference } = found
  if (n === 1) return 'one question says nothing of how others differ'
  if (clusters === 1) return `one cluster of ${n} questions says nothing of how others differ`
  const { error, degrees } = found
  if (error === 0)
    return difference === 0
      ? `no variance: both rows have the same score on each of ${n} questions`
      : `no variance: all ${n} questions differ alike`

  const { step } = testOf([x, y], clusterNames)
  const scores = rows.map((row): NestedScores =>
    row.map(({ repeats }) => repeats.map(({ values }) => values.map(({ value }) => value))),
  )
  const noises = scores.map((row) => ({ row, noise: noiseWithin(row) }))
  const between = error ** 2 * n - total(noises.map(({ row, noise }) => noiseOfMeans(row, noise)))
  const varianceAt = (repeats: number, judgeRuns: number): number =>
    Math.max(0, between) + total(noises.map(({ noise }) => noiseAt(noise, repeats, judgeRuns)))
  const size = n / clusters
  const reach = Math.max(0, wanted.difference - step) / error
  const isTooFew = clusters < fewestUnits(wanted)
  return {
    ...{ questions: n, clusters, difference, error },
    repeats: Math.max(...scores.flat().map(({ length }) => length)),
    judgeRuns: Math.max(...scores.flat(2).map(({ length }) => length)),
    smallestDifference: isTooFew ? null : smallestDifference(error, degrees, wanted, step),
    power: isTooFew ? 0 : pairedTPower(clusters, reach / Math.sqrt(clusters), wanted.alpha),
    variance: {
      between,
      repeats: known(total(noises.map(({ noise }) => Math.max(0, noise.repeats)))),
      judgeRuns: known(total(noises.map(({ noise }) => noise.judgeRuns))),
    },
    factors: varianceFactors(clusters - 1),
    needed(repeats, judgeRuns, factor = 1) {
      const ofCluster = (factor * varianceAt(repeats, judgeRuns)) / size
      const units = unitsNeeded(ofCluster, wanted.difference, wanted, step * clusters)
      // of whole clusters of the mean size, without the rounding of their product
      return { clusters: units, questions: Math.ceil(units * size - 1e-9) }
    },
  }
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)
