import { bisect } from '../bisect.ts'
import { normalTail } from '../normal.ts'
import { exp } from '../../portable.ts'

/**
 * Probability that the two-sided paired t test at `alpha` finds a true mean of `effect` standard deviations in n pairs, by the noncentral t
 * distribution; n may be any number above 1.
 */
export function pairedTPower(n: number, effect: number, alpha = 0.05): number {
  if (!(n > 1)) throw new RangeError(`${n} pairs: a paired t test needs more than one`)
  const above = noncentralT(n - 1)
  const bound = bisect((t) => above(t, 0) > alpha / 2)
  const shift = effect * Math.sqrt(n)
  return above(bound, shift) + above(bound, -shift)
}

/** Least logarithm of a weight beside the greatest that still counts in double precision. */
const negligible = -40

/**
 * P(T > t) of the noncentral t with that many degrees of freedom: the mean of P(Z > t·s - shift), s² being chi-squared over its degrees. The
 * sum over equal steps of ln s is exact to rounding, since the integrand falls to 0 on both sides.
 */
function noncentralT(degrees: number): (t: number, shift: number) => number {
  const logWeight = (u: number): number => degrees * (u + (1 - exp(2 * u)) / 2)
  const step = 0.25 / Math.sqrt(2 * Math.max(1, degrees))
  const nodes: { readonly s: number; readonly weight: number }[] = []
  for (const direction of [1, -1])
    for (let i = direction === 1 ? 0 : 1; logWeight(direction * i * step) > negligible; i++) {
      const u = direction * i * step
      nodes.push({ s: exp(u), weight: exp(logWeight(u)) })
    }
  const all = nodes.reduce((total, { weight }) => total + weight, 0)
  return (t, shift) => nodes.reduce((total, { s, weight }) => total + weight * normalTail(t * s - shift), 0) / all
}
