/** A number as it is printed, rounded to so many decimal places; without `decimals` it is a whole number and exact. */
export interface Printed {
  readonly value: number
  readonly decimals?: number
}

/** Whether printed numbers agree for some numbers that they may have been rounded from, and what those allow for the stated one. */
export interface Agreement {
  readonly agrees: boolean
  readonly low: number
  readonly high: number
}

/** Whether the parts add up to what is stated, or to `divisor` times it: then their sum divided by it is compared. Exact. */
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

/** Whether `first` is the stated percentage more than `second` (less: a percentage below 0). Exact; undefined where `second` may be 0 or less. */
export function relativeAgrees(first: Printed, second: Printed, stated: Printed): Agreement | undefined {
  const places = mostPlaces([first, second])
  const [a, b, wanted] = [rangeOf(first, places), rangeOf(second, places), rangeOf(stated, mostPlaces([stated]))]
  if (b.low <= 0n) return undefined
  const least = { excess: a.low, base: a.low < 0n ? b.low : b.high }
  const most = { excess: a.high, base: a.high < 0n ? b.high : b.low }
  const unit = 2n * 10n ** BigInt(mostPlaces([stated]))
  const percent = ({ excess, base }: typeof least): bigint => 100n * (excess - base)
  return {
    agrees: percent(least) * unit <= wanted.high * least.base && percent(most) * unit >= wanted.low * most.base,
    low: Number(percent(least)) / Number(least.base),
    high: Number(percent(most)) / Number(most.base),
  }
}

/** The digits of a number with so many decimal places, without the point. Throws RangeError where it has more of them, or too many digits to be exact. */
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
