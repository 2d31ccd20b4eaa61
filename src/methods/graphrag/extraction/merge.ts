import { memoise } from '../../../basics/memoise.ts'
import type { EntityRecord, GraphRecords, RelationRecord } from '../../../tasks/graphrag/graph-records.ts'

/** What the texts say of one entity; text units may repeat. `type` is that of most mentions, of the first in ties. */
export interface MergedEntity {
  readonly title: string
  readonly type: string
  readonly descriptions: readonly string[]
  readonly textUnitIds: readonly number[]
  readonly frequency: number
}

/** What the texts say of one directed pair; text units may repeat. */
export interface MergedRelationship {
  readonly source: string
  readonly target: string
  readonly descriptions: readonly string[]
  readonly textUnitIds: readonly number[]
  readonly weight: number
}

export interface Merged {
  readonly entities: readonly MergedEntity[]
  readonly relationships: readonly MergedRelationship[]
  /** Pairs that were dropped, because an end of theirs is no extracted entity. */
  readonly orphans: number
}

/**
 * Merges what was read from each text unit: entities by title, or by title and type with `byType`, relations by their directed pair with
 * their weights summed, in the order of first mention (section 2.4). A weight that is not a number is left out of its sum.
 */
export function merge(
  units: readonly { readonly id: number; readonly records: GraphRecords }[],
  { byType }: { readonly byType: boolean },
): Merged {
  const entities = grouped(
    units.flatMap(({ id, records }) => records.entities.map((record) => ({ id, record }))),
    ({ record: { name, type } }) => JSON.stringify(byType ? [name, type] : name),
  ).map(entityOf)
  const pairs = grouped(
    units.flatMap(({ id, records }) => records.relationships.map((record) => ({ id, record }))),
    ({ record: { source, target } }) => JSON.stringify([source, target]),
  ).map(relationshipOf)
  const titles = new Set(entities.map(({ title }) => title))
  const relationships = pairs.filter(({ source, target }) => titles.has(source) && titles.has(target))
  return { entities, relationships, orphans: pairs.length - relationships.length }
}

/** The groups of equal keys, in the order of their first items. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return [...groups.values()]
}

interface From<R> {
  readonly id: number
  readonly record: R
}

function entityOf(mentions: readonly [From<EntityRecord>, ...From<EntityRecord>[]]): MergedEntity {
  return {
    title: mentions[0].record.name,
    type: mostFrequent(mentions.map(({ record }) => record.type)),
    descriptions: mentions.map(({ record }) => record.description),
    textUnitIds: mentions.map(({ id }) => id),
    frequency: mentions.length,
  }
}

function relationshipOf(mentions: readonly [From<RelationRecord>, ...From<RelationRecord>[]]): MergedRelationship {
  return {
    source: mentions[0].record.source,
    target: mentions[0].record.target,
    descriptions: mentions.map(({ record }) => record.description),
    textUnitIds: mentions.map(({ id }) => id),
    weight: mentions.reduce((sum, { record: { strength } }) => (Number.isNaN(strength) ? sum : sum + strength), 0),
  }
}

function mostFrequent(values: readonly string[]): string {
  const count = memoise((value: string) => values.filter((other) => other === value).length)
  return values.reduce((best, value) => (count(value) > count(best) ? value : best))
}
