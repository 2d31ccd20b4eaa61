import { groupBy, itemAt } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { cr2Difference } from '../../math/statistics/cr2.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import {
  fewestUnits,
  noiseAt,
  noiseOfMeans,
  noiseWithin,
  pairedTPower,
  requiredIndexes,
  requiredUnits,
  smallestDifference,
  type NestedScores,
} from '../../math/statistics/power.ts'
import { crossedComponents } from '../../math/statistics/variance-components.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { alpha, sharedPair, usualPower } from '../compare/compare-pair.ts'
import { baselineIn, comparedMetric, isRow, pairsAmong, rowsToCompare } from '../compare/rows-to-compare.ts'
import { finiteOrNull } from '../gather/estimate.ts'
import type { ClusterOf, ScoredRow } from '../gather/observations.ts'
import { gatherScores } from '../gather/scores.ts'
import { gatherTrials, type Journals } from '../gather/trials.ts'

/** Sizes of run that detect a difference. */
export type RunPower = Awaited<ReturnType<typeof runPower>>

/** A pair of row names with its estimate, or the reason for none. */
export type PairPower = RunPower['pairs'][number]

export type EstimatedPair = Extract<PairPower, { readonly reason: null }>

/**
 * Power of the pairs that the table compares, for a difference as a fraction. Throws UserError without two rows or a
 * metric.
 */
export async function runPower(manifest: Manifest, journals: Pick<Journals, 'trials' | 'scores'>, difference: number) {
  const baseline = baselineIn(manifest)
  const rows = rowsToCompare(manifest)
  if (rows.length < 2) throw new UserError('this run has fewer than two rows to compare')
  const scores = await gatherScores(manifest, journals.scores(), await gatherTrials(manifest, journals.trials()))
  const mainMetric = comparedMetric(manifest, scores.cells)
  if (!mainMetric) throw new UserError('no row has a score yet; let the run end first')
  const { scorer, metric, record } = mainMetric
  const pilotOf = ({ id }: MethodRecord) => scores.of(id, record.id, metric)
  const base = rows.find((row) => baseline && isRow(row, baseline))
  const pilots = pairsAmong(rows, base).map(([first, second]) => ({
    names: { a: rowName(first), b: rowName(second) },
    estimate: pairEstimate(pilotOf(first), pilotOf(second), scores.questions.clusterOf, difference),
  }))
  const estimates = pilots.flatMap(({ estimate }) => (typeof estimate === 'string' ? [] : [estimate]))
  const repeats = Math.max(1, ...estimates.map((estimate) => estimate.repeats))
  const judgeRuns = Math.max(1, ...estimates.map((estimate) => estimate.judgeRuns))
  const pairs = pilots.map(({ names, estimate }) =>
    typeof estimate === 'string'
      ? { ...names, reason: estimate }
      : { ...estimate, ...names, reason: null, needed: estimate.needed(repeats, judgeRuns) },
  )
  const [most] = pairs
    .flatMap((pair) => (pair.reason === null ? [pair] : []))
    .sort((x, y) => y.needed.questions - x.needed.questions)
  return {
    difference,
    scorer,
    metric,
    // of the pilot
    repeats,
    judgeRuns,
    pairs,
    // the pair with most required questions at the pilot's repeats and judge runs; null without an estimate
    needsMost: most ? ([most.a, most.b] as const) : null,
    // alternatives that detect the difference in every pair
    plans: plansFor(estimates, { repeats, judgeRuns }),
  }
}

/** Trades questions for repeats, where the pilot estimates their variance. */
function plansFor(pairs: readonly PairEstimate[], pilot: Readonly<Record<'repeats' | 'judgeRuns', number>>) {
  // tables with fewer than three indexes do not test between-index variance
  const candidates = pairs.some(({ luck }) => luck?.needed != null) ? [3, 5, 10, 20] : [1, 2, 3, 5]
  const isVarianceKnown = pairs.every(({ variance }) => variance.repeats !== null)
  const counts = new Set(isVarianceKnown ? [...candidates, pilot.repeats] : [pilot.repeats])
  return [...counts]
    .sort((x, y) => x - y)
    .flatMap((repeats) => {
      const needs = pairs.map((pair) => pair.needed(repeats, pilot.judgeRuns))
      const [most] = needs.sort((x, y) => y.questions - x.questions)
      return most && Number.isFinite(most.questions) ? [{ ...most, repeats }] : []
    })
}

type PairEstimate = Exclude<ReturnType<typeof pairEstimate>, string>

const design = { alpha, power: usualPower }

/**
 * Estimates from common questions, or says why it cannot. Noise of repeats and judge runs is subtracted from the
 * variance between questions. Between-index variance is separate: more questions do not reduce it.
 */
function pairEstimate(first: ScoredRow, second: ScoredRow, clusterOf: ClusterOf, target: number) {
  const pair = sharedPair(first, second, clusterOf)
  if (!pair) return 'no question has a score in both rows'
  const { step, indexVariance, isByT } = pair
  const plain = cr2Difference(pair.x, pair.y, pair.clusters)
  const { n, clusters } = plain
  if (n === 1) return 'one question gives no variance'
  if (clusters === 1) return `one cluster of ${n} questions gives no variance`
  if (plain.error === 0) return `no variance: the difference is the same on all ${n} questions`

  const rows = [nestedScores(first, second), nestedScores(second, first)] as const
  const noises = rows.map(noiseWithin)
  const perIndex = (indexVariance?.deviation ?? 0) ** 2
  const error = (isByT ? pair.estimate.error : null) ?? plain.error
  const degrees = (isByT ? pair.estimate.degrees : null) ?? plain.degrees
  const noiseOfPilot = sum(noises.map((noise, i) => noiseOfMeans(itemAt(rows, i), noise)))
  const noiseOfRepeats = sum(noises.map(({ repeats }) => Math.max(0, repeats)))
  const between = plain.error ** 2 * n - noiseOfPilot + perIndex / (indexVariance?.indexes ?? 1)
  const size = n / clusters
  const reach = Math.max(0, target - step) / error
  const isTooFew = clusters < fewestUnits(design)
  const units = isByT ? degrees + 1 : clusters
  const components = isByT && crossedOf(rows)
  return {
    questions: n,
    clusters,
    difference: plain.mean,
    error,
    repeats: Math.max(...rows.flat().map(({ length }) => length)),
    judgeRuns: Math.max(...rows.flat(2).map(({ length }) => length)),
    // minimum detectable difference; null where no test can reach alpha with so few clusters
    smallestDifference: isTooFew ? null : smallestDifference(error, degrees, design, step),
    // of the pilot, for the target difference
    power: isTooFew ? 0 : pairedTPower(units, reach / Math.sqrt(units), alpha),
    // of a question's difference; a negative estimate between questions counts as 0, null: a single repeat or run
    variance: {
      between,
      repeats: finiteOrNull(Math.max(0, noiseOfRepeats - perIndex)),
      judgeRuns: finiteOrNull(sum(noises.map(({ judgeRuns }) => judgeRuns))),
      ...(components && { crossed: components }),
    },
    ...(indexVariance && {
      luck: {
        ...indexVariance,
        // fewest indexes that detect the target
        needed: isByT ? Math.max(fewestIndexes, requiredIndexes(perIndex, target, design)) : null,
      },
    }),
    /** Size that detects the target with so many repeats and judge runs; Infinity (null in JSON) for none. */
    needed(repeats: number, judgeRuns: number) {
      const noise = sum(noises.map((ofRow) => noiseAt(ofRow, repeats, judgeRuns))) - perIndex / repeats
      const ofCluster = (Math.max(0, between) + Math.max(0, noise)) / size
      const indexNoise = { variance: perIndex / repeats, degrees: repeats - 1 }
      const enough = requiredUnits(ofCluster, target, design, step * clusters, indexNoise)
      // whole clusters of mean size, without floating-point error
      return { clusters: enough, questions: Math.ceil(enough * size - 1e-9) }
    },
  }
}

/** Values of common questions by repeat and judge run. */
const nestedScores = (row: ScoredRow, opponent: ScoredRow): NestedScores =>
  row.questions().flatMap(({ question, values }) => {
    if (!opponent.scores.has(question)) return []
    const repeats = groupBy(values, ({ repeat }) => repeat)
    return [Array.from(repeats.values(), (runs) => runs.map(({ value }) => value))]
  })

/** Crossed components of the difference, from complete questions. */
function crossedOf([first, second]: readonly [NestedScores, NestedScores]) {
  const tables = first.map((x, i) => {
    const y = itemAt(second, i)
    return x.map((runs, repeat) => runs.map((value, run) => value - (y[repeat]?.[run] ?? NaN)))
  })
  const shapeOf = (table: (typeof tables)[number]) => table.map(({ length }) => length).join(' ')
  const sizeOf = (table: (typeof tables)[number]) => table.flat().length
  const most = tables.reduce((largest, table) => (sizeOf(table) > sizeOf(largest) ? table : largest), [[]])
  const complete = tables
    .filter((table) => shapeOf(table) === shapeOf(most))
    .filter((table) => !table.flat().some(Number.isNaN))
  if (complete.length < 2 || (most[0]?.length ?? 0) < 2) return undefined
  return crossedComponents(complete).components
}
