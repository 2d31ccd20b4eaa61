/** Scores that differ by no more are equal: the rest is rounding. */
export const rounding = 1e-9

/** x - y, pair by pair, 0 where that is rounding. Throws RangeError when the lists differ in length or are empty. */
export function differences(x: readonly number[], y: readonly number[]): number[] {
  if (x.length !== y.length)
    throw new RangeError(`a paired test needs lists of one length, not ${x.length} and ${y.length}`)
  if (x.length === 0) throw new RangeError('a paired test needs at least one pair')
  return x.map((value, index) => {
    const difference = value - y[index]!
    return Math.abs(difference) <= rounding ? 0 : difference
  })
}
