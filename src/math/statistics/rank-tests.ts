import { type Alternative, differences, midRanks, tieTerm } from './descriptive.ts'
import { normalTail } from './distributions.ts'

export interface WilcoxonOptions {
  readonly alternative?: Alternative
  /** `auto`: exact up to 50 pairs, else normal. A zero difference makes any of them normal. */
  readonly method?: 'auto' | 'exact' | 'normal'
  /** `drop`: zero differences are left out; `pratt`: they are ranked, then left out. */
  readonly zeros?: 'drop' | 'pratt'
  /** Half a unit towards the mean in the normal method. */
  readonly continuity?: boolean
}

/**
 * Wilcoxon's signed ranks of pairs, as scipy.stats.wilcoxon 1.10.1. The statistic is the smaller sum of ranks, or that of the
 * positive differences when one-sided. Throws RangeError when every difference is zero.
 */
export function wilcoxon(x: readonly number[], y: readonly number[], options: WilcoxonOptions = {}) {
  const { alternative = 'two-sided', method = 'auto', zeros = 'drop', continuity = false } = options
  const all = differences(x, y)
  const nonzero = all.filter((difference) => difference !== 0)
  if (nonzero.length === 0) throw new RangeError('Wilcoxon needs a pair that differs')
  const exact = nonzero.length === all.length && (method === 'auto' ? all.length <= 50 : method === 'exact')
  const { plus, minus, ranks } = rankSums(zeros === 'pratt' ? all : nonzero)
  const statistic = alternative === 'two-sided' ? Math.min(plus, minus) : plus
  const p = exact
    ? exactP(plus, all.length, alternative)
    : normalP(statistic, ranks, all.length - nonzero.length, { alternative, zeros, continuity })
  return { statistic, p, exact }
}

/** Sums of the ranks of |d| by sign, and the ranks of the non-zero ones. */
function rankSums(all: readonly number[]) {
  const { ranks } = midRanks(all.map(Math.abs))
  const sumWhere = (sign: number) => ranks.reduce((sum, rank, i) => sum + (Math.sign(all[i]!) === sign ? rank : 0), 0)
  return { plus: sumWhere(1), minus: sumWhere(-1), ranks: ranks.filter((_, i) => all[i] !== 0) }
}

/** Over all 2^n signs of the ranks 1…n; a sum that ties have made a half is cut to the whole below. */
function exactP(plus: number, n: number, alternative: Alternative): number {
  const chance = chanceOfSum(n)
  const at = Math.floor(plus)
  const less = total(chance.subarray(0, at + 1))
  const greater = total(chance.subarray(at))
  if (alternative === 'two-sided') return Math.min(1, 2 * Math.min(less, greater))
  return Math.min(1, alternative === 'greater' ? greater : less)
}

/** Probability of every sum of positive ranks, 0…n(n+1)/2. */
function chanceOfSum(n: number): Float64Array {
  const chance = new Float64Array((n * (n + 1)) / 2 + 1)
  chance[0] = 1
  for (let rank = 1; rank <= n; rank++) {
    for (let sum = (rank * (rank + 1)) / 2; sum >= 0; sum--) {
      chance[sum] = (chance[sum]! + (sum >= rank ? chance[sum - rank]! : 0)) / 2
    }
  }
  return chance
}

const total = (chances: Float64Array): number => chances.reduce((sum, chance) => sum + chance, 0)

type Normal = Required<Omit<WilcoxonOptions, 'method'>>

/** By the normal curve, its spread lessened by ties; with `pratt` also by the zeros (Cureton 1967). */
function normalP(statistic: number, ranks: readonly number[], zeroCount: number, how: Normal): number {
  const { alternative, zeros, continuity } = how
  const pratt = zeros === 'pratt' ? zeroCount : 0
  const n = ranks.length + pratt
  const mean = (n * (n + 1) - pratt * (pratt + 1)) / 4
  const squares = n * (n + 1) * (2 * n + 1) - pratt * (pratt + 1) * (2 * pratt + 1)
  const spread = Math.sqrt((squares - tieTerm(midRanks(ranks).ties) / 2) / 24)
  const sign = alternative === 'two-sided' ? Math.sign(statistic - mean) : alternative === 'less' ? -1 : 1
  const z = (statistic - mean - (continuity ? sign / 2 : 0)) / spread
  if (alternative === 'two-sided') return Math.min(1, 2 * normalTail(Math.abs(z)))
  return normalTail(alternative === 'greater' ? z : -z)
}

export interface MannWhitneyOptions {
  readonly alternative?: Alternative
  /** `auto`: exact where a group has at most 8 values and nothing is tied, else asymptotic (scipy 1.10). */
  readonly method?: 'auto' | 'exact' | 'asymptotic'
  /** Half a unit towards the mean in the asymptotic method. */
  readonly continuity?: boolean
}

/**
 * Mann–Whitney U of two independent groups, as scipy.stats.mannwhitneyu 1.10.1: `u1` of x, `u2` of y (u1 + u2 = n1·n2), and p.
 * Throws RangeError when a group is empty.
 */
export function mannWhitney(x: readonly number[], y: readonly number[], options: MannWhitneyOptions = {}) {
  const { alternative = 'two-sided', method = 'auto', continuity = true } = options
  if (x.length === 0 || y.length === 0) throw new RangeError('Mann–Whitney needs values in both groups')
  const [n1, n2] = [x.length, y.length]
  const { ranks, ties } = midRanks([...x, ...y])
  const u1 = ranks.slice(0, n1).reduce((sum, rank) => sum + rank, 0) - (n1 * (n1 + 1)) / 2
  const u2 = n1 * n2 - u1
  const exact = method === 'auto' ? Math.min(n1, n2) <= 8 && ties.length === n1 + n2 : method === 'exact'
  const tail = exact ? exactTail(n1, n2) : asymptoticTail(n1, n2, ties, continuity)
  return { u1, u2, p: pValue(tail, u1, u2, alternative), exact }
}

/** U1 / (n1·n2): how often a value of x beats one of y, a tie counting half; and the same on -1..1. */
export function rankEffect(u1: number, n1: number, n2: number) {
  const commonLanguage = u1 / (n1 * n2)
  return { commonLanguage, rankBiserial: 2 * commonLanguage - 1 }
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
    for (let taken = 1; taken <= n1; taken++) {
      const row = ways[taken]!
      const fewer = ways[taken - 1]!
      for (let u = below; u < width; u++) row[u]! += fewer[u - below]!
    }
  }
  return ways[n1]!
}
