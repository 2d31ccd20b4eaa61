/** The q-th percentile (0..100), linear between neighbours at position q/100·(n-1), as numpy's default. Throws RangeError on an empty list or another q. */
export function percentile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new RangeError('a percentile needs at least one value')
  if (!(q >= 0 && q <= 100)) throw new RangeError(`percentile ${q} is not between 0 and 100`)
  if (values.some(Number.isNaN)) return NaN
  const sorted = values.toSorted((a, b) => a - b)
  const position = (q / 100) * (sorted.length - 1)
  const low = sorted[Math.floor(position)]!
  const high = sorted[Math.ceil(position)]!
  const share = position - Math.floor(position)
  // from the nearer end, so that neither end is missed by rounding
  return share < 0.5 ? low + (high - low) * share : high - (high - low) * (1 - share)
}
