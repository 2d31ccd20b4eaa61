import type { GraphOperator } from './graph-operator.ts'
import type { EigenOrder } from './order.ts'
import { largestGap, themeEstimate, type ThemeEstimateOptions, type Unknown } from './theme-estimate.ts'
import type { PairStats } from './weights.ts'

/** Facts about a graph and its spectrum, for the notes under a table. */
export interface SpectrumStats extends PairStats {
  readonly n: number
  readonly form: GraphOperator['form']
  /** Nodes without weight. */
  readonly isolated: number
  readonly trace: number
  /** Λ of remark 3: the sum of all squared eigenvalues. */
  readonly Lambda: number
  /** Remark 2; null where nothing meets its conditions, undefined where eigenvalues that were not computed may. */
  readonly themeEstimate: number | null | undefined
  /** null for fewer than three nodes, undefined where a larger gap may lie between eigenvalues that were not computed. */
  readonly largestGapIndex: number | null | undefined
}

/** Statistics of L and of those of its eigenvalues that were computed, the first ones in their order. */
export function spectrumStats(
  operator: Pick<GraphOperator, 'n' | 'form' | 'degrees' | 'trace' | 'pairStats' | 'squares'>,
  values: ArrayLike<number>,
  { order = 'magnitude', ...options }: Partial<ThemeEstimateOptions & { readonly order: EigenOrder }> = {},
): SpectrumStats {
  const unknown = unknownOf(values, operator.n, order)
  return {
    n: operator.n,
    form: operator.form,
    isolated: operator.degrees.filter((degree) => degree === 0).length,
    trace: operator.trace,
    Lambda: operator.squares(),
    themeEstimate: themeEstimate(values, options, unknown),
    largestGapIndex: largestGap(values, unknown),
    ...operator.pairStats,
  }
}

/** What comes after the last of the leading eigenvalues is no larger: in magnitude, or as it stands. */
function unknownOf(values: ArrayLike<number>, n: number, order: EigenOrder): Unknown | undefined {
  if (values.length >= n) return undefined
  if (order === 'algebraic') return { low: -Infinity, high: Math.min(...Array.from(values)) }
  const high = Math.min(...Array.from(values, Math.abs))
  return { low: -high, high }
}
