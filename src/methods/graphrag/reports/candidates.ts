import type { Community, Entity, Relationship } from '../tables.ts'

export const reportEdgesNames = ['inner', 'level', 'first'] as const
export type ReportEdges = (typeof reportEdgesNames)[number]

/** A level: the titles of all its members. */
export type LevelTitles = ReadonlySet<string>

/** The titles of the entities in any community of a level. */
export function titlesOfLevel(
  communities: readonly Community[],
  level: number,
  titleOf: ReadonlyMap<number, string>,
): LevelTitles {
  const ids = communities.filter((one) => one.level === level).flatMap(({ entityIds }) => entityIds)
  return new Set(ids.flatMap((id) => titleOf.get(id) ?? []))
}

/**
 * The relationships that a report is made of (section 2.8), by combined degree, then id. `inner`: those inside the community. `level`: all
 * between members of the level that touch it. `first`: of each member the first of the level where it is source, else target.
 */
export function candidates(
  members: readonly Pick<Entity, 'title'>[],
  relationships: readonly Relationship[],
  level: LevelTitles,
  edges: ReportEdges,
): readonly Relationship[] {
  const titles = new Set(members.map(({ title }) => title))
  const ofLevel = relationships.filter(({ source, target }) => level.has(source) && level.has(target))
  const chosen = {
    inner: () => ofLevel.filter(({ source, target }) => titles.has(source) && titles.has(target)),
    level: () => ofLevel.filter(({ source, target }) => titles.has(source) || titles.has(target)),
    first: () => {
      const sources = firstBy(ofLevel, ({ source }) => source)
      const targets = firstBy(ofLevel, ({ target }) => target)
      return [...new Set([...titles].flatMap((title) => sources.get(title) ?? targets.get(title) ?? []))]
    },
  }
  return [...chosen[edges]()].sort((a, b) => b.combinedDegree - a.combinedDegree || a.id - b.id)
}

function firstBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item)
  return found
}
