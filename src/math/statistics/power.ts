import { normalBound, studentBound, bisect, normalTail } from './distributions.ts'
import { exp } from '../portable.ts'
import { mean, pooledVariance } from './descriptive.ts'

/**
 * A test that is wanted: two-sided at `alpha`, and how often it is to find a difference that is there; .5 or more,
 * below 1.
 */
export interface TestWanted {
  readonly alpha: number
  readonly power: number
}

/**
 * How many standard errors a true difference must have to be found: t_{1-α/2} + t_{power}, by Student's t. The degrees
 * of freedom are those of the error; Infinity takes normal quantiles, as Miller does (arXiv
 * 2411.00640, section 5), who promises too much of few clusters.
 */
export const errorsToDetect = ({ alpha, power }: TestWanted, degrees: number): number =>
  bound(1 - alpha, degrees) + bound(2 * power - 1, degrees)

/** Student's; from 200 degrees on by its expansion around the normal curve (Abramowitz and Stegun 26.7.5). */
function bound(level: number, degrees: number): number {
  if (degrees < 200) return studentBound(level, degrees)
  const z = normalBound(level)
  const square = z ** 2
  return z * (1 + (square + 1) / (4 * degrees) + (5 * square ** 2 + 16 * square + 3) / (96 * degrees ** 2))
}

/** The smallest true difference that is found, from its standard error and its degrees of freedom; `step` is added. */
export const smallestDifference = (error: number, degrees: number, wanted: TestWanted, step = 0): number =>
  errorsToDetect(wanted, degrees) * error + step

/** The fewest units with which a sign test can reach `alpha`: below, every one of 2^units signs is too likely. */
export function fewestUnits({ alpha }: TestWanted): number {
  let units = 2
  while (2 ** units * alpha < 2) units++
  return units
}

/**
 * The least whole number of independent units (questions, or clusters of them) with which a difference is found, from
 * the variance of a unit's part in it and the step of one unit: never fewer than a sign test needs. `shared`: what adds
 * to the variance of the mean however many units there are; Infinity where that alone hides the difference.
 */
export function unitsNeeded(
  variance: number,
  difference: number,
  wanted: TestWanted,
  step = 0,
  shared: SharedVariance = { variance: 0, degrees: Infinity },
): number {
  // by the normal curve, which needs fewer: the root of step·x² + errors·x - difference, x being 1 / √units
  const errors = errorsToDetect(wanted, Infinity) * Math.sqrt(variance)
  const root = (2 * difference) / (errors + Math.sqrt(errors ** 2 + 4 * step * difference))
  let units = Math.max(fewestUnits(wanted), Math.floor(1 / root ** 2))
  const isTooFew = (count: number): boolean => {
    const own = variance / count
    const degrees =
      shared.variance > 0
        ? (own + shared.variance) ** 2 / (own ** 2 / (count - 1) + shared.variance ** 2 / shared.degrees)
        : count - 1
    return smallestDifference(Math.sqrt(own + shared.variance), degrees, wanted, step / count) > difference
  }
  if (shared.variance > 0) {
    if (hides(shared, difference, wanted)) return Infinity
    while (isTooFew(Math.ceil(units * 1.05))) units = Math.ceil(units * 1.05)
  }
  // beyond whole numbers there is no next one
  while (units < Number.MAX_SAFE_INTEGER && isTooFew(units)) units++
  return units
}

/** A part of the variance of a mean that more units do not lessen, and the degrees of freedom of its estimate. */
export interface SharedVariance {
  readonly variance: number
  readonly degrees: number
}

/** Whether such a part hides a difference however many units there are. */
const hides = ({ variance, degrees }: SharedVariance, difference: number, wanted: TestWanted): boolean =>
  smallestDifference(Math.sqrt(variance), degrees, wanted) >= difference

/** The fewest indexes, at least two, whose luck of that variance each does not hide a difference. */
export function indexesNeeded(luck: number, difference: number, wanted: TestWanted): number {
  let indexes = 2
  while (hides({ variance: luck / indexes, degrees: indexes - 1 }, difference, wanted)) indexes++
  return indexes
}

/**
 * Probability that the two-sided paired t test at `alpha` finds a true mean of `effect` standard deviations in n pairs,
 * by the noncentral t distribution; n may be any number above 1.
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
 * P(T > t) of the noncentral t with that many degrees of freedom: the mean of P(Z > t·s - shift), s² being chi-squared
 * over its degrees. The sum over equal steps of ln s is exact to rounding, since the integrand falls to 0 on both
 * sides.
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

/** Scores of a row, by question, repeat and judge run; as many of each as there are. */
export type NestedScores = readonly (readonly (readonly number[])[])[]

/** How a score of one question varies by chance; NaN where one repeat, or one judge run, says nothing of it. */
interface NoiseWithin {
  /**
   * Between repeats; with only one judge run what the judge adds is part of it. Negative where judge runs alone vary
   * more: read as 0.
   */
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

/** The variance by chance of a question's mean over so many repeats of so many judge runs each. */
export const noiseAt = (noise: NoiseWithin, repeats: number, judgeRuns: number): number =>
  noiseOf(noise, repeats, 1 / judgeRuns)

/** The same for the scores that there are, in the mean over questions. */
export const noiseOfMeans = (scores: NestedScores, noise: NoiseWithin): number =>
  mean(scores.map((own) => noiseOf(noise, own.length, shareOfRuns(own))))

const noiseOf = ({ repeats, judgeRuns }: NoiseWithin, count: number, share: number): number =>
  (Math.max(0, orZero(repeats)) + orZero(judgeRuns) * share) / count

/** The mean of 1 / judge runs. */
const shareOfRuns = (repeats: readonly (readonly number[])[]): number => mean(repeats.map(({ length }) => 1 / length))

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value)
