import { groupBy } from '../../basics/collections.ts'
import type { SourceUnit } from '../shared/text-units.ts'

/** The tables of an index (section 5). Ids are running numbers. */
export interface Tables {
  readonly entities: readonly Entity[]
  readonly relationships: readonly Relationship[]
  readonly communities: readonly Community[]
  readonly reports: readonly Report[]
  readonly textUnits: readonly TextUnit[]
}

export interface Entity {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly description: string
  readonly textUnitIds: readonly number[]
  /** Number of extractions. */
  readonly frequency: number
  /** Number of related entities; a self-loop counts two. */
  readonly degree: number
}

/** `source` and `target` are titles. */
export interface Relationship {
  readonly id: number
  readonly source: string
  readonly target: string
  readonly description: string
  readonly weight: number
  /** Sum of the degrees of both ends: its rank. */
  readonly combinedDegree: number
  readonly textUnitIds: readonly number[]
}

export interface Community {
  readonly id: number
  readonly level: number
  /** -1 at level 0. */
  readonly parent: number
  readonly children: readonly number[]
  readonly entityIds: readonly number[]
  readonly textUnitIds: readonly number[]
}

/** `rank` is the rating, from 0 to 10. */
export interface Report {
  readonly community: number
  readonly level: number
  readonly title: string
  readonly fullContent: string
  readonly rank: number
}

export interface TextUnit {
  readonly id: number
  readonly text: string
}

/** The tables of an index, the sources of its text units by id, statistics, and counts of lost items. */
export interface BuiltIndex extends Tables {
  readonly sources: readonly (SourceUnit | undefined)[]
  readonly stats: Readonly<Record<string, number | null>>
  readonly warnings: Readonly<Record<string, number>>
}

/** The table positions of the relationships of each title. */
export type RelationshipsByTitle = ReadonlyMap<string, readonly number[]>

export function relationshipsByTitle(relationships: readonly Relationship[]): RelationshipsByTitle {
  const ends = relationships.flatMap(({ source, target }, place) =>
    Array.from(new Set([source, target]), (title) => ({ title, place })),
  )
  const groups = groupBy(ends, ({ title }) => title)
  const entries = Array.from(groups, ([title, group]) => [title, group.map(({ place }) => place)] as const)
  return new Map(entries)
}

type Field = string | number

/** A line of a table; fields with the separator, a quotation mark or a line break are quoted. */
export const quotedRow = (fields: readonly Field[], separator: string): string =>
  `${fields
    .map((field) => {
      const text = String(field)
      return text.includes(separator) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(separator)}\n`

/** A line of a table with unquoted fields, and its line feed. */
export const plainRow = (fields: readonly Field[]): string => `${fields.join('|')}\n`

/** A number as Python prints a float: 9.0, 0.32. */
export const pythonFloat = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(1) : String(value).replace('Infinity', 'inf').replace('NaN', 'nan')
