import { itemAt } from '../../basics/collections.ts'
import { correctThreshold } from '../../basics/metrics.ts'
import { cr2Difference, cr2Mean, errorOrNull } from '../../math/statistics/cr2.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { cohenKappa, krippendorffAlpha, roganGladen, type TrueShare } from '../../math/statistics/judges.ts'
import { clusteredPpiMean } from '../../math/statistics/ppi.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import type { Manifest } from '../../records.ts'
import { finiteOrNull, type HumanMean } from '../gather/estimate.ts'
import type { Journals } from '../gather/trials.ts'
import { labelledRows, type JudgedMetric, type LabelledAnswer, type Unit } from './judged-rows.ts'
import type { Labels } from './read-labels.ts'

/** A judge and its scores checked with human labels. */
export type JudgeCheck = Awaited<ReturnType<typeof checkJudge>>

/**
 * Compares a judge with human labels (specification of statistics, section 5). Throws UserError for labels of another
 * folder.
 */
export async function checkJudge(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  { scorer, metric, unit }: JudgedMetric,
  labels: Labels,
) {
  const { rows, answers, isBinary, counts } = await labelledRows(manifest, journals, { scorer, metric }, labels)
  const questions = new Set(answers.map(({ question }) => question)).size
  return {
    name: manifest.name,
    hash: manifest.hash,
    scorer: scorer.scorer,
    metric,
    unit,
    labels: { ...counts, answers: answers.length, questions },
    isBinary,
    // none for too few labelled questions
    agreement: questions < fewestQuestions ? [] : agreementOf(answers, unit, isBinary),
    rows: rows.map(({ row: { method, variant, context }, units: unitsOfRow }) => {
      const units = [...unitsOfRow.values()]
      const estimate = cr2Mean(
        units.map(({ judge }) => judge),
        units.map(({ cluster }) => cluster),
      )
      return {
        method,
        variant,
        ...(context && { context }),
        // beside the mean by people
        judge: { mean: estimate.mean, n: estimate.n, ...errorOrNull(estimate) },
        ...humanMean(units),
        ...(isBinary && { roganGladen: trueShare(units) }),
      }
    }),
  }
}

/** Minimum of labelled questions: with fewer, simulated 95 % intervals cover too rarely. */
export const fewestQuestions = 20

/** PPI++ estimate of the human mean, with the labelled units as a random sample. */
export function humanMean(units: readonly Unit[]): HumanMean {
  const sample = units.flatMap(({ cluster, labelled }) => (labelled ? [{ cluster, ...labelled }] : []))
  const rest = units.filter(({ labelled }) => !labelled)
  const human = sample.map((label) => label.human)
  const counts = {
    labelled: sample.length,
    human: sample.length === 0 ? null : mean(human),
  }
  if (sample.length < fewestQuestions) return { ...counts, corrected: null }
  const { lambda, estimate, error, degrees, low, high } = clusteredPpiMean(
    { human, judge: sample.map(({ judge }) => judge), judgeOfRest: rest.map(({ judge }) => judge) },
    { ofSample: sample.map(({ cluster }) => cluster), ofRest: rest.map(({ cluster }) => cluster) },
  )
  const errors = sample.map((label) => label.human - label.judge)
  const hasVariance = varies(human) && varies(errors) && Number.isFinite(error)
  if (!hasVariance) return { ...counts, corrected: { mean: estimate, degrees: null, ...unknown, lambda } }
  return { ...counts, corrected: { mean: estimate, error, degrees, low, high, lambda } }
}

const varies = (values: readonly number[]) => values.some((value) => Math.abs(value - itemAt(values, 0)) > 1e-12)

/** Rogan–Gladen of binary scores; null: too few labels, or a judge that hardly separates right from wrong. */
function trueShare(units: readonly Unit[]): TrueShare | null {
  const labels = units.flatMap(({ labelled }) => labelled ?? [])
  const judgeWhere = (human: number) => labels.flatMap((label) => (label.human === human ? [label.judge] : []))
  const right = judgeWhere(1)
  const wrong = judgeWhere(0)
  if (labels.length < fewestQuestions || right.length === 0 || wrong.length === 0) return null
  const acceptRate = (judge: readonly number[]) => judge.filter((score) => score === 1).length / judge.length
  const rates = { sensitivity: acceptRate(right), specificity: 1 - acceptRate(wrong) }
  const counts = { n: units.length, positives: right.length, negatives: wrong.length }
  return roganGladen({ observed: mean(units.map(({ judge }) => judge)), ...counts, ...rates }) ?? null
}

/** A measure of agreement over n answers; null where it is not defined. */
interface Agreement {
  readonly measure: string
  readonly unit: JudgedMetric['unit']
  readonly value: number | null
  /** Standard error and 95 % interval; null where unknown. Those of shares and κ assume independent answers. */
  readonly error: number | null
  readonly low: number | null
  readonly high: number | null
  readonly n: number
}

/** Agreement of a judge with people; on graded scores, only their difference. */
function agreementOf(
  answers: readonly LabelledAnswer[],
  unit: JudgedMetric['unit'],
  isBinary: boolean,
): readonly Agreement[] {
  const n = answers.length
  const judge = answers.map((answer) => answer.judge)
  const human = answers.map((answer) => answer.human)
  const clusters = answers.map(({ cluster }) => cluster)
  const difference = cr2Difference(judge, human, clusters)
  const { error, low, high } = errorOrNull(difference)
  return [
    ...(isBinary ? agreementOnRight(answers) : []),
    { measure: 'difference, judge minus human', unit, value: difference.mean, error, low, high, n },
  ]
}

const unknown = { error: null, low: null, high: null } as const

/** Agreement on right and wrong. Where rows share an answer with two verdicts, half of them count as right. */
function agreementOnRight(answers: readonly LabelledAnswer[]): readonly Agreement[] {
  const isRight = (score: number) => (score >= correctThreshold ? 1 : 0)
  const judge = answers.map((answer) => isRight(answer.judge))
  const human = answers.map((answer) => isRight(answer.human))
  const alpha = finiteOrNull(krippendorffAlpha(judge, human))
  const shareWhere = (measure: string, label: number): Agreement => {
    const verdicts = judge.filter((_, i) => human[i] === label)
    const n = verdicts.length
    const count = verdicts.filter((verdict) => verdict === label).length
    const share = n === 0 ? { value: null, ...unknown } : { value: count / n, error: null, ...wilson(count, n) }
    return { measure, unit: 'percent', n, ...share }
  }
  return [
    kappaOf(judge, human),
    { ...unknown, measure: "Krippendorff's α", unit: 'number', value: alpha, n: judge.length },
    shareWhere('sensitivity', 1),
    shareWhere('specificity', 0),
  ]
}

/** Null where both are constant; no error at full agreement. */
function kappaOf(judge: readonly number[], human: readonly number[]): Agreement {
  const { kappa, error } = cohenKappa(judge, human)
  const reach = normalCritical(0.95) * error
  const interval = {
    error,
    low: Math.max(-1, kappa - reach),
    high: Math.min(1, kappa + reach),
  }
  const about = { measure: "Cohen's κ", unit: 'number', value: finiteOrNull(kappa), n: judge.length } as const
  return { ...about, ...(error > 0 ? interval : unknown) }
}
