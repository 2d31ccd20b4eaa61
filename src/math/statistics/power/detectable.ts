import { normalBound } from '../normal.ts'
import { studentBound } from '../student.ts'

/** A test that is wanted: two-sided at `alpha`, and how often it is to find a difference that is there; .5 or more, below 1. */
export interface TestWanted {
  readonly alpha: number
  readonly power: number
}

/**
 * How many standard errors a true difference must have to be found: t_{1-α/2} + t_{power}, by Student's t. The degrees of freedom are those
 * of the error, clusters - 1 as a rule; Infinity takes normal quantiles, as Miller does (arXiv 2411.00640, section 5), who promises too much of few clusters.
 */
export const errorsToDetect = ({ alpha, power }: TestWanted, degrees: number): number =>
  bound(1 - alpha, degrees) + bound(2 * power - 1, degrees)

/** Student's; from 200 degrees on by two terms of its expansion around the normal curve (Abramowitz and Stegun 26.7.5), right to six digits. */
function bound(level: number, degrees: number): number {
  if (degrees < 200) return studentBound(level, degrees)
  const z = normalBound(level)
  const square = z ** 2
  return z * (1 + (square + 1) / (4 * degrees) + (5 * square ** 2 + 16 * square + 3) / (96 * degrees ** 2))
}

/** The smallest true difference that is found, from its standard error over so many independent units; `step` is added to it. */
export const smallestDifference = (error: number, units: number, wanted: TestWanted, step = 0): number =>
  errorsToDetect(wanted, units - 1) * error + step

/** The fewest units with which a sign test can reach `alpha`: below, every one of 2^units signs is too likely. */
export function fewestUnits({ alpha }: TestWanted): number {
  let units = 2
  while (2 ** units * alpha < 2) units++
  return units
}

/**
 * The least whole number of independent units (questions, or clusters of them) with which a difference is found, from the variance of a
 * unit's part in it and the step of one unit: never fewer than a sign test needs.
 */
export function unitsNeeded(variance: number, difference: number, wanted: TestWanted, step = 0): number {
  // by the normal curve, which needs fewer: the root of step·x² + errors·x - difference, x being 1 / √units
  const errors = errorsToDetect(wanted, Infinity) * Math.sqrt(variance)
  const root = (2 * difference) / (errors + Math.sqrt(errors ** 2 + 4 * step * difference))
  let units = Math.max(fewestUnits(wanted), Math.floor(1 / root ** 2))
  const isTooFew = (): boolean =>
    smallestDifference(Math.sqrt(variance / units), units, wanted, step / units) > difference
  // beyond whole numbers there is no next one
  while (units < Number.MAX_SAFE_INTEGER && isTooFew()) units++
  return units
}
