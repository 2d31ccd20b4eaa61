import type { Community, Entity, Report, Tables } from '../tables.ts'

/** What a question sees of an index at a community level. */
export interface Visible {
  /** Those in a community of the level or above it, in table order. */
  readonly entities: readonly Entity[]
  readonly byId: ReadonlyMap<number, Entity>
  readonly reports: readonly Report[]
  /** The communities of an entity by its id, ascending. */
  readonly communitiesOf: ReadonlyMap<number, readonly number[]>
}

/** The entities and reports of the levels up to one (section 3): an entity in no community of theirs is not seen. `null`: all of them. */
export function visibleAt({ entities, communities, reports }: Tables, level: number | null): Visible {
  const seen = ({ level: own }: Pick<Community | Report, 'level'>) => level === null || own <= level
  const communitiesOf = new Map<number, number[]>(level === null ? entities.map(({ id }) => [id, []]) : [])
  for (const { id, entityIds } of communities.filter(seen).toSorted((a, b) => a.id - b.id)) {
    for (const entity of entityIds) {
      const known = communitiesOf.get(entity)
      if (known) known.push(id)
      else communitiesOf.set(entity, [id])
    }
  }
  const visible = entities.filter(({ id }) => communitiesOf.has(id))
  const byId = new Map(visible.map((entity) => [entity.id, entity]))
  return { entities: visible, byId, reports: reports.filter(seen), communitiesOf }
}
