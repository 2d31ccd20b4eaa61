import { inCommon, normalised, tokensOf } from './answer-text.ts'
import { tokenF1Score } from './qasper-evaluator.ts'

export interface AnswerScores {
  readonly exactMatch: number
  readonly f1: number
}

/** SQuAD 1.1 (metric_max_over_ground_truths), as fractions. */
export const squad11 = (prediction: string, truths: readonly string[]): AnswerScores => ({
  exactMatch: Math.max(...truths.map((truth) => same(prediction, truth))),
  f1: Math.max(...truths.map((truth) => tokenF1Score(prediction, truth))),
})

/** SQuAD 2.0 (get_raw_scores), as fractions: truths of no token go, and where none is left the empty answer is right. */
export function squad20(prediction: string, truths: readonly string[]): AnswerScores {
  const answers = truths.filter((truth) => normalised(truth) !== '')
  return bestOf(prediction, answers.length > 0 ? answers : [''])
}

/** Exact match and F1 as SQuAD 2.0 and MuSiQue compute them (compute_exact, compute_f1): two empty answers agree. */
export const bestOf = (prediction: string, truths: readonly string[]): AnswerScores => ({
  exactMatch: Math.max(...truths.map((truth) => same(prediction, truth))),
  f1: Math.max(...truths.map((truth) => computeF1(prediction, truth))),
})

const same = (one: string, other: string): number => (normalised(one) === normalised(other) ? 1 : 0)

function computeF1(prediction: string, truth: string): number {
  const [gold, predicted] = [tokensOf(truth), tokensOf(prediction)]
  if (gold.length === 0 || predicted.length === 0) return gold.length === predicted.length ? 1 : 0
  const shared = inCommon(gold, predicted)
  if (shared === 0) return 0
  const [precision, recall] = [shared / predicted.length, shared / gold.length]
  return (2 * precision * recall) / (precision + recall)
}
