import type { GraphOperator } from './graph-operator.ts'

/** Statistics of a graph and its spectrum. */
export interface SpectrumStats {
  readonly form: GraphOperator['form']
  /** Λ of remark 3: the sum of all squared eigenvalues. */
  readonly Lambda: number
  /** Remark 2; null where no value certainly meets its conditions. */
  readonly themeEstimate: number | null
  /** null for fewer than three nodes, and where values not computed may hold a larger gap. */
  readonly largestGapIndex: number | null
}

/** Statistics of L and its eigenvalues, all or those of largest magnitude. */
export function spectrumStats(
  operator: Pick<GraphOperator, 'n' | 'form' | 'squares'>,
  values: readonly number[],
): SpectrumStats {
  const bound = values.length < operator.n ? Math.min(...values.map(Math.abs)) : undefined
  return {
    form: operator.form,
    Lambda: operator.squares(),
    themeEstimate: themeEstimate(values, bound),
    largestGapIndex: largestGap(values, bound),
  }
}

/** What "near 1" means for λ_d / λ_1 in remark 2, and how far λ_(d+1) / λ_1 must fall below it (our reading). */
const minBeta = 0.5
const leastFall = 0.1

/**
 * Remark 2: with β_i = λ_i/λ_1 and λ falling, the first d >= 2 whose β_d is near 1 and more than c above β_(d+1). null
 * where there is none, or none is certain because values are unknown. `bound`: their largest magnitude.
 */
export function themeEstimate(values: readonly number[], bound?: number): number | null {
  const first = Math.max(...values)
  const isWide = ({ from, least }: Gap): boolean => from >= minBeta * first && least > leastFall * first
  return gapsOf(values, bound).find(isWide)?.d ?? null
}

/**
 * The d >= 2 with the largest λ_d - λ_(d+1), λ falling, the first of equal ones. null for fewer than three values, and
 * where unknown values may have a larger one.
 */
export function largestGap(values: readonly number[], bound?: number): number | null {
  const gaps = gapsOf(values, bound)
  const widest = gaps.reduce<Gap | undefined>((best, gap) => (best && best.least >= gap.least ? best : gap), undefined)
  if (!widest || bound === undefined) return widest?.d ?? null
  // the widest that the last gap, one between unknown values, and those between negative values may be
  const last = gaps.at(-1)
  const below = values.filter((value) => value < bound).sort((a, b) => b - a)
  const rivals = [2 * bound, ...below.map((value, at) => (below[at - 1] ?? bound) - value)]
  if (last && last !== widest) rivals.push(last.from + bound)
  return rivals.every((most) => most <= widest.least) ? widest.d : null
}

/** The gap λ_d - λ_(d+1), or its least width where λ_(d+1) is unknown; `from` is λ_d. */
interface Gap {
  readonly d: number
  readonly from: number
  readonly least: number
}

/** The gaps from d = 2 on of the values whose order is certain; the last one may lead to an unknown value. */
function gapsOf(values: readonly number[], bound: number | undefined): readonly Gap[] {
  const falling = values.toSorted((a, b) => b - a)
  const certain = bound === undefined ? falling : [...falling.filter((value) => value >= bound), bound]
  return certain.slice(1, -1).map((from, at) => ({ d: at + 2, from, least: from - certain[at + 2]! }))
}
