/** Holm's adjusted p-values (1979), in the order of the input. */
export function holm(pValues: readonly number[]): number[] {
  const places = pValues.map((p, index) => ({ p, index }))
  const order = places.sort((a, b) => a.p - b.p || a.index - b.index)
  const adjustedPs = new Array<number>(pValues.length)
  let floor = 0
  for (const [rank, { p, index }] of order.entries()) {
    floor = Math.max(floor, Math.min(1, p * (pValues.length - rank)))
    adjustedPs[index] = floor
  }
  return adjustedPs
}
