import type { GraphOperator } from './graph-operator.ts'
import { largestGap, themeEstimate, type ThemeEstimateOptions } from './theme-estimate.ts'
import type { PairFacts } from './weights.ts'

/** Facts about a graph and its spectrum, for the notes under a table. */
export interface SpectrumStats extends PairFacts {
  readonly n: number
  readonly form: GraphOperator['form']
  /** Nodes without weight. */
  readonly isolated: number
  readonly trace: number
  /** Λ of remark 3: the sum of all squared eigenvalues. */
  readonly Lambda: number
  /** Remark 2; null where its conditions are not met by the eigenvalues at hand. */
  readonly themeEstimate: number | null
  readonly largestGapIndex: number | null
}

/** The facts of L and of those of its eigenvalues that were computed. */
export function spectrumStats(
  operator: GraphOperator,
  values: ArrayLike<number>,
  options: Partial<ThemeEstimateOptions> = {},
): SpectrumStats {
  return {
    n: operator.n,
    form: operator.form,
    isolated: operator.degrees.filter((degree) => degree === 0).length,
    trace: operator.trace,
    Lambda: operator.squares(),
    themeEstimate: themeEstimate(values, options),
    largestGapIndex: largestGap(values),
    ...operator.facts,
  }
}
