import { itemAt } from '../../basics/collections.ts'
import { cr2Mean, errorOrNull } from '../../math/statistics/cr2.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { roganGladen, type TrueShare } from '../../math/statistics/judges.ts'
import { clusteredPpiMean } from '../../math/statistics/ppi.ts'
import type { HumanMean } from '../gather/estimate.ts'
import type { Verdicts } from './agreement.ts'

/** Minimum of labelled questions: with fewer, simulated 95 % intervals cover too rarely. */
export const fewestQuestions = 20

/** A question with its judge score, and both scores where it has a label. */
export interface Unit {
  readonly cluster: string | number
  readonly judge: number
  readonly labelled?: Verdicts | undefined
}

/** The judge's mean of a row or of a difference of rows beside that of people; undefined without units. */
export function comparedMeans(units: readonly Unit[]) {
  if (units.length === 0) return undefined
  const estimate = cr2Mean(
    units.map(({ judge }) => judge),
    units.map(({ cluster }) => cluster),
  )
  return { judge: { mean: estimate.mean, n: estimate.n, ...errorOrNull(estimate) }, ...humanMean(units) }
}

/** PPI++ estimate of the human mean, with the labelled units as a random sample. */
export function humanMean(units: readonly Unit[]): HumanMean {
  const sample = units.flatMap(({ cluster, labelled }) => (labelled ? [{ cluster, ...labelled }] : []))
  const rest = units.filter(({ labelled }) => !labelled)
  const human = sample.map((label) => label.human)
  const counts = { labelled: sample.length, human: sample.length === 0 ? null : mean(human) }
  if (sample.length < fewestQuestions) return { ...counts, corrected: null }
  const judge = sample.map((label) => label.judge)
  const { lambda, estimate, error, degrees, low, high } = clusteredPpiMean(
    { human, judge, judgeOfRest: rest.map((unit) => unit.judge) },
    { ofSample: sample.map(({ cluster }) => cluster), ofRest: rest.map(({ cluster }) => cluster) },
  )
  const errors = human.map((score, i) => score - itemAt(judge, i))
  const hasVariance = varies(human) && varies(errors) && Number.isFinite(error)
  const interval = hasVariance ? { error, degrees, low, high } : { error: null, degrees: null, low: null, high: null }
  return { ...counts, corrected: { mean: estimate, ...interval, lambda } }
}

const varies = (values: readonly number[]): boolean =>
  values.some((value) => Math.abs(value - itemAt(values, 0)) > 1e-12)

/** Rogan–Gladen of binary scores; null: too few labels, or a judge that hardly separates right from wrong. */
export function trueShare(units: readonly Unit[]): TrueShare | null {
  const labels = units.flatMap(({ labelled }) => labelled ?? [])
  const judgeWhere = (human: number): readonly number[] =>
    labels.flatMap((label) => (label.human === human ? [label.judge] : []))
  const right = judgeWhere(1)
  const wrong = judgeWhere(0)
  if (labels.length < fewestQuestions || right.length === 0 || wrong.length === 0) return null
  const acceptRate = (judge: readonly number[]): number => judge.filter((score) => score === 1).length / judge.length
  const rates = { sensitivity: acceptRate(right), specificity: 1 - acceptRate(wrong) }
  const counts = { n: units.length, positives: right.length, negatives: wrong.length }
  return roganGladen({ observed: mean(units.map(({ judge }) => judge)), ...counts, ...rates }) ?? null
}
