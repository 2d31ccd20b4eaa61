import { combinedDegree, degreesOf } from '../degrees.ts'
import type { Entity, Relationship } from '../tables.ts'
import type { Merged } from './merge.ts'

/**
 * The tables of entities and relationships, each described, with running ids in the order of the merge. Of entities with one title the
 * first stays (as in the reference, where they were merged by title and type). `describe` gives one description for a name, or for the
 * two names of a pair.
 */
export async function finalTables(
  merged: Merged,
  describe: (names: readonly string[], descriptions: readonly string[]) => Promise<string>,
): Promise<{ readonly entities: readonly Entity[]; readonly relationships: readonly Relationship[] }> {
  const described = {
    entities: await Promise.all(merged.entities.map(({ title, descriptions }) => describe([title], descriptions))),
    relationships: await Promise.all(
      merged.relationships.map(({ source, target, descriptions }) => describe([source, target], descriptions)),
    ),
  }
  const degrees = degreesOf(merged.relationships)
  const seen = new Set<string>()
  const entities = merged.entities
    .map(({ descriptions: _, ...entity }, row) => ({ ...entity, description: described.entities[row] ?? '' }))
    .filter(({ title }) => !seen.has(title) && seen.add(title))
  return {
    entities: entities.map((entity, id) => ({ id, ...entity, degree: degrees.get(entity.title) ?? 0 })),
    relationships: merged.relationships.map(({ descriptions: _, ...relationship }, id) => ({
      id,
      ...relationship,
      description: described.relationships[id] ?? '',
      combinedDegree: combinedDegree(relationship, degrees),
    })),
  }
}
