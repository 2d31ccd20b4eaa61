import type { Community } from '../tables.ts'

export interface DynamicOptions {
  /** Ratings from this on are relevant. */
  readonly threshold: number
  readonly maxLevel: number
  /** Whether a community stays beside its relevant children. */
  readonly keepParent: boolean
}

/**
 * The reported communities that a rating finds relevant (section 3), from the top: children are rated where their parent is relevant, and
 * a whole level where nothing above it is. `rated` is in the order asked.
 */
export async function selectCommunities(
  communities: readonly Community[],
  reported: ReadonlySet<number>,
  rate: (community: number) => Promise<number>,
  { threshold, maxLevel, keepParent }: DynamicOptions,
): Promise<{ readonly rated: readonly number[]; readonly selected: readonly number[] }> {
  const byId = new Map(communities.map((community) => [community.id, community]))
  const ofLevel = (level: number) =>
    communities.filter((one) => one.level === level && reported.has(one.id)).map(({ id }) => id)
  const rated: number[] = []
  const relevant = new Set<number>()
  let queue = ofLevel(0)
  for (let level = 1; queue.length > 0; level++) {
    const ratings = await Promise.all(queue.map(rate))
    rated.push(...queue)
    const found = queue.filter((_, place) => (ratings[place] ?? 0) >= threshold)
    for (const id of found) {
      relevant.add(id)
      if (!keepParent) relevant.delete(byId.get(id)?.parent ?? -1)
    }
    queue = found.flatMap((id) => byId.get(id)?.children ?? []).filter((id) => reported.has(id))
    if (queue.length === 0 && relevant.size === 0 && level <= maxLevel) queue = ofLevel(level)
  }
  return { rated, selected: [...relevant].sort((a, b) => a - b) }
}
