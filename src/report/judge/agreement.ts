import { itemAt } from '../../basics/collections.ts'
import { cr2Mean, errorOrNull } from '../../math/statistics/cr2.ts'
import { mean, sum } from '../../math/statistics/descriptive.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { cohenKappa, krippendorffAlpha } from '../../math/statistics/judges.ts'
import { wilson } from '../../math/statistics/proportions.ts'

/** A human and a judge score of the same answer. */
export interface Verdicts {
  readonly human: number
  readonly judge: number
}

/** An answer that one or several rows share; `judge` is the mean over these rows. */
export interface LabelledAnswer extends Verdicts {
  readonly question: string
  readonly cluster: string | number
}

/** A measure of agreement over n answers; null where it is not defined. `score`: in the unit of the metric. */
export interface Agreement {
  readonly measure: string
  readonly unit: 'score' | 'share' | 'number'
  readonly value: number | null
  /** Standard error and 95 % interval; null where unknown. Those of shares and κ assume independent answers. */
  readonly error: number | null
  readonly low: number | null
  readonly high: number | null
  readonly n: number
}

/** Agreement of a judge with people. `threshold`: least right score; undefined for graded scores. */
export function agreementOf(answers: readonly LabelledAnswer[], threshold: number | undefined): readonly Agreement[] {
  const n = answers.length
  const difference = cr2Mean(
    answers.map(({ judge, human }) => judge - human),
    answers.map(({ cluster }) => cluster),
  )
  const { error, low, high } = errorOrNull(difference)
  return [
    ...(threshold === undefined ? [] : agreementOnRight(answers, threshold)),
    { measure: 'difference, judge minus human', unit: 'score', value: difference.mean, error, low, high, n },
    { ...unknown, measure: "Pearson's correlation", unit: 'number', value: correlation(answers), n },
  ]
}

const unknown = { error: null, low: null, high: null } as const

/** Agreement on right and wrong. */
function agreementOnRight(answers: readonly LabelledAnswer[], threshold: number): readonly Agreement[] {
  const isRight = (score: number): number => (score >= threshold ? 1 : 0)
  const judge = answers.map((answer) => isRight(answer.judge))
  const human = answers.map((answer) => isRight(answer.human))
  const alpha = krippendorffAlpha(judge, human)
  const shareWhere = (measure: string, isIncluded: (label: number) => boolean): Agreement => {
    const pairs = judge.flatMap((score, i) => (isIncluded(itemAt(human, i)) ? [score === human[i]] : []))
    const n = pairs.length
    const count = pairs.filter(Boolean).length
    const share = n === 0 ? { value: null, ...unknown } : { value: count / n, error: null, ...wilson(count, n) }
    return { measure, unit: 'share', n, ...share }
  }
  return [
    kappaOf(judge, human),
    {
      ...unknown,
      measure: "Krippendorff's α",
      unit: 'number',
      value: Number.isNaN(alpha) ? null : alpha,
      n: judge.length,
    },
    shareWhere('same verdict', () => true),
    shareWhere('sensitivity', (label) => label === 1),
    shareWhere('specificity', (label) => label === 0),
  ]
}

/** Null where both are constant; no error at full agreement. */
function kappaOf(judge: readonly number[], human: readonly number[]): Agreement {
  const { kappa, error } = cohenKappa(judge, human)
  const about = { measure: "Cohen's κ", unit: 'number', n: judge.length } as const
  if (Number.isNaN(kappa)) return { ...about, ...unknown, value: null }
  if (!(error > 0)) return { ...about, ...unknown, value: kappa }
  const reach = normalCritical(0.95) * error
  return { ...about, value: kappa, error, low: Math.max(-1, kappa - reach), high: Math.min(1, kappa + reach) }
}

/** Null where either is constant. */
function correlation(answers: readonly Verdicts[]): number | null {
  const centre = (values: readonly number[]): readonly number[] => values.map((value) => value - mean(values))
  const x = centre(answers.map(({ judge }) => judge))
  const y = centre(answers.map(({ human }) => human))
  const product = (a: readonly number[], b: readonly number[]): number => sum(a.map((value, i) => value * itemAt(b, i)))
  const coefficient = product(x, y) / Math.sqrt(product(x, x) * product(y, y))
  return Number.isFinite(coefficient) ? coefficient : null
}
