/** Scores to 12 decimals: what differs by less is rounding, and ties go by index (PageRank in both HippoRAG and UnWeaverPPR). */
export const rounded = (scores: Float64Array): Float64Array => scores.map((score) => Math.round(score * 1e12) / 1e12)
