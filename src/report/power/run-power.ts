import { UserError } from '../../errors.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'
import { baselineIn, comparedMetric, isRow, pairsAmong, rowsToCompare } from '../compare/rows-to-compare.ts'
import { gatherScores } from '../gather/scores.ts'
import { gatherTrials } from '../gather/trials.ts'
import type { Journals } from '../gather/trials.ts'
import { pairEstimate, type Needed, type PairEstimate } from './pair-power.ts'

/** A pair of row names with its estimate, or the reason for none. */
export type PairPower = { readonly a: string; readonly b: string } & (
  ({ readonly reason: null; readonly needed: Needed } & Omit<PairEstimate, 'needed'>) | { readonly reason: string }
)

export type EstimatedPair = Extract<PairPower, { readonly reason: null }>

export const isEstimated = (pair: PairPower): pair is EstimatedPair => pair.reason === null

interface RunSize {
  readonly repeats: number
  readonly judgeRuns: number
}

/** Sizes of run that detect a difference. `repeats` and `judgeRuns` are those of the pilot. */
export interface RunPower extends RunSize {
  /** Target difference, as a fraction. */
  readonly difference: number
  readonly scorer: string
  readonly metric: string
  /** Whether the scorer uses a judge. */
  readonly judged: boolean
  readonly pairs: readonly PairPower[]
  /** The pair with most required questions at the pilot's repeats and judge runs; null without an estimate. */
  readonly needsMost: readonly [string, string] | null
  /** Alternatives that detect the target in every pair. */
  readonly plans: readonly (Needed & RunSize)[]
}

/** Power of the pairs that the table compares. Throws UserError without two rows or a metric. */
export async function runPower(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  difference: number,
): Promise<RunPower> {
  const baseline = baselineIn(manifest)
  const rows = rowsToCompare(manifest)
  if (rows.length < 2) throw new UserError('this run has fewer than two rows to compare')
  const scores = await gatherScores(manifest, journals.scores(), await gatherTrials(manifest, journals.trials()))
  const mainMetric = comparedMetric(manifest, scores.cells)
  if (!mainMetric) throw new UserError('no row has a score yet; let the run end first')
  const { scorer, metric, record } = mainMetric
  const target = { difference, alpha, power: usualPower }
  const pilotOf = ({ id }: MethodRecord) => scores.of(id, record.id, metric)
  const base = rows.find((row) => baseline && isRow(row, baseline))
  const pairEstimates = pairsAmong(rows, base).map(([first, second]) => ({
    a: rowName(first),
    b: rowName(second),
    estimate: pairEstimate(pilotOf(first), pilotOf(second), scores.questions.clusterOf, target),
  }))

  const estimates = pairEstimates.flatMap(({ estimate }) => (typeof estimate === 'string' ? [] : [estimate]))
  const repeats = Math.max(1, ...estimates.map((estimate) => estimate.repeats))
  const judgeRuns = record.judge ? Math.max(1, ...estimates.map((estimate) => estimate.judgeRuns)) : manifest.judgeRuns
  const pairs = pairEstimates.map(({ a, b, estimate }): PairPower => {
    if (typeof estimate === 'string') return { a, b, reason: estimate }
    return { ...estimate, a, b, reason: null, needed: estimate.needed(repeats, judgeRuns) }
  })
  const most = pairs.filter(isEstimated).toSorted((x, y) => y.needed.questions - x.needed.questions)[0]
  return {
    difference,
    scorer,
    metric,
    judged: record.judge,
    repeats,
    judgeRuns,
    pairs,
    needsMost: most ? [most.a, most.b] : null,
    plans: plansFor(estimates, { repeats, judgeRuns }),
  }
}

/** Trades questions for repeats or judge runs, where the pilot estimates their variance. */
function plansFor(pairs: readonly PairEstimate[], pilot: RunSize): RunPower['plans'] {
  if (pairs.length === 0) return []
  const isKnown = (noise: 'repeats' | 'judgeRuns'): boolean => pairs.every(({ variance }) => variance[noise] !== null)
  const counts = (noise: 'repeats' | 'judgeRuns', candidates: readonly number[]): readonly number[] =>
    isKnown(noise) ? [...new Set([...candidates, pilot[noise]])].sort((x, y) => x - y) : [pilot[noise]]
  // tables with fewer than three indexes do not test between-index variance
  const hasIndexVariance = pairs.some(({ luck }) => luck?.needed != null)
  return counts('repeats', hasIndexVariance ? [3, 5, 10, 20] : [1, 2, 3, 5]).flatMap((repeats) =>
    counts('judgeRuns', [1, 2, 3]).flatMap((judgeRuns) => {
      const needs = pairs.map((pair) => pair.needed(repeats, judgeRuns))
      const most = needs.reduce((largest, need) => (need.questions > largest.questions ? need : largest))
      return Number.isFinite(most.questions) ? [{ ...most, repeats, judgeRuns }] : []
    }),
  )
}
