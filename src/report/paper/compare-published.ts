import { around, fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'

/** Our value minus a published one, with the variances of both means. */
interface PublishedDifference {
  readonly difference: number
  /** Variance of ours over `n` questions; `degrees` of its error. */
  readonly ourVariance: number
  readonly degrees: number
  readonly n: number
  /** Variance of the published value: questions plus runs. */
  readonly publishedVariance: number
  /** Equivalence margin. */
  readonly margin: number
}

/**
 * `equivalent`: two one-sided t tests within the margin; `different`: the 95 % interval lies outside. `needed`:
 * questions that show equal values with 80 % power; null where the published noise alone is too large.
 */
export interface PublishedOutcome {
  readonly outcome: 'equivalent' | 'different' | 'not determined'
  readonly needed: number | null
}

export function compareWithPaper(comparison: PublishedDifference): PublishedOutcome {
  const { difference, ourVariance, publishedVariance, degrees, n, margin } = comparison
  const estimate = { mean: difference, error: Math.sqrt(ourVariance + publishedVariance), degrees }
  if (degrees >= fewestDegrees && tost(estimate, margin).p <= alpha) return { outcome: 'equivalent', needed: null }
  const { low, high } = around(difference, estimate)
  if (low > margin || high < -margin) return { outcome: 'different', needed: null }
  // for equal values each test may fail half as often as both together
  const errors = normalCritical(1 - 2 * alpha) + normalCritical(usualPower)
  const remainingVariance = (margin / errors) ** 2 - publishedVariance
  return {
    outcome: 'not determined',
    needed: remainingVariance > 0 ? Math.ceil((ourVariance * n) / remainingVariance) : null,
  }
}

/** Higher: closer to equal. */
export const nearness = ({ outcome }: PublishedOutcome): number =>
  ['different', 'not determined', 'equivalent'].indexOf(outcome)
