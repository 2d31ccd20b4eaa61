/**
 * Sum by halves, in numpy's order (eight running sums in a block of 128): small errors, and the same ties as the references.
 * 0 for an empty list.
 */
export function sum(values: ArrayLike<number>, from = 0, to = values.length): number {
  const size = to - from
  if (size < 8) {
    let total = 0
    for (let i = from; i < to; i++) total += values[i]!
    return total
  }
  if (size > 128) {
    const half = Math.floor(size / 2)
    const middle = from + half - (half % 8)
    return sum(values, from, middle) + sum(values, middle, to)
  }
  return blockSum(values, from, to)
}

/** Mean; NaN for an empty list. */
export const mean = (values: ArrayLike<number>): number => sum(values) / values.length

/** The middle value, of an even number the mean of the two in the middle; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const rising = values.toSorted((a, b) => a - b)
  const middle = rising.length / 2
  return ((rising[Math.ceil(middle) - 1] ?? NaN) + (rising[Math.floor(middle)] ?? NaN)) / 2
}

function blockSum(values: ArrayLike<number>, from: number, to: number): number {
  const running = Array.from({ length: 8 }, (_, i) => values[from + i]!)
  const whole = to - ((to - from) % 8)
  for (let i = from + 8; i < whole; i++) running[(i - from) % 8]! += values[i]!
  const [a, b, c, d, e, f, g, h] = running as [number, number, number, number, number, number, number, number]
  let total = a + b + (c + d) + (e + f + (g + h))
  for (let i = whole; i < to; i++) total += values[i]!
  return total
}
