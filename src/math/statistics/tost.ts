import { studentWithin } from './student.ts'

/** Two one-sided t tests: `lower` against a mean of -margin or less, `upper` against one of margin or more; p is the larger. */
export interface Tost {
  readonly lower: number
  readonly upper: number
  readonly p: number
}

/**
 * Whether a mean lies within ±margin (TOST, Schuirmann 1987), from the mean, its standard error and the degrees of freedom of the error;
 * margin in the units of the mean. NaN where the error is 0 or unknown: equal values say nothing of how much others would differ.
 */
export function tost(mean: number, error: number, degrees: number, margin: number): Tost {
  if (!(error > 0 && degrees >= 1)) return { lower: NaN, upper: NaN, p: NaN }
  const lower = studentAbove((mean + margin) / error, degrees)
  const upper = studentAbove((margin - mean) / error, degrees)
  return { lower, upper, p: Math.max(lower, upper) }
}

/** Probability that Student's t exceeds t. */
function studentAbove(t: number, degrees: number): number {
  const outside = 1 - studentWithin(t, degrees)
  return t > 0 ? outside / 2 : 1 - outside / 2
}
