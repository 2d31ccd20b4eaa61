/** The tables of an index (section 5). Ids of entities, relationships and text units are running numbers; texts are found by them. */
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
  /** How often it was extracted. */
  readonly frequency: number
  /** Entities that it is related to; a relation to itself counts two. */
  readonly degree: number
}

/** `source` and `target` are titles. */
export interface Relationship {
  readonly id: number
  readonly source: string
  readonly target: string
  readonly description: string
  readonly weight: number
  /** The degrees of both ends together: its rank. */
  readonly combinedDegree: number
  readonly textUnitIds: readonly number[]
}

export interface Community {
  readonly id: number
  readonly level: number
  /** -1 at level 0. */
  readonly parent: number
  readonly children: readonly number[]
  readonly title: string
  readonly entityIds: readonly number[]
  readonly relationshipIds: readonly number[]
  readonly textUnitIds: readonly number[]
  /** Entities. */
  readonly size: number
}

/** `rank` is the rating, from 0 to 10. */
export interface Report {
  readonly community: number
  readonly level: number
  readonly title: string
  readonly summary: string
  readonly fullContent: string
  readonly rank: number
  readonly findings: readonly Finding[]
}

export interface Finding {
  readonly summary: string
  readonly explanation: string
}

export interface TextUnit {
  readonly id: number
  readonly docId: string
  readonly text: string
  readonly tokens: number
  readonly entityIds: readonly number[]
  readonly relationshipIds: readonly number[]
}
