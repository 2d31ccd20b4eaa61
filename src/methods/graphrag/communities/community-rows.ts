import type { Community, Entity, Relationship } from '../tables.ts'

/** A community as clustering gives it: the titles of its nodes, in order. */
export interface Cluster {
  readonly id: number
  readonly level: number
  readonly parent: number
  readonly titles: readonly string[]
}

/**
 * The table of communities (section 2.7). Relationships of a community have both ends inside, and its text units are theirs; one without
 * an inner relationship disappears, also from the children of its parent. Titles without an entity row are no members.
 */
export function communityRows(
  clusters: readonly Cluster[],
  entities: readonly Pick<Entity, 'id' | 'title'>[],
  relationships: readonly Pick<Relationship, 'id' | 'source' | 'target' | 'textUnitIds'>[],
): readonly Community[] {
  const idOf = new Map(entities.map(({ id, title }) => [title, id]))
  const rows = clusters.flatMap(({ id, level, parent, titles }) => {
    const members = new Set(titles)
    const inner = relationships.filter(({ source, target }) => members.has(source) && members.has(target))
    if (inner.length === 0) return []
    const entityIds = titles.flatMap((title) => idOf.get(title) ?? [])
    return {
      id,
      level,
      parent,
      title: `Community ${id}`,
      entityIds,
      relationshipIds: ascending(inner.map((relationship) => relationship.id)),
      textUnitIds: ascending(inner.flatMap(({ textUnitIds }) => textUnitIds)),
      size: entityIds.length,
    }
  })
  return rows.map((row) => ({
    ...row,
    children: rows.filter(({ parent }) => parent === row.id).map(({ id }) => id),
  }))
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b)
