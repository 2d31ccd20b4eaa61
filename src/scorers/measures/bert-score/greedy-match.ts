/** The tokens of one text, special ones included: a vector and a weight each. [CLS] and [SEP] weigh 0 but can still be matched. */
export interface WeighedTokens {
  readonly vectors: readonly ArrayLike<number>[]
  readonly weights: readonly number[]
}

export interface BertScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/**
 * BERTScore's greedy matching (Zhang et al. 2020, section 3; Tiiiger/bert_score@19e7f551, utils.py, greedy_cos_idf), without
 * padding. Cosines, so the numbers lie in -1..1. A text of nothing but its two special tokens scores 0.
 */
export function greedyMatch(reference: WeighedTokens, candidate: WeighedTokens): BertScore {
  if (reference.vectors.length <= 2 || candidate.vectors.length <= 2) return { precision: 0, recall: 0, f1: 0 }
  const wanted = reference.vectors.map(unit)
  const given = candidate.vectors.map(unit)
  const precision = matched(given, wanted, candidate.weights)
  const recall = matched(wanted, given, reference.weights)
  const f1 = (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1: Number.isNaN(f1) ? 0 : f1 }
}

/** Several references: precision, recall and F each take their own maximum, before any rescaling (score.py). Throws RangeError without one. */
export function bestMatch(scores: readonly BertScore[]): BertScore {
  if (scores.length === 0) throw new RangeError('BERTScore needs at least one reference')
  const best = (part: keyof BertScore) => Math.max(...scores.map((score) => score[part]))
  return { precision: best('precision'), recall: best('recall'), f1: best('f1') }
}

/** Spreads a score over the range that a model uses: (x - b) / (1 - b) for each of the three by its own baseline (score.py). */
export const rescaled = (score: BertScore, baseline: BertScore): BertScore => ({
  precision: spread(score.precision, baseline.precision),
  recall: spread(score.recall, baseline.recall),
  f1: spread(score.f1, baseline.f1),
})

/** Weighted mean of every token's nearest neighbour on the other side. */
function matched(from: readonly Float64Array[], to: readonly Float64Array[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return from.reduce((sum, token, index) => {
    const nearest = to.reduce((best, other) => Math.max(best, dot(token, other)), -Infinity)
    return sum + (nearest * (weights[index] ?? 0)) / total
  }, 0)
}

function unit(vector: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(vector)
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

const spread = (value: number, baseline: number): number => (value - baseline) / (1 - baseline)
