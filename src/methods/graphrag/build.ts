import { groupBy } from '../../basics/collections.ts'
import { connectedComponents } from '../../math/graph.ts'
import { mulberry32 } from '../../math/random.ts'
import { extractGraph, type GraphRecords } from '../../tasks/graphrag-index.ts'
import { groundingOf, groundingStats, groundingWarnings, type KeepGrounded } from '../../tasks/grounding.ts'
import { languageOf } from '../../text/language.ts'
import type { Chunk, IndexStats, Models } from '../../types.ts'
import { cluster, componentOf, graphOf, communityRows } from './communities.ts'
import { describer, finalTables, merge, extract } from './extract.ts'
import { repeatedTokens, type GraphragOptions } from './options.ts'
import { tableContexts, writeReports } from './reports.ts'
import type { Built, Entity, Relationship, Tables } from './tables.ts'
import { sourceUnits, type SourceUnit } from '../shared/text-units.ts'
import type { Matrix } from '../../math/vectors.ts'
import { documentVectors } from '../shared/embed.ts'
import { published } from './published.ts'
import { relationshipsByTitle, type RelationshipsByTitle } from './tables.ts'

/** The tables with the vectors of "title:description", of reports and of text units. */
export interface GraphIndex extends Built {
  readonly byTitle: RelationshipsByTitle
  readonly entityVectors: Matrix
  readonly reportVectors: Matrix
  readonly textUnitVectors: Matrix
}

/** What is built or read, and embedded (section 2.9). */
export async function graphIndex(
  chunks: readonly Chunk[],
  models: Models,
  options: GraphragOptions,
): Promise<GraphIndex> {
  const built =
    options.index === null ? await build(chunks, models, options) : await published(options.index, chunks, models)
  const { entities, reports, textUnits, relationships } = built
  return {
    ...built,
    byTitle: relationshipsByTitle(relationships),
    entityVectors: await documentVectors(
      entities.map(({ title, description }) => `${title}:${description}`),
      models,
    ),
    reportVectors: await documentVectors(
      reports.map(({ fullContent }) => fullContent),
      models,
    ),
    textUnitVectors: await documentVectors(
      textUnits.map(({ text }) => text),
      models,
    ),
  }
}

/** Entities and relationships, and what was lost. */
interface Found {
  readonly entities: readonly Entity[]
  readonly relationships: readonly Relationship[]
  readonly stats: IndexStats
  readonly warnings: Readonly<Record<string, number>>
}

/** Builds an index (section 2): text units, entities and relationships, communities, and a report on each. */
async function build(chunks: readonly Chunk[], models: Models, options: GraphragOptions): Promise<Built> {
  const count = (text: string) => models.countTokens(text)
  const { compat, chunkTokens, reportEdges } = options
  const sources = sourceUnits(chunks, { chunkTokens, overlap: repeatedTokens }, count)
  const found = await extracted(sources, models, options)
  const { entities, relationships } = found
  const textUnits = sources.map(({ text }, id) => ({ id, text }))
  // entities outside the largest component are found by no question (microsoft/graphrag@6dad6d2)
  const component = componentOf(relationships, { largestComponent: true })
  // the release splits at as many nodes, not above
  const maxSize = compat ? maxCommunitySize - 1 : maxCommunitySize
  const clusters = cluster(component, { maxSize, random: mulberry32(leidenSeed) })
  const communities = communityRows(clusters, entities, relationships)
  const contextOf = tableContexts(entities, relationships, communities, reportEdges, count)
  const { reports, lost } = await writeReports(communities, contextOf, models)
  const members = new Set(communities.flatMap(({ entityIds }) => entityIds))
  const parents = new Set(clusters.map(({ parent }) => parent))
  const leaves = clusters.filter(({ id }) => !parents.has(id))
  const all = graphOf(componentOf(relationships, { largestComponent: false }))
  return {
    entities,
    relationships,
    communities,
    reports,
    textUnits,
    sources,
    stats: {
      compat,
      textUnits: textUnits.length,
      entities: entities.length,
      relationships: relationships.length,
      ...found.stats,
      components: new Set(connectedComponents(all)).size,
      nodesOutsideComponent: component.excluded.length,
      entitiesWithoutCommunity: entities.length - members.size,
      communities: communities.length,
      communitiesPerLevel: perLevel(communities),
      largestIndivisible: leaves.reduce((most, { titles }) => Math.max(most, titles.length), 0),
      reports: reports.length,
      reportCalls: communities.length,
      reportsSkipped: lost,
    },
    warnings: {
      ...found.warnings,
      'reports that could not be read, were refused, or repeat the example in the prompt': lost,
    },
  }
}

/** Nodes above which a community is split again (microsoft/graphrag@6dad6d2). */
const maxCommunitySize = 10

/** The seed of the reference for its communities. */
const leidenSeed = 0xdeadbeef

async function extracted(sources: readonly SourceUnit[], models: Models, options: GraphragOptions): Promise<Found> {
  const texts = sources.map(({ text }) => text)
  const read = await extract(texts, models, options)
  const grounding = groundingOf(options.ungrounded, await languageOf(texts))
  const units = sources.flatMap(({ text }, id) => {
    const records = read.records[id]
    return records ? [{ id, records: groundedRecords(records, grounding.on(text)) }] : []
  })
  const merged = merge(units, { byType: options.compat })
  const { describe, counts } = describer(models)
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
      ...groundingStats(grounding),
      descriptionCalls: counts.calls,
      descriptionFailures: counts.lost,
    },
    warnings: {
      'text units whose extraction could not be read or was refused': lost,
      'gleanings that could not be read and added nothing to their text unit': read.unread,
      ...groundingWarnings(grounding),
      'relationships dropped, because an end of theirs is no extracted entity': merged.orphans,
      'descriptions joined, because the reply that merges them could not be read or was refused': counts.lost,
    },
  }
}

/** The records of a text unit that stand in its text. */
const groundedRecords = ({ entities, relationships }: GraphRecords, keep: KeepGrounded): GraphRecords => ({
  entities: keep(extractGraph, entities, ({ name, description }) => ({ names: [name], told: [description] })),
  relationships: keep(extractGraph, relationships, ({ source, target, description }) => ({
    names: [source, target],
    told: [description],
  })),
})

/** How many communities each level has. */
const perLevel = (communities: Tables['communities']): readonly number[] =>
  [...groupBy(communities, ({ level }) => level)].sort(([a], [b]) => a - b).map(([, own]) => own.length)
