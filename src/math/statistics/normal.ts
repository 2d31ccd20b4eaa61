import { bisect } from './bisect.ts'
import { exp } from '../portable.ts'

/** Probability that a standard normal variable exceeds z; about 1e-15 absolute. */
export const normalTail = (z: number): number => erfc(z / Math.SQRT2) / 2

/** Complementary error function (Abramowitz and Stegun 7.1.6 below 2, the continued fraction 7.1.14 above). */
export function erfc(x: number): number {
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
