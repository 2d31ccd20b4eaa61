import { itemAt, valueOf } from '../../basics/collections.ts'
import { cr2Difference } from '../../math/statistics/cr2.ts'
import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import {
  fewestUnits,
  smallestDifference,
  requiredUnits,
  type TestDesign,
  pairedTPower,
  noiseAt,
  noiseOfMeans,
  noiseWithin,
  type NestedScores,
  requiredIndexes,
} from '../../math/statistics/power.ts'
import { crossedComponents } from '../../math/statistics/variance-components.ts'
import { scoredSide, sharedPair } from '../compare/compare-pair.ts'
import { type Luck, type QuestionScores } from '../table/estimate.ts'

/** A difference to find, as a fraction, and how surely. */
interface DifferenceWanted extends TestDesign {
  readonly difference: number
}

/** Questions with a score in both rows, and their clusters; Infinity (null in JSON): no number would do. */
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
    /** Crossed components, where three or more indexes and two or more judge runs are balanced; else absent. */
    readonly crossed?: ReturnType<typeof crossedComponents>['components']
  }
  /** Where a row of the pilot has several indexes: how lucky one is, and the fewest to find the difference. */
  readonly luck?: Luck & { readonly needed: number | null }
  /** What the difference wanted needs with so many repeats and judge runs. */
  readonly needed: (repeats: number, judgeRuns: number) => Needed
}

/**
 * Estimates from the questions of both rows, or says why not. The noise of repeats and judge runs is taken from the
 * variance, the rest is between questions; the luck of indexes is apart: no number of questions lessens it.
 */
export function pairEstimate(
  first: PilotRow,
  second: PilotRow,
  clusterOf: (question: number) => string | number,
  wanted: DifferenceWanted,
): PairEstimate | string {
  const shared = sharedPair(
    scoredSide(first.scores, first.hasOwnIndexes),
    scoredSide(second.scores, second.hasOwnIndexes),
    clusterOf,
  )
  if (!shared) return 'no question has a score in both rows'
  const { questions, x, y, clusters: clusterNames, step, luck, isByT } = shared
  const scoresOf = ({ scores: all }: PilotRow): readonly QuestionScores[] => {
    const byQuestion = new Map(all.map((one) => [one.question, one]))
    return questions.map((question) => valueOf(byQuestion, question))
  }
  const rows = [scoresOf(first), scoresOf(second)] as const
  const found = cr2Difference(x, y, clusterNames)
  const { n, clusters, mean: difference } = found
  if (n === 1) return 'one question says nothing of how others differ'
  if (clusters === 1) return `one cluster of ${n} questions says nothing of how others differ`
  if (found.error === 0)
    return difference === 0
      ? `no variance: both rows have the same score on each of ${n} questions`
      : `no variance: all ${n} questions differ alike`

  const scores = rows.map((row): NestedScores => row.map(gridOf))
  const noises = scores.map((row) => ({ row, noise: noiseWithin(row) }))
  const ofIndex = (luck?.deviation ?? 0) ** 2
  const error = (isByT ? shared.estimate.error : null) ?? found.error
  const degrees = (isByT ? shared.estimate.degrees : null) ?? found.degrees
  const between =
    found.error ** 2 * n -
    total(noises.map(({ row, noise }) => noiseOfMeans(row, noise))) +
    ofIndex / (luck?.indexes ?? 1)
  const varianceAt = (repeats: number, judgeRuns: number): number =>
    Math.max(0, between) +
    Math.max(0, total(noises.map(({ noise }) => noiseAt(noise, repeats, judgeRuns))) - ofIndex / repeats)
  const size = n / clusters
  const reach = Math.max(0, wanted.difference - step) / error
  const isTooFew = clusters < fewestUnits(wanted)
  const units = isByT ? degrees + 1 : clusters
  const crossed = isByT && crossedOf(rows)
  return {
    questions: n,
    clusters,
    difference,
    error,
    repeats: Math.max(...scores.flat().map(({ length }) => length)),
    judgeRuns: Math.max(...scores.flat(2).map(({ length }) => length)),
    smallestDifference: isTooFew ? null : smallestDifference(error, degrees, wanted, step),
    power: isTooFew ? 0 : pairedTPower(units, reach / Math.sqrt(units), wanted.alpha),
    variance: {
      between,
      repeats: known(Math.max(0, total(noises.map(({ noise }) => Math.max(0, noise.repeats))) - ofIndex)),
      judgeRuns: known(total(noises.map(({ noise }) => noise.judgeRuns))),
      ...(crossed && { crossed }),
    },
    ...(luck && {
      luck: {
        ...luck,
        needed: isByT ? Math.max(fewestIndexes, requiredIndexes(ofIndex, wanted.difference, wanted)) : null,
      },
    }),
    needed(repeats, judgeRuns) {
      const ofCluster = varianceAt(repeats, judgeRuns) / size
      const shared = { variance: ofIndex / repeats, degrees: repeats - 1 }
      const enough = requiredUnits(ofCluster, wanted.difference, wanted, step * clusters, shared)
      // of whole clusters of the mean size, without the rounding of their product
      return { clusters: enough, questions: Math.ceil(enough * size - 1e-9) }
    },
  }
}

/** A row of a pilot. */
export interface PilotRow {
  readonly scores: readonly QuestionScores[]
  readonly hasOwnIndexes: boolean
}

/** A question's values by repeat and judge run. */
const gridOf = ({ repeats }: QuestionScores) => repeats.map(({ values }) => values.map(({ value }) => value))

/** Crossed components of the difference, of the questions that have all repeats and judge runs in both rows. */
function crossedOf([first, second]: readonly [readonly QuestionScores[], readonly QuestionScores[]]) {
  const grids = first.map((one, i) => {
    const [x, y] = [gridOf(one), gridOf(itemAt(second, i))]
    return x.map((runs, repeat) => runs.map((value, run) => value - (y[repeat]?.[run] ?? NaN)))
  })
  const shapeOf = (grid: (typeof grids)[number]): string => grid.map(({ length }) => length).join(' ')
  const most = grids.reduce((one, grid) => (grid.flat().length > one.flat().length ? grid : one), [[]])
  const whole = grids.filter((grid) => shapeOf(grid) === shapeOf(most) && !grid.flat().some(Number.isNaN))
  return whole.length < 2 || (most[0]?.length ?? 0) < 2 ? undefined : crossedComponents(whole).components
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)
