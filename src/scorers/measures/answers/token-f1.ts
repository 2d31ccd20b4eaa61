import { countEach } from '../../../basics/collections.ts'
import { answerTokens } from '../../../text/words.ts'

/** The tokens of an answer. */
export type Tokens = (text: string) => readonly string[]

/** 1 when the two answers are the same after normalisation (two empty ones are), else 0. */
export const exactMatch = (prediction: string, gold: string, tokens: Tokens = answerTokens): number =>
  tokens(prediction).join(' ') === tokens(gold).join(' ') ? 1 : 0

/** F1 in 0..1 of the tokens that two answers share; `bothEmpty`: without tokens, 0 in SQuAD 1.1 and Qasper, else 1. */
export function tokenF1(prediction: string, gold: string, bothEmpty: 0 | 1, tokens: Tokens = answerTokens): number {
  const predicted = tokens(prediction)
  const wanted = tokens(gold)
  if (predicted.length === 0 && wanted.length === 0) return bothEmpty
  const shared = sharedCount(predicted, wanted)
  return shared === 0 ? 0 : fBeta(shared / predicted.length, shared / wanted.length)
}

/** How many items two lists share, each as often as it stands in both. */
export function sharedCount(a: readonly string[], b: readonly string[]): number {
  const left = countEach(a)
  let shared = 0
  for (const item of b) {
    const count = left.get(item) ?? 0
    if (count > 0) shared++
    left.set(item, count - 1)
  }
  return shared
}

/** F1 in 0..1 of two lists of paragraphs as in Qasper's evaluator.py: a duplicate lowers it. 1 when both are empty. */
export function evidenceF1(predicted: readonly string[], gold: readonly string[]): number {
  if (predicted.length === 0 && gold.length === 0) return 1
  const wanted = new Set(gold)
  const shared = [...new Set(predicted)].filter((paragraph) => wanted.has(paragraph)).length
  return shared === 0 ? 0 : fBeta(shared / predicted.length, shared / gold.length)
}

/** Weighted harmonic mean of precision and recall, (1+β²)PR / (β²P+R); 0 when both are 0. */
export function fBeta(precision: number, recall: number, beta = 1): number {
  if (precision === 0 && recall === 0) return 0
  return ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall)
}
