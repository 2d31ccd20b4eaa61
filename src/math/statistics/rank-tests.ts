import { type Alternative, midRanks, tieTerm } from './descriptive.ts'
import { normalTail } from './distributions.ts'

export interface MannWhitneyOptions {
  readonly alternative?: Alternative
  /** `auto`: exact where a group has at most 8 values and nothing is tied, else asymptotic (scipy 1.10). */
  readonly method?: 'auto' | 'exact' | 'asymptotic'
  /** Half a unit towards the mean in the asymptotic method. */
  readonly continuity?: boolean
}

/**
 * Mann–Whitney U of two independent groups, as scipy.stats.mannwhitneyu 1.10.1: `u1` of x, `u2` of y (u1 + u2 = n1·n2),
 * and p. Throws RangeError when a group is empty.
 */
export function mannWhitney(x: readonly number[], y: readonly number[], options: MannWhitneyOptions = {}) {
  const { alternative = 'two-sided', method = 'auto', continuity = true } = options
  if (x.length === 0 || y.length === 0) throw new RangeError('Mann–Whitney needs values in both groups')
  const n1 = x.length
  const n2 = y.length
  const { ranks, ties } = midRanks([...x, ...y])
  const u1 = ranks.slice(0, n1).reduce((sum, rank) => sum + rank, 0) - (n1 * (n1 + 1)) / 2
  const u2 = n1 * n2 - u1
  const exact = method === 'auto' ? Math.min(n1, n2) <= 8 && ties.length === n1 + n2 : method === 'exact'
  const tail = exact ? exactTail(n1, n2) : asymptoticTail(n1, n2, ties, continuity)
  return { u1, u2, p: pValue(tail, u1, u2, alternative), exact }
}

type Tail = (u: number) => number

function pValue(tail: Tail, u1: number, u2: number, alternative: Alternative): number {
  if (alternative === 'two-sided') return Math.min(1, 2 * tail(Math.max(u1, u2)))
  return Math.min(1, tail(alternative === 'greater' ? u1 : u2))
}

/** P(U ≥ u) by the normal curve. With all values equal the spread is 0: p is 1, and NaN without the correction. */
function asymptoticTail(n1: number, n2: number, ties: readonly number[], continuity: boolean): Tail {
  const n = n1 + n2
  const spread = Math.sqrt(((n1 * n2) / 12) * (n + 1 - tieTerm(ties) / (n * (n - 1))))
  return (u) => normalTail((u - (n1 * n2) / 2 - (continuity ? 0.5 : 0)) / spread)
}

/** P(U ≥ u) over all orders of two groups without ties. */
function exactTail(n1: number, n2: number): Tail {
  const ways = waysToReach(n1, n2)
  const all = ways.reduce((sum, count) => sum + count, 0)
  return (u) => ways.slice(Math.floor(u)).reduceRight((sum, count) => sum + count, 0) / all
}

/** How many of the orders give U = 0, 1, …, n1·n2: choices of n1 from n1+n2 ranks by the sum of what they exceed. */
function waysToReach(n1: number, n2: number): Float64Array {
  const width = n1 * n2 + 1
  // row j: j of the ranks seen so far are taken, and each exceeds as many of y as came before it
  const ways = Array.from({ length: n1 + 1 }, () => new Float64Array(width))
  ways[0]![0] = 1
  for (let below = 0; below <= n2; below++) {
    for (let size = 1; size <= n1; size++) {
      const row = ways[size]!
      const fewer = ways[size - 1]!
      for (let u = below; u < width; u++) row[u]! += fewer[u - below]!
    }
  }
  return ways[n1]!
}
