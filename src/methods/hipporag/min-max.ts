/** Scores moved to [0, 1]; all 1 where they are equal (HippoRAG's min_max_normalize). */
export function minMax(scores: Float64Array): Float64Array {
  const lowest = scores.reduce((low, score) => Math.min(low, score), Infinity)
  const width = scores.reduce((high, score) => Math.max(high, score), -Infinity) - lowest
  return scores.map((score) => (width > 0 ? (score - lowest) / width : 1))
}
