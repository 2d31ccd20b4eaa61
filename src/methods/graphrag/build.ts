import { connectedComponents } from '../../math/graph.ts'
import { mulberry32 } from '../../math/random.ts'
import type { Chunk, IndexStats, Models } from '../../types.ts'
import { cluster } from './communities/cluster.ts'
import { communityRows } from './communities/community-rows.ts'
import { componentOf, graphOf } from './communities/component.ts'
import { describer } from './extraction/describe.ts'
import { extract } from './extraction/extract.ts'
import { finalTables } from './extraction/final-tables.ts'
import { merge } from './extraction/merge.ts'
import { nounTables } from './fast/noun-tables.ts'
import type { GraphragOptions } from './options.ts'
import { tableContexts } from './reports/table-contexts.ts'
import { textContexts } from './reports/text-contexts.ts'
import { writeReports } from './reports/write-reports.ts'
import type { Entity, Relationship, Tables, TextUnit } from './tables.ts'
import { sourceUnits, type SourceUnit } from '../shared/text-units.ts'

/** The tables of an index, the sources of its text units in the order of their ids, and what was lost on the way. */
export interface Built extends Tables {
  readonly sources: readonly (SourceUnit | undefined)[]
  readonly stats: IndexStats
  /** In words that end a note. */
  readonly warnings: Readonly<Record<string, number>>
}

/** Entities and relationships, however they were found. */
interface Found {
  readonly entities: readonly Entity[]
  readonly relationships: readonly Relationship[]
  readonly stats: IndexStats
  readonly warnings: Readonly<Record<string, number>>
}

/** Builds an index (section 2): text units, entities and relationships, communities, reports from the deepest level up. */
export async function build(chunks: readonly Chunk[], models: Models, options: GraphragOptions): Promise<Built> {
  const count = (text: string) => models.countTokens(text)
  const sources = sourceUnits(chunks, options, count)
  const found =
    options.method === 'fast' ? await nounTables(sources, options) : await extracted(sources, models, options)
  const { entities, relationships } = found
  const textUnits = textUnitTable(sources, entities, relationships)
  const { collapse, lcc, maxSize, resolution, randomness, seed, compat } = options
  const component = componentOf(relationships, { collapse, lcc })
  // the release splits at maxSize nodes or more
  const size = { maxSize: compat ? maxSize - 1 : maxSize, resolution, randomness, random: mulberry32(seed) }
  const clusters = cluster(component, size)
  const communities = communityRows(clusters, entities, relationships)
  const contextOf =
    options.method === 'fast'
      ? textContexts(entities, textUnits, options.reportTokens, count)
      : tableContexts(entities, relationships, communities, options, count)
  const { reports, lost } = await writeReports(communities, contextOf, options.reportWords, models)
  const members = new Set(communities.flatMap(({ entityIds }) => entityIds))
  const parents = new Set(clusters.map(({ parent }) => parent))
  const leaves = clusters.filter(({ id }) => !parents.has(id))
  return {
    entities,
    relationships,
    communities,
    reports,
    textUnits,
    sources,
    stats: {
      method: options.method,
      compat,
      textUnits: textUnits.length,
      entities: entities.length,
      relationships: relationships.length,
      ...found.stats,
      components: new Set(connectedComponents(graphOf(componentOf(relationships, { collapse, lcc: false })))).size,
      nodesOutsideComponent: component.excluded.length,
      entitiesWithoutCommunity: entities.length - members.size,
      communities: communities.length,
      communitiesPerLevel: perLevel(communities),
      largestIndivisible: leaves.reduce((most, { titles }) => Math.max(most, titles.length), 0),
      reports: reports.length,
      reportCalls: communities.length,
      reportsSkipped: lost,
    },
    warnings: { ...found.warnings, 'reports that could not be read or were refused': lost },
  }
}

async function extracted(sources: readonly SourceUnit[], models: Models, options: GraphragOptions): Promise<Found> {
  const read = await extract(
    sources.map(({ text }) => text),
    models,
    options,
  )
  const units = read.records.flatMap((records, id) => (records ? [{ id, records }] : []))
  const merged = merge(units, { byType: options.entityIdentity === 'first-row' })
  const { describe, counts } = describer(models, options)
  const { entities, relationships } = await finalTables(merged, describe)
  const lost = read.records.length - units.length
  return {
    entities,
    relationships,
    stats: {
      extractionCalls: read.calls,
      extractionFailures: lost,
      unreadGleanings: read.unread,
      orphans: merged.orphans,
      descriptionCalls: counts.calls,
      descriptionFailures: counts.lost,
    },
    warnings: {
      'text units whose extraction could not be read or was refused': lost,
      'gleanings that could not be read and added nothing to their text unit': read.unread,
      'relationships dropped, because an end of theirs is no extracted entity': merged.orphans,
      'descriptions joined, because the reply that merges them could not be read or was refused': counts.lost,
    },
  }
}

function textUnitTable(
  sources: readonly SourceUnit[],
  entities: readonly Entity[],
  relationships: readonly Relationship[],
): readonly TextUnit[] {
  const entityIds = idsByUnit(entities)
  const relationshipIds = idsByUnit(relationships)
  return sources.map(({ docId, text, tokens }, id) => ({
    id,
    docId,
    text,
    tokens,
    entityIds: entityIds.get(id) ?? [],
    relationshipIds: relationshipIds.get(id) ?? [],
  }))
}

function idsByUnit(rows: readonly { readonly id: number; readonly textUnitIds: readonly number[] }[]) {
  const found = new Map<number, number[]>()
  for (const { id, textUnitIds } of rows) {
    for (const unit of new Set(textUnitIds)) {
      const known = found.get(unit)
      if (known) known.push(id)
      else found.set(unit, [id])
    }
  }
  return found
}

const perLevel = (communities: Tables['communities']): readonly number[] =>
  [...new Set(communities.map(({ level }) => level))]
    .sort((a, b) => a - b)
    .map((level) => communities.filter((one) => one.level === level).length)
