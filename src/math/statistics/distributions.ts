import { exp, log } from '../portable.ts'

/**
 * Probability that Student's t with a whole number of degrees of freedom lies within ±t (Abramowitz and Stegun 26.7.3
 * and 26.7.4). Throws RangeError for other degrees of freedom.
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

/** Probability that a standard normal variable exceeds z; about 1e-15 absolute. */
export const normalTail = (z: number): number => erfc(z / Math.SQRT2) / 2

/** Complementary error function (Abramowitz and Stegun 7.1.6 below 2, the continued fraction 7.1.14 above). */
function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x)
  return x < 2 ? 1 - erfSeries(x) : erfcFraction(x)
}

function erfSeries(x: number): number {
  let term = x
  let total = x
  for (let n = 1; term > total * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    total += term
  }
  return (2 / Math.sqrt(Math.PI)) * exp(-x * x) * total
}

function erfcFraction(x: number): number {
  let below = x
  // from x = 2 on, 100 levels are exact to the last bits
  for (let level = 100; level > 0; level--) below = x + level / 2 / below
  return exp(-x * x) / below / Math.sqrt(Math.PI)
}

/** The z such that a standard normal variable lies within ±z with probability `level` in (0, 1). */
export const normalBound = (level: number): number => bisect((z) => 2 * normalTail(z) > 1 - level)

/**
 * Probability that chi-squared with a whole number of degrees of freedom exceeds x (Abramowitz and Stegun 26.4.4 and
 * 26.4.5).
 */
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

/**
 * How many times a variance may be as large as its estimate says, at least and at most, with probability `level`
 * (normal values).
 */
export function varianceFactors(degrees: number, level = 0.95): readonly [least: number, most: number] {
  const outside = (1 - level) / 2
  return [degrees / chiSquaredBound(outside, degrees), degrees / chiSquaredBound(1 - outside, degrees)]
}

/** Where `isBelow`, true at 0 and false from some x > 0 on, ends: found by doubling from 1 and 64 halvings. */
export function bisect(isBelow: (x: number) => boolean): number {
  let [low, high] = [0, 1]
  while (isBelow(high)) high *= 2
  for (let step = 0; step < 64; step++) {
    const middle = (low + high) / 2
    if (isBelow(middle)) low = middle
    else high = middle
  }
  return (low + high) / 2
}
