/** Scores with 12 decimals: smaller differences are rounding errors, so that ties go by index. */
export const roundScores = (scores: Float64Array): Float64Array =>
  scores.map((score) => Math.round(score * 1e12) / 1e12)
