/**
 * Adjusts p-values of several tests (Holm 1979): the smallest times n, the next times n - 1, …; never less than the one
 * before, at most 1. In the order of the input.
 */
export function holm(pValues: readonly number[]): number[] {
  const ranked = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index)
  const adjusted = new Array<number>(pValues.length)
  let floor = 0
  for (const [rank, { p, index }] of ranked.entries()) {
    floor = Math.max(floor, Math.min(1, p * (pValues.length - rank)))
    adjusted[index] = floor
  }
  return adjusted
}
