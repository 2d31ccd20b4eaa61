import { countEach } from '../../../basics/collections.ts'
import { answerTokens } from '../../../text/words.ts'

/** The tokens of an answer. */
export type Tokens = (text: string) => readonly string[]

/** 1 when the two answers are the same after normalisation (two empty ones are), else 0. */
export const exactMatch = (prediction: string, gold: string, tokens: Tokens = answerTokens): number =>
  tokens(prediction).join(' ') === tokens(gold).join(' ') ? 1 : 0

/** Exact match and token F1 in 0..1, each against the best gold. Throws RangeError without one. */
export const bestAnswerScores = (prediction: string, golds: readonly string[], bothEmpty: 0 | 1, tokens?: Tokens) =>
  maxima(
    golds.map((gold) => ({
      exactMatch: exactMatch(prediction, gold, tokens),
      f1: tokenF1(prediction, gold, bothEmpty, tokens),
    })),
  )

/** Token F1 in 0..1; `bothEmpty`: the score of two empty answers, 0 in SQuAD 1.1 and Qasper, else 1. */
export function tokenF1(prediction: string, gold: string, bothEmpty: 0 | 1, tokens: Tokens = answerTokens): number {
  const predictionTokens = tokens(prediction)
  const goldTokens = tokens(gold)
  if (predictionTokens.length === 0 && goldTokens.length === 0) return bothEmpty
  const overlap = sharedCount(predictionTokens, goldTokens)
  return overlap === 0 ? 0 : fBeta(overlap / predictionTokens.length, overlap / goldTokens.length)
}

/** The maximum of each part over the scores by several references. Throws RangeError for none. */
export function maxima<K extends string>(scores: readonly Readonly<Record<K, number>>[]): Readonly<Record<K, number>> {
  const [first, ...rest] = scores
  if (!first) throw new RangeError('a score needs at least one reference')
  const best: Record<K, number> = { ...first }
  for (const score of rest) for (const part in best) best[part] = Math.max(best[part], score[part])
  return best
}

/** The size of the multiset intersection of two lists. */
export function sharedCount(a: readonly string[], b: readonly string[]): number {
  const counts = countEach(b)
  return Array.from(countEach(a), ([item, count]) => Math.min(count, counts.get(item) ?? 0)).reduce(
    (sum, count) => sum + count,
    0,
  )
}

/** F1 in 0..1 of two lists of paragraphs as in Qasper's evaluator.py: a duplicate lowers it. 1 when both are empty. */
export function evidenceF1(prediction: readonly string[], gold: readonly string[]): number {
  if (prediction.length === 0 && gold.length === 0) return 1
  const goldSet = new Set(gold)
  const overlap = [...new Set(prediction)].filter((paragraph) => goldSet.has(paragraph)).length
  return overlap === 0 ? 0 : fBeta(overlap / prediction.length, overlap / gold.length)
}

/** Weighted harmonic mean of precision and recall, (1+β²)PR / (β²P+R); 0 when both are 0. */
export function fBeta(precision: number, recall: number, beta = 1): number {
  if (precision === 0 && recall === 0) return 0
  return ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall)
}
