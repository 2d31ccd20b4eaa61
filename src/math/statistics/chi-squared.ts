import { bisect } from './bisect.ts'
import { erfc } from './normal.ts'
import { exp, log } from '../portable.ts'

/** Probability that chi-squared with a whole number of degrees of freedom exceeds x (Abramowitz and Stegun 26.4.4 and 26.4.5). */
export function chiSquaredAbove(x: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1) throw new RangeError(`${degrees} degrees of freedom: must be 1, 2, …`)
  if (x <= 0) return 1
  const half = x / 2
  const odd = degrees % 2 === 1
  let total = odd ? erfc(Math.sqrt(half)) : 0
  // in logarithms, because the first terms of many degrees are below the smallest number
  let logTerm = odd ? log(half / Math.PI) / 2 + Math.LN2 - half : -half
  for (let i = odd ? 1.5 : 1; i <= degrees / 2; i++) {
    total += exp(logTerm)
    logTerm += log(half / i)
  }
  return Math.min(1, total)
}

/** The x that chi-squared exceeds with probability `above` in (0, 1). */
export const chiSquaredBound = (above: number, degrees: number): number =>
  bisect((x) => chiSquaredAbove(x, degrees) > above)

/** How many times a variance may be as large as its estimate says, at least and at most, with probability `level` (normal values). */
export function varianceFactors(degrees: number, level = 0.95): readonly [least: number, most: number] {
  const outside = (1 - level) / 2
  return [degrees / chiSquaredBound(outside, degrees), degrees / chiSquaredBound(1 - outside, degrees)]
}
