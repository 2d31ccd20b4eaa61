import { bisect } from './bisect.ts'

/**
 * Probability that Student's t with a whole number of degrees of freedom lies within ±t (Abramowitz and Stegun 26.7.3 and 26.7.4).
 * Throws RangeError for other degrees of freedom.
 */
export function studentWithin(t: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1) throw new RangeError(`${degrees} degrees of freedom: must be 1, 2, …`)
  const slope = Math.abs(t) / Math.sqrt(degrees)
  const angle = Math.atan(slope)
  const cosine = 1 / Math.sqrt(1 + slope ** 2)
  const sine = slope === Infinity ? 1 : slope * cosine
  const odd = degrees % 2
  let term = odd ? cosine : 1
  let series = degrees === 1 ? 0 : term
  for (let i = odd ? 3 : 2; i < degrees; i += 2) {
    term *= ((i - 1) / i) * cosine ** 2
    series += term
  }
  return odd ? (2 / Math.PI) * (angle + sine * series) : sine * series
}

/** The t such that Student's t lies within ±t with probability `level` in (0, 1). */
export const studentBound = (level: number, degrees: number): number => bisect((t) => studentWithin(t, degrees) < level)
