import type { Factors } from '../../math/spectrum/factors.ts'
import { graphOperator, type GraphOperator } from '../../math/spectrum/graph-operator.ts'
import { leadingEigenpairs, type Eigenpairs } from '../../math/spectrum/leading-eigenpairs.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import type { GemOptions } from './options.ts'

/** The graph of a memory's chunks in the eyes of its eigenvectors: plain data. */
export interface Spectrum {
  readonly graph: MeasuredGraph
  /** The leading eigenpairs, a few more than the k that make themes. */
  readonly pairs: Eigenpairs
  /** Eigenvalues for remark 2, as many whatever k is: all of a small graph, else the first ten; none where they are not sure. */
  readonly values: Float64Array
}

/** What is kept of L = D^-1/2 W D^-1/2. `Lambda`: the sum of all squared eigenvalues (Remark 3). */
export interface MeasuredGraph extends Pick<GraphOperator, 'n' | 'form' | 'degrees' | 'trace' | 'pairStats'> {
  readonly Lambda: number
}

/** The pairs beyond k show the gap that remark 2 looks for. */
const shownFor = (components: number): number => Math.max(components, 2) + 8

/**
 * W of S, the matrix L, and its spectrum. The seed is asked for where the solver may start from it. `memory`: bytes that weights may take.
 * Throws RangeError where the options would need more.
 */
export function spectrumOf(
  factors: Factors,
  { symmetrize, components, memory }: Pick<GemOptions, 'symmetrize' | 'components'> & { readonly memory?: number },
  seed: () => number,
): Spectrum {
  const operator = graphOperator(factors, { symmetrize, ...(memory !== undefined && { memory }) })
  const { n, form, degrees, trace, pairStats } = operator
  const graph = { n, form, degrees, trace, pairStats, Lambda: operator.squares() }
  // the dense solver of a small graph finds all of them at once
  const whole = n <= fewNodes
  const shown = shownFor(components)
  const found = leadingEigenpairs(operator, whole ? n : shown, { order: 'magnitude', ...(!whole && { seed: seed() }) })
  const pairs = {
    ...found,
    values: found.values.slice(0, shown),
    vectors: found.vectors.slice(0, shown),
    residuals: found.residuals.slice(0, shown),
  }
  const sure = found.converged ? found.values : new Float64Array()
  return { graph, pairs, values: whole ? sure : sure.slice(0, shownFor(0)) }
}
