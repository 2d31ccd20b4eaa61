import { exp, log } from '../portable.ts'

/**
 * Probability that Student's t lies beyond ±t; the degrees of freedom are any number above 0. It is the incomplete beta
 * function I_x(ν/2, 1/2) at x = ν / (ν + t²). Throws RangeError for other degrees of freedom.
 */
export function studentOutside(t: number, degrees: number): number {
  if (!(degrees > 0)) throw new RangeError(`${degrees} degrees of freedom: must be above 0`)
  const square = t ** 2 / degrees
  if (square === Infinity) return 0
  const outside = 1 / (1 + square)
  const inside = square / (1 + square)
  const half = degrees / 2
  // x^a (1 - x)^b / B(a, b), B being √π Γ(a) / Γ(a + 1/2)
  const front = (exp(-half * log1p(square)) * Math.sqrt(inside) * gammaRatio(half)) / Math.sqrt(Math.PI)
  if (outside < (half + 1) / (half + 2.5)) return (front * betaFraction(outside, half, 0.5)) / half
  return 1 - 2 * front * betaFraction(inside, 0.5, half)
}

/** ln(1 + x) for x >= 0, also of a small x (Abramowitz and Stegun 4.1.24). */
function log1p(x: number): number {
  if (x > 0.01) return log(1 + x)
  let total = 0
  for (let n = 9; n > 0; n--) total = x * (1 / n - total)
  return total
}

/** Γ(a + 1/2) / Γ(a): from a = 30 on by its expansion (Tricomi and Erdélyi 1951), below by Γ(a + 1) = a Γ(a). */
function gammaRatio(a: number): number {
  let factor = 1
  let at = a
  for (; at < 30; at++) factor *= at / (at + 0.5)
  const terms = [1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304, 39325 / 33554432]
  return factor * Math.sqrt(at) * terms.reduceRight((total, term) => total / at + term, 0)
}

/** The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let above = 1
  let below = 1 / (1 - ((a + b) * x) / (a + 1))
  let value = below
  for (let m = 1; m < 10_000; m++) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      below = 1 / (1 + term * below)
      above = 1 + term / above
      value *= below * above
    }
    if (Math.abs(below * above - 1) < 1e-16) break
  }
  return value
}

/**
 * Probability that Fisher's F with whole numbers of degrees of freedom exceeds f > 0: the incomplete beta function
 * I_x(within / 2, between / 2) at x = within / (within + between f).
 */
export function fisherAbove(f: number, between: number, within: number): number {
  const a = within / 2
  const b = between / 2
  const x = within / (within + between * f)
  const logPowers = a * log(x) + b * log(1 - x)
  const front = exp(logPowers + logGamma(within + between) - logGamma(within) - logGamma(between))
  if (!(front > 0)) return x < 0.5 ? 0 : 1
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a
  return 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** ln Γ(k / 2) of a whole number k > 0. */
function logGamma(k: number): number {
  let total = k % 2 === 0 ? 0 : log(Math.PI) / 2
  for (let at = k - 2; at > 0; at -= 2) total += log(at / 2)
  return total
}

/** The t such that Student's t lies within ±t with probability `level` in (0, 1), by Newton's method from 0. */
export const studentCritical = (level: number, degrees: number): number =>
  cachedCritical(`${level} ${degrees}`, () => newtonCritical(level, degrees))

function newtonCritical(level: number, degrees: number): number {
  const peak = (2 * gammaRatio(degrees / 2)) / Math.sqrt(Math.PI * degrees)
  // the tail probability is convex in t, so the steps never overshoot
  let t = 0
  for (let step = Infinity, i = 0; step > 1e-15 * t && i < 200; i++) {
    const slope = peak * exp(-((degrees + 1) / 2) * log1p(t ** 2 / degrees))
    step = (studentOutside(t, degrees) - (1 - level)) / slope
    t += step
  }
  return t
}

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
export const normalCritical = (level: number): number =>
  cachedCritical(`${level}`, () => bisect((z) => 2 * normalTail(z) > 1 - level))

// a table needs the same few values thousands of times
const cache = new Map<string, number>()
const cacheSize = 10_000

function cachedCritical(key: string, make: () => number): number {
  let critical = cache.get(key)
  if (critical === undefined) {
    if (cache.size === cacheSize) cache.clear()
    cache.set(key, (critical = make()))
  }
  return critical
}

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

/** The threshold where `isBelow`, true at 0, becomes false: by doubling from 1 and 64 bisections. */
export function bisect(isBelow: (x: number) => boolean): number {
  let low = 0
  let high = 1
  while (isBelow(high)) high *= 2
  for (let step = 0; step < 64; step++) {
    const middle = (low + high) / 2
    if (isBelow(middle)) low = middle
    else high = middle
  }
  return (low + high) / 2
}
