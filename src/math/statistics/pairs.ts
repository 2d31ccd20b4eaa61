/** x - y, pair by pair. Throws RangeError when the lists differ in length or are empty. */
export function differences(x: readonly number[], y: readonly number[]): number[] {
  if (x.length !== y.length)
    throw new RangeError(`a paired test needs lists of one length, not ${x.length} and ${y.length}`)
  if (x.length === 0) throw new RangeError('a paired test needs at least one pair')
  return x.map((value, index) => value - y[index]!)
}
