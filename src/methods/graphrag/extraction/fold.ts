/**
 * One description out of several (section 2.5): each once and sorted; none is '', one stays as it is. They are merged in calls of no more
 * than so many tokens, which are asked for only then; the one that overflows still goes into its call, and the next call holds what was
 * merged and the rest, sorted again. Undefined where a call is of no use.
 */
export async function fold(
  descriptions: readonly string[],
  tokens: () => number,
  count: (text: string) => number,
  merge: (descriptions: readonly string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const sorted = [...new Set(descriptions)].sort()
  if (sorted.length < 2) return sorted[0] ?? ''
  let held: string[] = []
  const most = tokens()
  let left = most
  for (const [place, description] of sorted.entries()) {
    held.push(description)
    left -= count(description)
    const last = place === sorted.length - 1
    if (!last && (left >= 0 || held.length < 2)) continue
    const merged = await merge(held.sort())
    if (merged === undefined || last) return merged
    held = [merged]
    left = most - count(merged)
  }
  return held[0]
}
