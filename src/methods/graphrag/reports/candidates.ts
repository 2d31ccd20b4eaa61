import type { Community, Entity, Relationship } from '../tables.ts'

export const reportEdgesNames = ['inner', 'level', 'first'] as const
export type ReportEdges = (typeof reportEdgesNames)[number]

/** The relationships between members of a level, by the title of their source and of their target, in table order. */
export interface Level {
  readonly bySource: ReadonlyMap<string, readonly Relationship[]>
  readonly byTarget: ReadonlyMap<string, readonly Relationship[]>
}

/** A level of communities: the relationships between entities that are in any of its communities. */
export function levelOf(
  communities: readonly Community[],
  level: number,
  entities: readonly Entity[],
  relationships: readonly Relationship[],
): Level {
  const ids = new Set(communities.filter((one) => one.level === level).flatMap(({ entityIds }) => entityIds))
  const titles = new Set(entities.filter(({ id }) => ids.has(id)).map(({ title }) => title))
  const bySource = new Map<string, Relationship[]>()
  const byTarget = new Map<string, Relationship[]>()
  for (const relationship of relationships) {
    const { source, target } = relationship
    if (!titles.has(source) || !titles.has(target)) continue
    add(bySource, source, relationship)
    add(byTarget, target, relationship)
  }
  return { bySource, byTarget }
}

function add<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key)
  if (group) group.push(item)
  else groups.set(key, [item])
}

/**
 * The relationships that a report is made of (section 2.8), by combined degree, then id. `inner`: those inside the community. `level`: all
 * between members of the level that touch it. `first`: of each member the first of the level where it is source, else target.
 */
export function candidates(
  members: readonly Pick<Entity, 'title'>[],
  { bySource, byTarget }: Level,
  edges: ReportEdges,
): readonly Relationship[] {
  const titles = new Set(members.map(({ title }) => title))
  const from = (title: string) => bySource.get(title) ?? []
  const to = (title: string) => byTarget.get(title) ?? []
  const chosen = {
    inner: (title: string) => from(title).filter(({ target }) => titles.has(target)),
    level: (title: string) => [...from(title), ...to(title)],
    first: (title: string) => [...from(title).slice(0, 1), ...to(title)].slice(0, 1),
  }
  const found = new Set(Array.from(titles, chosen[edges]).flat())
  return [...found].sort((a, b) => b.combinedDegree - a.combinedDegree || a.id - b.id)
}
