/** Scores with 12 decimals: smaller differences are rounding errors, so that ties go by index. */
export const roundScores = (scores: Float64Array): Float64Array =>
  scores.map((score) => Math.round(score * 1e12) / 1e12)

/** Scores scaled to [0, 1]; all 1 if they are equal (HippoRAG's min_max_normalize). */
export function minMax(scores: Float64Array): Float64Array {
  const lowest = scores.reduce((low, score) => Math.min(low, score), Infinity)
  const width = scores.reduce((high, score) => Math.max(high, score), -Infinity) - lowest
  return scores.map((score) => (width > 0 ? (score - lowest) / width : 1))
}
