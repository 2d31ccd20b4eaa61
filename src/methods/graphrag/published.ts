import { resolve } from 'node:path'
import { unseenCalls } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import type { Chunk, Models } from '../../types.ts'
import { wholeDocuments } from '../shared/whole-documents.ts'
import type { Built } from './tables.ts'
import { unitAt, type SourceUnit } from '../shared/text-units.ts'
import {
  combinedDegree,
  degreesOf,
  type Community,
  type Entity,
  type Finding,
  type Relationship,
  type Report,
  type Tables,
  type TextUnit,
} from './tables.ts'
import { cell, cellFault, idText, list, number, tableRows, text, type Column, type TableRow } from './table-cells.ts'

/**
 * A published index over the documents that the chunks were cut from: each text unit is found in them by its exact
 * text. One that stands nowhere is never a passage, and counted. Throws UserError where the folder cannot be read or
 * holds no text of the documents.
 */
export async function published(folder: string, chunks: readonly Chunk[], models: Models): Promise<Built> {
  const { unread, ...tables } = await readIndex(folder)
  const documents = wholeDocuments(chunks)
  const count = (text: string) => models.countTokens(text)
  const sources = tables.textUnits.map(({ text }): SourceUnit | undefined => {
    const found = documents.find((document) => document.text.includes(text))
    const start = found?.text.indexOf(text) ?? 0
    return found && unitAt(found, start, start + text.length, count)
  })
  const missing = sources.filter((source) => source === undefined).length
  if (chunks.length > 0 && missing === sources.length)
    throw new UserError(`${folder}: no text unit of this index stands in the documents of the corpus`)
  const titles = new Set(tables.entities.map(({ title }) => title))
  const orphans = tables.relationships.filter(({ source, target }) => !titles.has(source) || !titles.has(target)).length
  const { entities, relationships, communities, reports, textUnits } = tables
  return {
    ...tables,
    sources,
    stats: {
      published: folder,
      textUnits: textUnits.length,
      entities: entities.length,
      relationships: relationships.length,
      orphans,
      communities: communities.length,
      reports: reports.length,
      textUnitsNotFound: missing,
    },
    warnings: {
      [unseenCalls]: 1,
      'text units of the published index that stand in no document': missing,
      'relationships of the published index with an end that is no entity': orphans,
      ...(unread.length > 0 && {
        [`columns of the published index that are not understood, and not read: ${unread.join(', ')}`]: unread.length,
      }),
    },
  }
}

/**
 * A published index of GraphRAG 1.x to 3.x: a folder with its tables as JSON lines or Parquet. What older releases do
 * not say is worked out: degrees from the relationships, children from the parents, a parent from the members. An end
 * of a relationship may be no entity. `unread`: columns with values that no release known here has, such as
 * `text_units.turn_role`. Throws UserError with one line that names file, row and column where a column is missing or
 * an id leads nowhere.
 */
export async function readIndex(path: string): Promise<Tables & { readonly unread: readonly string[] }> {
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
    unread: Object.entries(rows).flatMap(([table, own]) => unreadIn(table, own)),
  }
}

/** The columns of every table, read or of no use here, by all names that releases gave them. */
const knownColumns: Readonly<Record<string, readonly string[]>> = {
  all: 'id human_readable_id short_id title name description text_unit_ids textUnitIds period size'.split(' '),
  entities: 'type frequency degree x y graph_embedding description_embedding name_embedding'.split(' '),
  relationships: 'source target weight combined_degree combinedDegree rank'.split(' '),
  communities: 'community level parent children entity_ids entityIds relationship_ids relationshipIds'.split(' '),
  reports:
    'community level parent children summary full_content fullContent full_content_json rank rating rating_explanation rank_explanation findings full_content_embedding summary_embedding'.split(
      ' ',
    ),
  textUnits:
    'text n_tokens tokens document_id document_ids docId entity_ids entityIds relationship_ids relationshipIds covariate_ids text_embedding'.split(
      ' ',
    ),
}

function unreadIn(table: string, rows: readonly TableRow[]): readonly string[] {
  const known = new Set([...(knownColumns['all'] ?? []), ...(knownColumns[table] ?? [])])
  const filled = rows.flatMap(({ values }) =>
    Object.entries(values).flatMap(([name, value]) => (value === null || value === undefined ? [] : [name])),
  )
  return [...new Set(filled)].filter((name) => !known.has(name)).map((name) => `${table}.${name}`)
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
    const children = list(
      row,
      ['children'],
      plain.filter((_, other) => parents[other] === one.id).map(({ id }) => id),
    )
    const unknown = children.find((id) => !ids.has(Number(id)))
    if (unknown !== undefined)
      throw cellFault(row, ['children'], `names the community ${JSON.stringify(unknown)}, which is not there`)
    return { ...one, parent, children: children.map(Number) }
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
