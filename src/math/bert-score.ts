import { productWithTranspose } from './kernels.ts'
import { unitRows } from './max-sim.ts'

/** The tokens of a text, a vector and a weight each: special ones first and last, which can be matched. */
export interface WeighedTokens {
  readonly vectors: readonly ArrayLike<number>[]
  readonly weights: readonly number[]
}

/** In -1..1. */
export interface BertScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export const zeroScore: BertScore = { precision: 0, recall: 0, f1: 0 }

/**
 * BERTScore's greedy matching (Zhang et al. 2020, section 3; Tiiiger/bert_score@19e7f551, utils.py, greedy_cos_idf),
 * without padding. A text of only its two special tokens scores 0.
 */
export function greedyMatch(reference: WeighedTokens, candidate: WeighedTokens): BertScore {
  const rows = candidate.vectors.length
  const columns = reference.vectors.length
  if (rows <= 2 || columns <= 2) return zeroScore
  const dim = candidate.vectors[0]!.length
  const unitsOf = ({ vectors }: WeighedTokens): Float64Array => {
    const data = new Float64Array(vectors.length * dim)
    unitRows(vectors, data)
    return data
  }
  const cosines = productWithTranspose(unitsOf(candidate), unitsOf(reference), rows, dim, columns)
  const nearestOfRow = new Float64Array(rows).fill(-Infinity)
  const nearestOfColumn = new Float64Array(columns).fill(-Infinity)
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      nearestOfRow[row] = Math.max(nearestOfRow[row]!, cosines[at]!)
      nearestOfColumn[column] = Math.max(nearestOfColumn[column]!, cosines[at]!)
    }
  }
  const precision = weightedMean(nearestOfRow, candidate.weights)
  const recall = weightedMean(nearestOfColumn, reference.weights)
  const f1 = (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1: Number.isNaN(f1) ? 0 : f1 }
}

function weightedMean(values: Float64Array, weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return values.reduce((sum, value, index) => sum + (value * weights[index]!) / total, 0)
}
