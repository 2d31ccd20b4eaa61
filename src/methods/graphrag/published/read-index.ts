import { resolve } from 'node:path'
import { combinedDegree, degreesOf } from '../degrees.ts'
import type { Community, Entity, Finding, Relationship, Report, Tables, TextUnit } from '../tables.ts'
import { cell, cellFault, idText, list, number, text, type Column } from './cells.ts'
import { tableRows, type TableRow } from './table-file.ts'

/**
 * A published index of GraphRAG 1.x to 3.x: a folder with its tables as JSON lines or Parquet. What older releases do not say is worked
 * out: degrees from the relationships, children from the parents, a parent from the members. An end of a relationship may be no entity.
 * Throws UserError with one line that names file, row and column where a column is missing or an id leads nowhere.
 */
export async function readIndex(path: string): Promise<Tables> {
  const folder = resolve(path)
  const rows = {
    entities: await tableRows(folder, ['entities', 'create_final_entities']),
    relationships: await tableRows(folder, ['relationships', 'create_final_relationships']),
    communities: await tableRows(folder, ['communities', 'create_final_communities']),
    reports: await tableRows(folder, ['community_reports', 'reports', 'create_final_community_reports']),
    textUnits: await tableRows(folder, ['text_units', 'create_final_text_units']),
  }
  const refer = {
    entity: referenceTo('entity', rows.entities),
    relationship: referenceTo('relationship', rows.relationships),
    textUnit: referenceTo('text unit', rows.textUnits, (_, index) => index),
  }
  const relationships = relationshipsOf(rows.relationships, refer)
  const communities = communitiesOf(rows.communities, refer)
  return {
    entities: entitiesOf(rows.entities, degreesOf(relationships), refer),
    relationships,
    communities,
    reports: reportsOf(rows.reports, new Set(communities.map(({ id }) => id))),
    textUnits: textUnitsOf(rows.textUnits, refer),
  }
}

/** Turns the ids in a cell into the running numbers of what they name. Throws UserError where one names nothing. */
type Refer = (row: TableRow, column: Column) => readonly number[]
type Refers = Readonly<Record<'entity' | 'relationship' | 'textUnit', Refer>>

const textUnitIds: Column = ['text_unit_ids', 'textUnitIds']
const entityIds: Column = ['entity_ids', 'entityIds']
const relationshipIds: Column = ['relationship_ids', 'relationshipIds']

/** The number of a row: its human_readable_id, or its id where that is one, or its place. */
function numberOf(row: TableRow, index: number): number {
  const own = cell(row, ['human_readable_id', 'short_id', 'id'])
  const read = Number(own ?? NaN)
  return Number.isSafeInteger(read) ? read : index
}

function referenceTo(what: string, rows: readonly TableRow[], numberAt = numberOf): Refer {
  const numbers = new Map(
    rows.map((row, index) => [idText(cell(row, ['id']) ?? numberAt(row, index)), numberAt(row, index)]),
  )
  return (row, column) =>
    list(row, column, []).map((id) => {
      const found = numbers.get(idText(id))
      if (found === undefined)
        throw cellFault(row, column, `names the ${what} ${JSON.stringify(idText(id))}, which is not there`)
      return found
    })
}

const entitiesOf = (rows: readonly TableRow[], degrees: ReadonlyMap<string, number>, { textUnit }: Refers): Entity[] =>
  rows.map((row, index) => {
    const title = text(row, ['title', 'name'])
    const ids = textUnit(row, textUnitIds)
    return {
      id: numberOf(row, index),
      title,
      type: text(row, ['type'], ''),
      description: text(row, ['description'], ''),
      textUnitIds: ids,
      frequency: number(row, ['frequency'], ids.length),
      degree: number(row, ['degree'], degrees.get(title) ?? 0),
    }
  })

function relationshipsOf(rows: readonly TableRow[], { textUnit }: Refers): Relationship[] {
  const ends = rows.map((row) => ({ source: text(row, ['source']), target: text(row, ['target']) }))
  const degrees = degreesOf(ends)
  return rows.map((row, index) => {
    const { source = '', target = '' } = ends[index] ?? {}
    const worked = combinedDegree({ source, target }, degrees)
    return {
      id: numberOf(row, index),
      source,
      target,
      description: text(row, ['description'], ''),
      weight: number(row, ['weight'], 1),
      combinedDegree: number(row, ['combined_degree', 'combinedDegree', 'rank'], worked),
      textUnitIds: textUnit(row, textUnitIds),
    }
  })
}

function communitiesOf(rows: readonly TableRow[], { entity, relationship, textUnit }: Refers): Community[] {
  const plain = rows.map((row) => {
    const id = number(row, ['community', 'human_readable_id', 'id'])
    const members = entity(row, entityIds)
    return {
      row,
      id,
      level: number(row, ['level']),
      title: text(row, ['title'], `Community ${id}`),
      entityIds: members,
      relationshipIds: relationship(row, relationshipIds),
      textUnitIds: textUnit(row, textUnitIds),
      size: number(row, ['size'], members.length),
    }
  })
  const parents = plain.map((one) => {
    const written = cell(one.row, ['parent'])
    if (written !== undefined) return number(one.row, ['parent'])
    const [first] = one.entityIds
    const above = plain.find(({ level, entityIds }) => level === one.level - 1 && entityIds.includes(first ?? NaN))
    return above?.id ?? -1
  })
  const ids = new Set(plain.map(({ id }) => id))
  return plain.map(({ row, ...one }, index) => {
    const parent = parents[index] ?? -1
    if (parent !== -1 && !ids.has(parent))
      throw cellFault(row, ['parent'], `names the community "${parent}", which is not there`)
    return { ...one, parent, children: plain.filter((_, other) => parents[other] === one.id).map(({ id }) => id) }
  })
}

const reportsOf = (rows: readonly TableRow[], communities: ReadonlySet<number>): Report[] =>
  rows.map((row) => {
    const community = number(row, ['community'])
    if (!communities.has(community))
      throw cellFault(row, ['community'], `names the community "${community}", which is not there`)
    return {
      community,
      level: number(row, ['level']),
      title: text(row, ['title']),
      summary: text(row, ['summary'], ''),
      fullContent: text(row, ['full_content', 'fullContent']),
      rank: number(row, ['rank', 'rating'], 0),
      findings: list(row, ['findings'], []).map(findingOf),
    }
  })

/** Old releases wrote a finding as a text. */
function findingOf(value: unknown): Finding {
  const { summary, explanation } = Object(value) as { summary?: unknown; explanation?: unknown }
  if (typeof value === 'string') return { summary: value, explanation: '' }
  return {
    summary: typeof summary === 'string' ? summary : '',
    explanation: typeof explanation === 'string' ? explanation : '',
  }
}

const textUnitsOf = (rows: readonly TableRow[], { entity, relationship }: Refers): TextUnit[] =>
  rows.map((row, index) => {
    const content = text(row, ['text'])
    const [document] = list(row, ['document_ids'], [cell(row, ['document_id', 'docId']) ?? ''])
    return {
      id: index,
      docId: idText(document ?? ''),
      text: content,
      tokens: number(row, ['n_tokens', 'tokens'], 0),
      entityIds: entity(row, entityIds),
      relationshipIds: relationship(row, relationshipIds),
    }
  })
