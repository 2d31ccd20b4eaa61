/** The degree of each title that a pair names: distinct undirected pairs, a pair of one title counts two (section 2.6). */
export function degreesOf(
  pairs: readonly { readonly source: string; readonly target: string }[],
): ReadonlyMap<string, number> {
  const degrees = new Map<string, number>()
  const seen = new Set<string>()
  for (const { source, target } of pairs) {
    const key = JSON.stringify(source < target ? [source, target] : [target, source])
    if (seen.has(key)) continue
    seen.add(key)
    for (const end of [source, target]) degrees.set(end, (degrees.get(end) ?? 0) + 1)
  }
  return degrees
}

/** What an end of a relation counts for: the sum over both is the relation's rank. */
export const combinedDegree = (
  { source, target }: { readonly source: string; readonly target: string },
  degrees: ReadonlyMap<string, number>,
): number => (degrees.get(source) ?? 0) + (degrees.get(target) ?? 0)
