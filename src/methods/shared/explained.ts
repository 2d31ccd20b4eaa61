import type { Passage, Trace } from '../../types.ts'

/** The passages; the first says besides why its question was answered otherwise than intended, and `more`. */
export function explained(
  passages: readonly Passage[],
  fallbacks: readonly (Trace[string] | undefined)[],
  more: Trace = {},
): readonly Passage[] {
  const [first, ...rest] = passages
  const reasons = fallbacks.filter((reason) => reason !== undefined)
  const why = { ...more, ...(reasons.length > 0 && { fallback: reasons.join('; ') }) }
  if (!first || Object.keys(why).length === 0) return passages
  return [{ ...first, why: { ...first.why, ...why } }, ...rest]
}
