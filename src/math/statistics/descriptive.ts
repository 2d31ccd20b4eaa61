/**
 * Pairwise sum in numpy's order (eight accumulators per block of 128), for accuracy and for ties equal to the reference
 * implementations. 0 for an empty list.
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

/** The median; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const rising = values.toSorted((a, b) => a - b)
  const middle = rising.length / 2
  return ((rising[Math.ceil(middle) - 1] ?? NaN) + (rising[Math.floor(middle)] ?? NaN)) / 2
}

function blockSum(values: ArrayLike<number>, from: number, to: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let e = 0
  let f = 0
  let g = 0
  let h = 0
  const blockEnd = to - ((to - from) % 8)
  for (let i = from; i < blockEnd; i += 8) {
    a += values[i]!
    b += values[i + 1]!
    c += values[i + 2]!
    d += values[i + 3]!
    e += values[i + 4]!
    f += values[i + 5]!
    g += values[i + 6]!
    h += values[i + 7]!
  }
  let total = a + b + (c + d) + (e + f + (g + h))
  for (let i = blockEnd; i < to; i++) total += values[i]!
  return total
}

/** Variance with denominator n - `freedom`; NaN where that is 0. */
export function variance(values: readonly number[], freedom: 0 | 1 = 1): number {
  const centre = mean(values)
  if (values.length <= freedom) return NaN
  const squares = values.map((value) => (value - centre) ** 2)
  return sum(squares) / (values.length - freedom)
}

/** The variance within groups: squared distances from their means over the sum of n - 1; NaN without two values. */
export function pooledVariance(groups: readonly (readonly number[])[]): number {
  const several = groups.filter(({ length }) => length > 1)
  const freedom = sum(several.map(({ length }) => length - 1))
  if (freedom === 0) return NaN
  const squares = several.map((group) => variance(group, 0) * group.length)
  return sum(squares) / freedom
}

/**
 * The q-th percentile (0..100), linear between neighbours as numpy's default. Throws RangeError for none or another q.
 */
export function percentile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new RangeError('a percentile needs at least one value')
  if (!(q >= 0 && q <= 100)) throw new RangeError(`percentile ${q} is not between 0 and 100`)
  if (values.some(Number.isNaN)) return NaN
  const ascending = values.toSorted((a, b) => a - b)
  const position = (q / 100) * (ascending.length - 1)
  const low = ascending[Math.floor(position)]!
  const high = ascending[Math.ceil(position)]!
  const share = position - Math.floor(position)
  // from the nearer end, so that rounding misses neither end
  return share < 0.5 ? low + (high - low) * share : high - (high - low) * (1 - share)
}

/** Ranks from 1, ties sharing their mean rank, and the sizes of the tie groups. */
export function midRanks(values: readonly number[]): { readonly ranks: number[]; readonly ties: number[] } {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  const ties: number[] = []
  for (let from = 0; from < order.length; from += ties.at(-1)!) {
    let to = from + 1
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let i = from; i < to; i++) ranks[order[i]!] = (from + 1 + to) / 2
    ties.push(to - from)
  }
  return { ranks, ties }
}

/** Σ(t³ - t) over the tie groups: the tie correction of rank variances. */
export const tieTerm = (ties: readonly number[]): number => ties.reduce((sum, size) => sum + size * (size ** 2 - 1), 0)

/** Tolerance of equal scores. */
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

/** The alternative hypothesis: x differs from y, is greater, or is less. */
export type Alternative = 'two-sided' | 'greater' | 'less'
