import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { unseenCalls } from '../../basics/metrics.ts'
import { parquetRows } from '../../basics/parquet-rows.ts'
import { UserError } from '../../errors.ts'
import { shape } from '../../formats/records.ts'
import type { Chunk } from '../../types.ts'
import { wholeDocuments } from '../shared/whole-documents.ts'
import type { BuiltIndex, Tables } from './tables.ts'
import { unitAt, type SourceUnit } from '../shared/text-units.ts'

/**
 * Reads a published index over the documents of the chunks: each text unit is located in them by its exact text. Throws
 * UserError if the folder cannot be read or no text unit is in the documents.
 */
export async function readPublishedIndex(folder: string, chunks: readonly Chunk[]): Promise<BuiltIndex> {
  const tables = await readIndex(folder)
  const { entities, relationships, communities, reports, textUnits } = tables
  const documents = wholeDocuments(chunks)
  const sources = textUnits.map(({ text }): SourceUnit | undefined => {
    const document = documents.find((candidate) => candidate.text.includes(text))
    const start = document?.text.indexOf(text) ?? 0
    return document && unitAt(document, start, start + text.length)
  })
  const missing = sources.filter((source) => source === undefined).length
  if (chunks.length > 0 && missing === sources.length)
    throw new UserError(`${folder}: no text unit of this index stands in the documents of the corpus`)
  const titles = new Set(entities.map(({ title }) => title))
  return {
    ...tables,
    sources,
    stats: {
      textUnits: textUnits.length,
      entities: entities.length,
      relationships: relationships.length,
      communities: communities.length,
      reports: reports.length,
    },
    warnings: {
      [unseenCalls]: 1,
      'text units of the published index that stand in no document': missing,
      'relationships of the published index with an end that is no entity': relationships.filter(
        ({ source, target }) => !titles.has(source) || !titles.has(target),
      ).length,
    },
  }
}

/**
 * Reads the tables of an index of GraphRAG 2 or 3, a folder of Parquet files; unused columns are not read. An end of a
 * relationship may be missing from the entities. Throws UserError, one line with file, row and column, for a missing
 * column or a dangling id.
 */
export async function readIndex(path: string): Promise<Tables> {
  const folder = resolve(path)
  const entities = await rowsOf(folder, 'entities', columns.entities)
  const relationships = await rowsOf(folder, 'relationships', columns.relationships)
  const communities = await rowsOf(folder, 'communities', columns.communities)
  const reports = await rowsOf(folder, 'community_reports', columns.reports)
  const textUnits = await rowsOf(folder, 'text_units', columns.textUnits)
  const entityIds = new Map(entities.map(({ row }) => [row.id, row.human_readable_id]))
  const textUnitIds = new Map(textUnits.map(({ row }, place) => [row.id, place]))
  const communityIds = new Map(communities.map(({ row }) => [row.community, row.community]))
  return {
    entities: entities.map(({ row: { id: _, human_readable_id: id, text_unit_ids: units, ...row }, where }) => ({
      ...row,
      id,
      textUnitIds: references('text_unit_ids', units, textUnitIds, where),
    })),
    relationships: relationships.map(({ row, where }) => {
      const { human_readable_id: id, combined_degree: combinedDegree, text_unit_ids: units, ...rest } = row
      return { ...rest, id, combinedDegree, textUnitIds: references('text_unit_ids', units, textUnitIds, where) }
    }),
    communities: communities.map(({ row: { community: id, level, parent, ...row }, where }) => ({
      id,
      level,
      parent,
      children: references('children', row.children, communityIds, where),
      entityIds: references('entity_ids', row.entity_ids, entityIds, where),
      textUnitIds: references('text_unit_ids', row.text_unit_ids, textUnitIds, where),
    })),
    reports: reports.map(({ row: { full_content: fullContent, ...row }, where }) => {
      references('community', [row.community], communityIds, where)
      return { ...row, fullContent }
    }),
    textUnits: textUnits.map(({ row: { text } }, id) => ({ id, text })),
  }
}

/** Parquet integers arrive as bigint. */
const number = z.union([z.number(), z.bigint().transform(Number)])
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
const ids = z.array(z.string())

const columns = {
  entities: z.object({
    id: z.string(),
    human_readable_id: number,
    title: z.string(),
    type: optionalText,
    description: optionalText,
    text_unit_ids: ids,
    frequency: number,
    degree: number,
  }),
  relationships: z.object({
    human_readable_id: number,
    source: z.string(),
    target: z.string(),
    description: optionalText,
    weight: number,
    combined_degree: number,
    text_unit_ids: ids,
  }),
  communities: z.object({
    community: number,
    level: number,
    parent: number,
    children: z.array(number),
    entity_ids: ids,
    text_unit_ids: ids,
  }),
  reports: z.object({
    community: number,
    level: number,
    title: z.string(),
    full_content: z.string(),
    rank: number,
  }),
  textUnits: z.object({ id: z.string(), text: z.string() }),
}

async function rowsOf<S extends z.ZodRawShape>(folder: string, name: string, schema: z.ZodObject<S>) {
  const file = join(folder, `${name}.parquet`)
  if (!existsSync(file))
    throw new UserError(`${folder}: contains no ${name}.parquet, a table of GraphRAG 2 or 3; index again with these`)
  const rows: { readonly row: z.output<typeof schema>; readonly where: string }[] = []
  for await (const values of parquetRows(file, Object.keys(schema.shape))) {
    const where = `${file}: row ${rows.length + 1}`
    rows.push({ row: shape(schema, values, where, `the table ${name} of GraphRAG 2 or 3`), where })
  }
  return rows
}

/** Resolves the ids of a column to numbers. Throws UserError for a dangling id. */
function references<I extends string | number>(
  column: string,
  ids: readonly I[],
  numbers: ReadonlyMap<I, number>,
  where: string,
): readonly number[] {
  return ids.map((id) => {
    const number = numbers.get(id)
    if (number === undefined) throw new UserError(`${where}: column "${column}" names "${id}", which is not there`)
    return number
  })
}
