import { quotedRow } from '../csv.ts'
import type { Entity, Relationship } from '../tables.ts'

/** What a report is written from, with the rows that it holds. */
export interface ReportContext {
  readonly text: string
  readonly tokens: number
  readonly entities: readonly Entity[]
  readonly relationships: readonly Relationship[]
}

/**
 * The tables that a report is written from (section 2.8): relationships in order, each bringing those of its ends that are members, for as
 * long as the whole text fits; the first stays even where it does not. `before` are reports that stand above the tables.
 */
export function reportContext(
  members: readonly Entity[],
  relationships: readonly Relationship[],
  tokens: number,
  count: (text: string) => number,
  before: readonly string[] = [],
): ReportContext {
  const byTitle = new Map(members.map((member) => [member.title, member]))
  const ends = new Map<string, Entity>()
  const none = { entities: [], relationships: [] }
  const start = tablesText(none, before)
  let held: ReportContext = { ...none, text: start, tokens: count(start) }
  for (const [place, relationship] of relationships.entries()) {
    for (const title of [relationship.source, relationship.target]) {
      const entity = byTitle.get(title)
      if (entity) ends.set(title, entity)
    }
    const next = { entities: [...ends.values()], relationships: relationships.slice(0, place + 1) }
    const text = tablesText(next, before)
    const needed = count(text)
    if (needed > tokens && place > 0) break
    held = { ...next, text, tokens: needed }
  }
  return held
}

const tablesText = (
  { entities, relationships }: Pick<ReportContext, 'entities' | 'relationships'>,
  before: readonly string[],
): string =>
  [
    ...before,
    ...table(
      'Entities',
      ['human_readable_id', 'title', 'description', 'degree'],
      entities.map(({ id, title, description, degree }) => [id, title, description, degree]),
    ),
    ...table(
      'Relationships',
      ['human_readable_id', 'source', 'target', 'description', 'combined_degree'],
      relationships.map(({ id, source, target, description, combinedDegree }) => [
        id,
        source,
        target,
        description,
        combinedDegree,
      ]),
    ),
  ].join('\n\n')

/** A table under its name; none where it has no row. */
const table = (
  name: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] =>
  rows.length === 0 ? [] : [`-----${name}-----\n${[head, ...rows].map((row) => quotedRow(row, ',')).join('')}`]
