import { normalise, topK, type ScoredIndex } from '../../math/vectors.ts'

/** How a question is compared with nodes. */
export const similarities = ['cosine', 'dot'] as const

/** Finds the vectors nearest to a query, best first; ties by lower index, and no more than there are. */
export function finder(
  vectors: readonly Float32Array[],
  similarity: (typeof similarities)[number],
): (query: Float32Array, most: number) => readonly ScoredIndex[] {
  const rows = similarity === 'cosine' ? vectors.map(normalise) : vectors
  return (query, most) => topK(similarity === 'cosine' ? normalise(query) : query, rows, most)
}
