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
  const innerOf = relationshipsInside(clusters, relationships)
  const rows = clusters.flatMap(({ id, level, parent, titles }) => {
    const inner = innerOf.get(id)
    if (!inner) return []
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
  const children = new Map<number, number[]>(rows.map(({ id }) => [id, []]))
  for (const { id, parent } of rows) children.get(parent)?.push(id)
  return rows.map((row) => ({ ...row, children: children.get(row.id) ?? [] }))
}

/** The relationships with both ends in a cluster, by its id, going through them once for each level; of a level a title is in one cluster. */
function relationshipsInside<R extends Pick<Relationship, 'source' | 'target'>>(
  clusters: readonly Cluster[],
  relationships: readonly R[],
): ReadonlyMap<number, readonly R[]> {
  const levels = new Map<number, Map<string, number>>()
  for (const { id, level, titles } of clusters) {
    const own = levels.get(level) ?? new Map<string, number>()
    levels.set(level, own)
    for (const title of titles) own.set(title, id)
  }
  const found = new Map<number, R[]>()
  for (const clusterOf of levels.values()) {
    for (const relationship of relationships) {
      const cluster = clusterOf.get(relationship.source)
      if (cluster === undefined || cluster !== clusterOf.get(relationship.target)) continue
      const own = found.get(cluster)
      if (own) own.push(relationship)
      else found.set(cluster, [relationship])
    }
  }
  return found
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b)
