import { itemAt } from '../../basics/collections.ts'
import { cr2Difference } from '../../math/statistics/cr2.ts'
import { sum } from '../../math/statistics/descriptive.ts'
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
import { sharedPair } from '../compare/compare-pair.ts'
import type { ClusterOf, QuestionScores, ScoredRow } from '../gather/observations.ts'

/** The difference to detect, as a fraction, with level and power. */
interface TargetDifference extends TestDesign {
  readonly difference: number
}

/** Estimates from a pilot for a pair of rows. */
export type PairEstimate = Exclude<ReturnType<typeof pairEstimate>, string>

/** Common questions and clusters; Infinity (null in JSON) where no number suffices. */
export type Needed = ReturnType<PairEstimate['needed']>

/**
 * Estimates from common questions, or says why it cannot. Noise of repeats and judge runs is subtracted from the
 * variance between questions. Between-index variance is separate: more questions do not reduce it.
 */
export function pairEstimate(first: ScoredRow, second: ScoredRow, clusterOf: ClusterOf, target: TargetDifference) {
  const pair = sharedPair(first, second, clusterOf)
  if (!pair) return 'no question has a score in both rows'
  const { x, y, clusters: clusterNames, step, indexVariance, isByT } = pair
  const scoresOf = (row: ScoredRow, opponent: ScoredRow): NestedScores =>
    row
      .questions()
      .filter(({ question }) => opponent.scores.has(question))
      .map(valuesOf)
  const estimate = cr2Difference(x, y, clusterNames)
  const { n, clusters, mean: difference } = estimate
  if (clusters === 1) return `${clusters < n ? `one cluster of ${n} questions` : 'one question'} gives no variance`
  if (estimate.error === 0) return `no variance: the difference is the same on all ${n} questions`

  const rows = [scoresOf(first, second), scoresOf(second, first)] as const
  const noises = rows.map((scores) => ({ scores, noise: noiseWithin(scores) }))
  const perIndex = (indexVariance?.deviation ?? 0) ** 2
  const error = (isByT ? pair.estimate.error : null) ?? estimate.error
  const degrees = (isByT ? pair.estimate.degrees : null) ?? estimate.degrees
  const between =
    estimate.error ** 2 * n -
    sum(noises.map(({ scores, noise }) => noiseOfMeans(scores, noise))) +
    perIndex / (indexVariance?.indexes ?? 1)
  const varianceAt = (repeats: number, judgeRuns: number): number =>
    Math.max(0, between) +
    Math.max(0, sum(noises.map(({ noise }) => noiseAt(noise, repeats, judgeRuns))) - perIndex / repeats)
  const size = n / clusters
  const reach = Math.max(0, target.difference - step) / error
  const isTooFew = clusters < fewestUnits(target)
  const units = isByT ? degrees + 1 : clusters
  const components = isByT && crossedOf(rows)
  return {
    questions: n,
    clusters,
    difference,
    error,
    repeats: Math.max(...rows.flat().map(({ length }) => length)),
    judgeRuns: Math.max(...rows.flat(2).map(({ length }) => length)),
    // minimum detectable difference; null where no test can reach alpha with so few clusters
    smallestDifference: isTooFew ? null : smallestDifference(error, degrees, target, step),
    // of the pilot, for the target difference
    power: isTooFew ? 0 : pairedTPower(units, reach / Math.sqrt(units), target.alpha),
    // of a question's difference; a negative estimate between questions counts as 0, null: a single repeat or run
    variance: {
      between,
      repeats: finiteOrNull(Math.max(0, sum(noises.map(({ noise }) => Math.max(0, noise.repeats))) - perIndex)),
      judgeRuns: finiteOrNull(sum(noises.map(({ noise }) => noise.judgeRuns))),
      ...(components && { crossed: components }),
    },
    ...(indexVariance && {
      luck: {
        ...indexVariance,
        // fewest indexes that detect the target
        needed: isByT ? Math.max(fewestIndexes, requiredIndexes(perIndex, target.difference, target)) : null,
      },
    }),
    /** Size that detects the target with so many repeats and judge runs. */
    needed(repeats: number, judgeRuns: number) {
      const ofCluster = varianceAt(repeats, judgeRuns) / size
      const indexNoise = { variance: perIndex / repeats, degrees: repeats - 1 }
      const enough = requiredUnits(ofCluster, target.difference, target, step * clusters, indexNoise)
      // whole clusters of mean size, without floating-point error
      return { clusters: enough, questions: Math.ceil(enough * size - 1e-9) }
    },
  }
}

/** Values by repeat and judge run. */
const valuesOf = ({ repeats }: QuestionScores) => repeats.map(({ values }) => values.map(({ value }) => value))

/** Crossed components of the difference, from complete questions. */
function crossedOf([first, second]: readonly [NestedScores, NestedScores]) {
  const tables = first.map((x, i) => {
    const y = itemAt(second, i)
    return x.map((runs, repeat) => runs.map((value, run) => value - (y[repeat]?.[run] ?? NaN)))
  })
  const shapeOf = (table: (typeof tables)[number]): string => table.map(({ length }) => length).join(' ')
  const most = tables.reduce((largest, table) => (table.flat().length > largest.flat().length ? table : largest), [[]])
  const complete = tables.filter((table) => shapeOf(table) === shapeOf(most) && !table.flat().some(Number.isNaN))
  return complete.length < 2 || (most[0]?.length ?? 0) < 2 ? undefined : crossedComponents(complete).components
}

const finiteOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value)
