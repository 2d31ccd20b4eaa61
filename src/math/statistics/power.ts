import { normalCritical, studentCritical, bisect, normalTail } from './distributions.ts'
import { exp } from '../portable.ts'
import { mean, pooledVariance } from './descriptive.ts'

/** A two-sided test at `alpha` with power in [.5, 1). */
export interface TestDesign {
  readonly alpha: number
  readonly power: number
}

/**
 * The detectable difference in standard errors: t_{1-α/2} + t_{power}. Infinite degrees of freedom take normal
 * quantiles, as Miller does (arXiv 2411.00640, section 5), which is optimistic for few clusters.
 */
export const errorsToDetect = ({ alpha, power }: TestDesign, degrees: number): number =>
  critical(1 - alpha, degrees) + critical(2 * power - 1, degrees)

/** Student's; from 200 degrees on by its expansion around the normal curve (Abramowitz and Stegun 26.7.5). */
function critical(level: number, degrees: number): number {
  if (degrees < 200) return studentCritical(level, degrees)
  const z = normalCritical(level)
  const square = z ** 2
  return z * (1 + (square + 1) / (4 * degrees) + (5 * square ** 2 + 16 * square + 3) / (96 * degrees ** 2))
}

/** The minimum detectable difference, from its standard error and degrees of freedom, plus `step`. */
export const smallestDifference = (error: number, degrees: number, design: TestDesign, step = 0): number =>
  errorsToDetect(design, degrees) * error + step

/** The fewest units with which a sign test can reach `alpha`. */
export function fewestUnits({ alpha }: TestDesign): number {
  let units = 2
  while (2 ** units * alpha < 2) units++
  return units
}

/**
 * The smallest number of independent units (questions, or clusters of them) that detects a difference, from the
 * variance of a unit and the step of one unit; at least what a sign test needs. `sharedPart`: variance of the mean that
 * more units do not reduce; Infinity where it alone hides the difference.
 */
export function requiredUnits(
  variance: number,
  difference: number,
  design: TestDesign,
  step = 0,
  sharedPart: SharedVariance = { variance: 0, degrees: Infinity },
): number {
  // lower bound by the normal approximation: the root of step·x² + errors·x - difference, x being 1 / √units
  const errors = errorsToDetect(design, Infinity) * Math.sqrt(variance)
  const root = (2 * difference) / (errors + Math.sqrt(errors ** 2 + 4 * step * difference))
  let units = Math.max(fewestUnits(design), Math.floor(1 / root ** 2))
  const isTooFew = (count: number): boolean => {
    const unitVariance = variance / count
    const total = unitVariance + sharedPart.variance
    const uncertainty = unitVariance ** 2 / (count - 1) + sharedPart.variance ** 2 / sharedPart.degrees
    const degrees = sharedPart.variance > 0 ? total ** 2 / uncertainty : count - 1
    return smallestDifference(Math.sqrt(total), degrees, design, step / count) > difference
  }
  if (sharedPart.variance > 0) {
    if (hides(sharedPart, difference, design)) return Infinity
    while (isTooFew(Math.ceil(units * 1.05))) units = Math.ceil(units * 1.05)
  }
  // integers end here
  while (units < Number.MAX_SAFE_INTEGER && isTooFew(units)) units++
  return units
}

/** Variance of a mean that more units do not reduce, and the degrees of freedom of its estimate. */
export interface SharedVariance {
  readonly variance: number
  readonly degrees: number
}

const hides = ({ variance, degrees }: SharedVariance, difference: number, design: TestDesign): boolean =>
  smallestDifference(Math.sqrt(variance), degrees, design) >= difference

/** The fewest indexes, at least two, whose between-index variance does not hide a difference. */
export function requiredIndexes(indexVariance: number, difference: number, design: TestDesign): number {
  const isTooFew = (count: number) => {
    const sharedPart = { variance: indexVariance / count, degrees: count - 1 }
    return hides(sharedPart, difference, design)
  }
  let indexes = 2
  while (isTooFew(indexes)) indexes++
  return indexes
}

/**
 * Probability that the two-sided paired t test at `alpha` finds a true mean of `effect` standard deviations in n pairs,
 * by the noncentral t distribution; n may be any number above 1.
 */
export function pairedTPower(n: number, effect: number, alpha = 0.05): number {
  if (!(n > 1)) throw new RangeError(`${n} pairs: a paired t test needs more than one`)
  const above = noncentralT(n - 1)
  const limit = bisect((t) => above(t, 0) > alpha / 2)
  const shift = effect * Math.sqrt(n)
  return above(limit, shift) + above(limit, -shift)
}

/** Log weights below this, relative to the largest, vanish in double precision. */
const negligible = -40

/**
 * P(T > t) of the noncentral t with that many degrees of freedom: the mean of P(Z > t·s - shift), s² being chi-squared
 * over its degrees. The trapezoidal rule over ln s is exact to rounding.
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

/** Scores of a system by question, repeat and judge run; may be unbalanced. */
export type NestedScores = readonly (readonly (readonly number[])[])[]

/** Within-question variances; NaN where there is only one repeat, or one judge run. */
interface NoiseWithin {
  /** Between repeats; includes the judge with a single judge run. Negative estimates count as 0. */
  readonly repeats: number
  /** Between judge runs of one answer. */
  readonly judgeRuns: number
}

/** The variances within a question by nested analysis of variance: judge runs in repeats, repeats in questions. */
export function noiseWithin(scores: NestedScores): NoiseWithin {
  const judgeRuns = pooledVariance(scores.flat())
  const means = pooledVariance(scores.map((repeats) => repeats.map((values) => mean(values))))
  return { repeats: means - orZero(judgeRuns) * shareOfRuns(scores.flat()), judgeRuns }
}

/** The variance of a question's mean over `repeats` of `judgeRuns` each. */
export const noiseAt = (noise: NoiseWithin, repeats: number, judgeRuns: number): number =>
  noiseOf(noise, repeats, 1 / judgeRuns)

/** The same for the given scores, averaged over questions. */
export const noiseOfMeans = (scores: NestedScores, noise: NoiseWithin): number =>
  mean(scores.map((repeats) => noiseOf(noise, repeats.length, shareOfRuns(repeats))))

const noiseOf = ({ repeats, judgeRuns }: NoiseWithin, count: number, share: number): number =>
  (Math.max(0, orZero(repeats)) + orZero(judgeRuns) * share) / count

/** The mean of 1 / judge runs. */
const shareOfRuns = (repeats: readonly (readonly number[])[]): number => mean(repeats.map(({ length }) => 1 / length))

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value)
