import { studentBound } from './statistics/distributions.ts'

/** A number as it is printed, rounded to so many decimal places; without `decimals` it is a whole number and exact. */
export interface Printed {
  readonly value: number
  readonly decimals?: number
}

/** Whether printed numbers agree for some numbers that they are rounded from, and what those allow. */
export interface Agreement {
  readonly agrees: boolean
  readonly low: number
  readonly high: number
}

/** Whether the parts add up to what is stated, or to `divisor` times it: then their quotient is compared. Exact. */
export function sumAgrees(parts: readonly Printed[], stated: Printed, divisor = 1): Agreement {
  const places = mostPlaces([...parts, stated])
  const ranges = parts.map((part) => rangeOf(part, places))
  const low = ranges.reduce((sum, range) => sum + range.low, 0n)
  const high = ranges.reduce((sum, range) => sum + range.high, 0n)
  const [wanted, times, unit] = [rangeOf(stated, places), BigInt(divisor), 2 * 10 ** places * divisor]
  return {
    agrees: low <= times * wanted.high && high >= times * wanted.low,
    low: Number(low) / unit,
    high: Number(high) / unit,
  }
}

/** The digits of a number with so many decimal places, without the point. Throws RangeError where it has too many. */
export function digitsOf(value: number, decimals: number): number {
  const text = value.toFixed(decimals)
  const digits = Number(text.replace('.', ''))
  if (Number(text) !== value || !Number.isSafeInteger(digits))
    throw new RangeError(`${value} is no number with ${decimals} decimal places and at most 15 digits`)
  return digits
}

/** Whether a number has at most so many decimal places. */
export const hasPlaces = (value: number, decimals: number): boolean => Number(value.toFixed(decimals)) === value

const mostPlaces = (numbers: readonly Printed[]): number => Math.max(...numbers.map(({ decimals = 0 }) => decimals))

/** What a printed number may have been rounded from, in units of half the last of `places` places. */
function rangeOf({ value, decimals }: Printed, places: number): { readonly low: bigint; readonly high: bigint } {
  const scale = 10n ** BigInt(places - (decimals ?? 0))
  const middle = 2n * BigInt(digitsOf(value, decimals ?? 0)) * scale
  const half = decimals === undefined ? 0n : scale
  return { low: middle - half, high: middle + half }
}

/** A share of n things as printed: its digits without the point, and those of the whole (n of n). */
interface PrintedShare {
  readonly digits: number
  readonly whole: number
}

/**
 * The numbers n from `low` to `high` of which every printed share is k/n for a whole k, rounded half up or half even
 * (GRIM: Brown and Heathers 2017). Integers only, so exact. Throws RangeError where they would leave the safe range.
 */
export function numbersThatFit(shares: readonly PrintedShare[], low: number, high: number): readonly number[] {
  for (const { digits, whole } of shares)
    if (
      ![digits, whole].every(Number.isSafeInteger) ||
      4 * (Math.max(digits, whole) + 1) * high > Number.MAX_SAFE_INTEGER
    )
      throw new RangeError(`${digits} of ${whole}, up to n = ${high}: too large to be exact`)
  const found: number[] = []
  for (let n = low; n <= high; n++) if (shares.every((share) => fits(share, n))) found.push(n)
  return found
}

function fits({ digits, whole }: PrintedShare, n: number): boolean {
  // the least k that is not printed as less: k / n is at least (digits - 1/2) / whole
  const least = Math.max(0, ceilOfQuotient((2 * digits - 1) * n, 2 * whole))
  const [found, limit] = [2 * whole * least, (2 * digits + 1) * n]
  // a tie at the upper end is printed so only by half even, and only where the digits are even
  return least <= n && (digits % 2 === 0 ? found <= limit : found < limit)
}

function ceilOfQuotient(a: number, b: number): number {
  const rest = a % b
  return (a - rest) / b + (rest > 0 ? 1 : 0)
}

/** The mean of so many runs, and the variance (n - 1) of single runs. */
export interface MeanOfRuns {
  readonly mean: number
  readonly variance: number
  readonly runs: number
}

export interface RunNoise {
  readonly difference: number
  /** Standard error of the difference, from runs alone. */
  readonly error: number
  /** The difference in standard errors; not finite where no run varies. */
  readonly z: number
  /** The |z| that runs alone exceed in 5 of 100 tables: Student's t with Welch's degrees of freedom, cut down. */
  readonly bound: number
  /** Whether |z| is above the bound. */
  readonly exceeds: boolean
}

/**
 * The first mean minus the second in the noise of their runs: z = Δ / √(σ²_A/R + σ²_B/R). It leaves out that other
 * questions could have been asked. Needs two runs of each.
 */
export function runNoise(first: MeanOfRuns, second: MeanOfRuns): RunNoise {
  const [a, b] = [first.variance / first.runs, second.variance / second.runs]
  const difference = first.mean - second.mean
  const error = Math.sqrt(a + b)
  const welch = (a + b) ** 2 / (a ** 2 / (first.runs - 1) + b ** 2 / (second.runs - 1))
  // what is whole but for the rounding of its quotient stays whole
  const degrees = error > 0 ? Math.floor(welch + 1e-9) : first.runs + second.runs - 2
  const bound = studentBound(0.95, degrees)
  return { difference, error, z: difference / error, bound, exceeds: Math.abs(difference) > bound * error }
}
