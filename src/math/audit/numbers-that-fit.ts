/** A share of n things as it is printed: its digits without the point, and the digits with which the whole (n of n) would be printed. */
export interface PrintedShare {
  readonly digits: number
  readonly whole: number
}

/**
 * The numbers n from `low` to `high` of which every printed share is k/n for a whole k, rounded half up or half even (GRIM: Brown and Heathers
 * 2017). Integers only, so exact. Throws RangeError where they would leave the safe range.
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
