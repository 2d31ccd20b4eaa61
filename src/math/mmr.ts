/** A row that was chosen, and its value at the time. */
export interface Chosen {
  readonly index: number
  readonly value: number
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998): k rows, each the one with the largest lambda · relevance −
 * (1 − lambda) · largest likeness to a row that was chosen before; equal values by lower index. With lambda 0 the most
 * relevant row is the first. `relevance`: of each row to the query, such as a cosine.
 */
export function maximalMarginalRelevance(
  relevance: readonly number[],
  likeness: (row: number, chosen: number) => number,
  { lambda, k }: { readonly lambda: number; readonly k: number },
): readonly Chosen[] {
  const redundancy = new Float64Array(relevance.length).fill(-Infinity)
  const left = new Set(relevance.keys())
  const chosen: Chosen[] = []
  while (chosen.length < k && left.size > 0) {
    const isFirst = chosen.length === 0
    const valueOf = (row: number): number => {
      const own = relevance[row]!
      return isFirst ? (lambda === 0 ? own : lambda * own) : lambda * own - (1 - lambda) * redundancy[row]!
    }
    const best = [...left].reduce((one, row) => (valueOf(row) > valueOf(one) ? row : one))
    chosen.push({ index: best, value: isFirst ? lambda * relevance[best]! : valueOf(best) })
    left.delete(best)
    for (const row of left) redundancy[row] = Math.max(redundancy[row]!, likeness(row, best))
  }
  return chosen
}
