import { normalBound } from './normal.ts'

/** Wilson's score interval of a proportion (Wilson 1927). Throws RangeError unless 0 <= successes <= n and n > 0. */
export function wilson(successes: number, n: number, level = 0.95): { readonly low: number; readonly high: number } {
  if (!(n > 0 && successes >= 0 && successes <= n)) throw new RangeError(`${successes} of ${n} is no proportion`)
  const z = normalBound(level)
  const p = successes / n
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const reach = (z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))) / (1 + z ** 2 / n)
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) }
}
