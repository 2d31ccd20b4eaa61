import type { Alternative } from './alternative.ts'
import { normalTail } from './normal.ts'
import { differences } from './pairs.ts'
import { midRanks, tieTerm } from './ranks.ts'

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
