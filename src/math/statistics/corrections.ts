/** Ways to answer for several tests at once. Each gives adjusted p-values in the order of the input, capped at 1. */
export const corrections = { holm, bonferroni, 'benjamini-hochberg': benjaminiHochberg } as const

/** Holm 1979: the smallest p times n, the next times n-1, …; never less than the one before. */
export function holm(pValues: readonly number[]): number[] {
  let floor = 0
  return inOrder(pValues, (p, rank) => (floor = Math.max(floor, Math.min(1, p * (pValues.length - rank)))))
}

/** Every p times n. */
export function bonferroni(pValues: readonly number[]): number[] {
  return pValues.map((p) => Math.min(1, p * pValues.length))
}

/** Benjamini and Hochberg 1995: the share of false discoveries; from the largest p down, never more than the one above. */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  let ceiling = 1
  const n = pValues.length
  return inOrder(pValues, (p, rank) => (ceiling = Math.min(ceiling, (p * n) / (rank + 1))), 'descending')
}

/** Visits the p-values by size, their ranks from 0; gives what was returned at the places where they stood. */
function inOrder(
  pValues: readonly number[],
  visit: (p: number, rank: number) => number,
  direction: 'ascending' | 'descending' = 'ascending',
): number[] {
  const ranked = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index)
  const visits = ranked.map(({ p, index }, rank) => ({ p, index, rank }))
  const adjusted = new Array<number>(pValues.length)
  for (const { p, index, rank } of direction === 'ascending' ? visits : visits.toReversed()) {
    adjusted[index] = visit(p, rank)
  }
  return adjusted
}
