import { around, fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'

/** Our value minus a published one, and the variances of both as means over questions. */
export interface PublishedDifference {
  readonly difference: number
  /** Of ours, over `n` questions, with the degrees of freedom of its error. */
  readonly ours: number
  readonly degrees: number
  readonly n: number
  /** Of the published value: by its questions and its runs. */
  readonly theirs: number
  /** What counts as no difference. */
  readonly margin: number
}

/**
 * `equivalent`: within the margin by two one-sided t tests. `different`: the 95 % interval lies outside of it.
 * `needed`: questions with which equal values would be told with a power of .8; null where the published noise alone is
 * too large.
 */
export interface PublishedVerdict {
  readonly verdict: 'equivalent' | 'different' | 'cannot tell'
  readonly needed: number | null
}

export function publishedVerdict(found: PublishedDifference): PublishedVerdict {
  const { difference, ours, theirs, degrees, n, margin } = found
  const known = { mean: difference, error: Math.sqrt(ours + theirs), degrees }
  if (degrees >= fewestDegrees && tost(known, margin).p <= alpha) return { verdict: 'equivalent', needed: null }
  const { low, high } = around(difference, known)
  if (low > margin || high < -margin) return { verdict: 'different', needed: null }
  // equal values pass both tests with the power wanted where each fails half as often as both may
  const errors = normalCritical(1 - 2 * alpha) + normalCritical(usualPower)
  const left = (margin / errors) ** 2 - theirs
  return { verdict: 'cannot tell', needed: left > 0 ? Math.ceil((ours * n) / left) : null }
}

/** The more a verdict says that two values are equal, the higher. */
export const nearness = ({ verdict }: PublishedVerdict): number =>
  ['different', 'cannot tell', 'equivalent'].indexOf(verdict)
