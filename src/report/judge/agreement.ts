import { itemAt } from '../../basics/collections.ts'
import { cr2Mean, errorOrNull } from '../../math/statistics/cr2.ts'
import { mean, sum } from '../../math/statistics/descriptive.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { cohenKappa, krippendorffAlpha } from '../../math/statistics/judges.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import { fewestQuestions, type LabelledAnswer } from './judged-rows.ts'

/** Agreement of a judge with human labels, on the answers that both scored. */
export type Agreement = NonNullable<ReturnType<typeof agreementOf>>

/** Null for too few labelled questions. `threshold`: undefined for graded scores. */
export function agreementOf(answers: readonly LabelledAnswer[], threshold: number | undefined) {
  const questions = new Set(answers.map(({ question }) => question)).size
  if (questions < fewestQuestions) return null
  const [judge, human] = [answers.map((answer) => answer.judge), answers.map((answer) => answer.human)]
  const differences = answers.map((answer) => answer.judge - answer.human)
  const clusters = answers.map(({ cluster }) => cluster)
  const difference = cr2Mean(differences, clusters)
  const { low, high } = errorOrNull(difference)
  return {
    answers: answers.length,
    questions,
    // judge minus human, clustered by question; null where unknown
    difference: { mean: difference.mean, low, high },
    absoluteDifference: mean(differences.map(Math.abs)),
    correlation: correlation(judge, human),
    ...(threshold !== undefined && { binary: binaryAgreement(judge, human, threshold) }),
  }
}

export type BinaryAgreement = ReturnType<typeof binaryAgreement>

/** Agreement on right and wrong. The 95 % intervals assume independent answers. `threshold`: least right score. */
function binaryAgreement(judgeScores: readonly number[], humanScores: readonly number[], threshold: number) {
  const isRight = (score: number): number => (score >= threshold ? 1 : 0)
  const [judge, human] = [judgeScores.map(isRight), humanScores.map(isRight)]
  const alpha = krippendorffAlpha(judge, human)
  const sameWhere = (label: number): Share | null => {
    const hits = judge.flatMap((score, i) => (human[i] === label ? [score === label] : []))
    return hits.length === 0 ? null : shareOf(hits)
  }
  return {
    threshold,
    agreement: shareOf(judge.map((score, i) => score === human[i])),
    kappa: kappaOf(judge, human),
    // Krippendorff's, nominal
    alpha: Number.isNaN(alpha) ? null : alpha,
    // null where no answer is right, or none is wrong
    sensitivity: sameWhere(1),
    specificity: sameWhere(0),
  }
}

/** Cohen's kappa with a 95 % interval; null where both are constant; no error at full agreement. */
function kappaOf(judge: readonly number[], human: readonly number[]) {
  const { kappa, error } = cohenKappa(judge, human)
  if (Number.isNaN(kappa)) return null
  const reach = normalCritical(0.95) * error
  return error > 0
    ? { value: kappa, error, low: Math.max(-1, kappa - reach), high: Math.min(1, kappa + reach) }
    : { value: kappa, error: null, low: null, high: null }
}

export type Share = ReturnType<typeof shareOf>

/** The share of hits among n answers, with Wilson's interval. */
function shareOf(hits: readonly boolean[]) {
  const [n, count] = [hits.length, hits.filter(Boolean).length]
  return { share: count / n, n, ...wilson(count, n) }
}

/** Pearson's correlation; null where x or y is constant. */
function correlation(x: readonly number[], y: readonly number[]): number | null {
  const [ofX, ofY] = [mean(x), mean(y)]
  const products = (a: readonly number[], ofA: number, b: readonly number[], ofB: number): number =>
    sum(a.map((value, i) => (value - ofA) * (itemAt(b, i) - ofB)))
  const coefficient = products(x, ofX, y, ofY) / Math.sqrt(products(x, ofX, x, ofX) * products(y, ofY, y, ofY))
  return Number.isFinite(coefficient) ? coefficient : null
}
