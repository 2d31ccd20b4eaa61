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
  const judge = answers.map((answer) => answer.judge)
  const human = answers.map((answer) => answer.human)
  const difference = cr2Mean(
    answers.map((_, i) => itemAt(judge, i) - itemAt(human, i)),
    answers.map(({ cluster }) => cluster),
  )
  const { error, low, high } = errorOrNull(difference)
  return [
    ...(threshold === undefined ? [] : agreementOnRight(judge, human, threshold)),
    { measure: 'difference, judge minus human', unit: 'score', value: difference.mean, error, low, high, n },
    { ...unknown, measure: "Pearson's correlation", unit: 'number', value: correlation(judge, human), n },
  ]
}

const unknown = { error: null, low: null, high: null } as const

/** Agreement on right and wrong. */
function agreementOnRight(judgeScores: readonly number[], humanScores: readonly number[], threshold: number) {
  const isRight = (score: number): number => (score >= threshold ? 1 : 0)
  const judge = judgeScores.map(isRight)
  const human = humanScores.map(isRight)
  const alpha = finiteOrNull(krippendorffAlpha(judge, human))
  const shareWhere = (measure: string, isIncluded: (label: number) => boolean): Agreement => {
    const pairs = judge.flatMap((score, i) => (isIncluded(itemAt(human, i)) ? [score === human[i]] : []))
    const n = pairs.length
    const count = pairs.filter(Boolean).length
    const share = n === 0 ? { value: null, ...unknown } : { value: count / n, error: null, ...wilson(count, n) }
    return { measure, unit: 'share', n, ...share }
  }
  return [
    kappaOf(judge, human),
    { ...unknown, measure: "Krippendorff's α", unit: 'number', value: alpha, n: judge.length } as const,
    shareWhere('same verdict', () => true),
    shareWhere('sensitivity', (label) => label === 1),
    shareWhere('specificity', (label) => label === 0),
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

/** Null where either is constant. */
function correlation(judge: readonly number[], human: readonly number[]): number | null {
  const centre = (values: readonly number[]): readonly number[] => values.map((value) => value - mean(values))
  const x = centre(judge)
  const y = centre(human)
  const product = (a: readonly number[], b: readonly number[]): number => sum(a.map((value, i) => value * itemAt(b, i)))
  return finiteOrNull(product(x, y) / Math.sqrt(product(x, x) * product(y, y)))
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)
