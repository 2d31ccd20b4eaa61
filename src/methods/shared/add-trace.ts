import type { Passage, Trace } from '../../types.ts'

/** Adds `more`, and further reasons of a fallback, to the trace of the first passage. */
export function addTrace(
  passages: readonly Passage[],
  fallbacks: readonly (Trace[string] | undefined)[],
  more: Trace = {},
): readonly Passage[] {
  const [first, ...rest] = passages
  const reasons = [first?.why?.['fallback'], ...fallbacks].filter((reason) => reason !== undefined)
  const why = { ...more, ...(reasons.length > 0 && { fallback: reasons.join('; ') }) }
  if (!first || Object.keys(why).length === 0) return passages
  return [{ ...first, why: { ...first.why, ...why } }, ...rest]
}
