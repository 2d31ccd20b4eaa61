import { bisect } from '../bisect.ts'
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
export function errorsToDetect({ alpha, power }: TestWanted, degrees: number): number {
  const bound = degrees > likeNormal ? normalBound : (level: number): number => studentBound(level, degrees)
  return bound(1 - alpha) + bound(2 * power - 1)
}

/** From here on Student's t differs from the normal curve by less than one part in five thousand. */
const likeNormal = 10_000

/** The smallest true difference that is found, from its standard error over so many independent units; `step` is added to it. */
export const smallestDifference = (error: number, units: number, wanted: TestWanted, step = 0): number =>
  errorsToDetect(wanted, units - 1) * error + step

/** The fewest units with which a sign test can reach `alpha`: below, every one of 2^units signs is too likely. */
export const fewestUnits = ({ alpha }: TestWanted): number => Math.max(2, Math.ceil(Math.log2(2 / alpha)))

/**
 * The least whole number of independent units (questions, or clusters of them) with which a difference is found, from the variance of a
 * unit's part in it and the step of one unit: never fewer than a sign test needs.
 */
export function unitsNeeded(variance: number, difference: number, wanted: TestWanted, step = 0): number {
  const fewest = fewestUnits(wanted)
  const isTooFew = (units: number): boolean =>
    smallestDifference(Math.sqrt(variance / units), units, wanted, step / units) > difference
  return isTooFew(fewest) ? fewest + Math.round(bisect((more) => isTooFew(fewest + Math.ceil(more)))) + 1 : fewest
}
