import { itemAt } from '../../basics/collections.ts'
import { cr2Mean, errorOrNull } from '../../math/statistics/cr2.ts'
import { mean, sum } from '../../math/statistics/descriptive.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { cohenKappa, krippendorffAlpha } from '../../math/statistics/judges.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import { fewestQuestions, type LabelledAnswer } from './judged-rows.ts'

/** How far a judge agrees with people on the answers that both scored; null where too few questions have a label. */
export interface Agreement {
  readonly answers: number
  readonly questions: number
  /** Judge less human, with its 95 % interval over clusters of questions; null where it is not known. */
  readonly difference: { readonly mean: number; readonly low: number | null; readonly high: number | null }
  readonly absoluteDifference: number
  /** Pearson's; null where the judge or the labels never vary. */
  readonly correlation: number | null
  /** Absent for graded scores, unless a threshold is given. */
  readonly binary?: BinaryAgreement
}

/** Agreement on right and wrong. Intervals are of 95 % and take answers as independent. */
export interface BinaryAgreement {
  /** Least score that counts as right, of the judge and of people. */
  readonly threshold: number
  readonly agreement: Share
  /** Cohen's, with its standard error; null where both say always the same; no error where they agree throughout. */
  readonly kappa: {
    readonly value: number
    readonly error: number | null
    readonly low: number | null
    readonly high: number | null
  } | null
  /** Krippendorff's, nominal. */
  readonly alpha: number | null
  /** The share of right answers that the judge calls right, and of wrong ones; null where there is none. */
  readonly sensitivity: Share | null
  readonly specificity: Share | null
}

/** A share of n answers with Wilson's interval. */
export interface Share {
  readonly share: number
  readonly n: number
  readonly low: number
  readonly high: number
}

/** Agreement of judge and people. `threshold`: undefined for graded scores. */
export function agreementOf(answers: readonly LabelledAnswer[], threshold: number | undefined): Agreement | null {
  const questions = new Set(answers.map(({ question }) => question)).size
  if (questions < fewestQuestions) return null
  const [judge, human] = [answers.map((one) => one.judge), answers.map((one) => one.human)]
  const apart = answers.map((one) => one.judge - one.human)
  const clusters = answers.map(({ cluster }) => cluster)
  const found = cr2Mean(apart, clusters)
  const { low, high } = errorOrNull(found)
  return {
    answers: answers.length,
    questions,
    difference: { mean: found.mean, low, high },
    absoluteDifference: mean(apart.map(Math.abs)),
    correlation: correlation(judge, human),
    ...(threshold !== undefined && { binary: binaryAgreement(judge, human, threshold) }),
  }
}

function binaryAgreement(
  judgeScores: readonly number[],
  humanScores: readonly number[],
  threshold: number,
): BinaryAgreement {
  const isRight = (score: number): number => (score >= threshold ? 1 : 0)
  const [judge, human] = [judgeScores.map(isRight), humanScores.map(isRight)]
  const alpha = krippendorffAlpha(judge, human)
  const sameWhere = (verdict: number): Share | null => {
    const hits = judge.flatMap((one, i) => (human[i] === verdict ? [one === verdict] : []))
    return hits.length === 0 ? null : shareOf(hits)
  }
  return {
    threshold,
    agreement: shareOf(judge.map((one, i) => one === human[i])),
    kappa: kappaOf(judge, human),
    alpha: Number.isNaN(alpha) ? null : alpha,
    sensitivity: sameWhere(1),
    specificity: sameWhere(0),
  }
}

/** Cohen's κ with its 95 % interval; null where both say always the same. */
function kappaOf(judge: readonly number[], human: readonly number[]): BinaryAgreement['kappa'] {
  const { kappa, error } = cohenKappa(judge, human)
  if (Number.isNaN(kappa)) return null
  const reach = normalCritical(0.95) * error
  return error > 0
    ? { value: kappa, error, low: Math.max(-1, kappa - reach), high: Math.min(1, kappa + reach) }
    : { value: kappa, error: null, low: null, high: null }
}

function shareOf(hits: readonly boolean[]): Share {
  const [n, count] = [hits.length, hits.filter(Boolean).length]
  return { share: count / n, n, ...wilson(count, n) }
}

/** Pearson's; null where one of them never varies. */
function correlation(x: readonly number[], y: readonly number[]): number | null {
  const [ofX, ofY] = [mean(x), mean(y)]
  const products = (a: readonly number[], ofA: number, b: readonly number[], ofB: number): number =>
    sum(a.map((one, i) => (one - ofA) * (itemAt(b, i) - ofB)))
  const found = products(x, ofX, y, ofY) / Math.sqrt(products(x, ofX, x, ofX) * products(y, ofY, y, ofY))
  return Number.isFinite(found) ? found : null
}
