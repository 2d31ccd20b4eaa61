import { mulberry32 } from '../../math/random.ts'
import { ModelError } from '../../errors.ts'
import { extractGraph } from '../../tasks/graphrag-index.ts'
import { groundingOf, groundingStats, groundingWarnings } from '../../tasks/grounding.ts'
import { languageOf } from '../../text/language.ts'
import type { Chunk, Models } from '../../types.ts'
import { refuseAllLost } from '../shared/attempt.ts'
import { embedItems } from '../shared/embed.ts'
import { groundedRecords } from '../shared/text-graph.ts'
import { sourceUnits } from '../shared/text-units.ts'
import { cluster, communityRows, componentOf } from './communities.ts'
import { describer, extractUnit, finalTables, merge } from './extract.ts'
import { repeatedTokens, type GraphragOptions } from './options.ts'
import { readPublishedIndex } from './read-published-index.ts'
import { tableContexts, writeReports } from './reports.ts'
import { relationshipsByTitle, type BuiltIndex } from './tables.ts'

/** The tables, and the vectors of entities ("title:description"), reports and text units. */
export type GraphIndex = Awaited<ReturnType<typeof graphIndex>>

/** Builds or reads an index and embeds it (section 2.9). */
export async function graphIndex(chunks: readonly Chunk[], models: Models, options: GraphragOptions) {
  const tables =
    options.index === null
      ? await build(chunks, models, options)
      : await readPublishedIndex(options.index, chunks, models)
  const { entities, reports, textUnits, relationships } = tables
  return {
    ...tables,
    byTitle: relationshipsByTitle(relationships),
    embeddedEntities: await embedItems(entities, ({ title, description }) => `${title}:${description}`, models),
    embeddedReports: await embedItems(reports, ({ fullContent }) => fullContent, models),
    embeddedUnits: await embedItems(textUnits, ({ text }) => text, models),
  }
}

/** A community with more nodes is split again (microsoft/graphrag@6dad6d2). */
const maxCommunitySize = 10

/** The reference's seed of clustering. */
const leidenSeed = 0xdeadbeef

/** Builds an index (section 2). Throws ModelError if every extraction is lost. */
async function build(chunks: readonly Chunk[], models: Models, options: GraphragOptions): Promise<BuiltIndex> {
  const { compat, chunkTokens, reportEdges } = options
  const count = (text: string) => models.countTokens(text)

  // text units (section 2.1)
  const sources = sourceUnits(chunks, { chunkTokens, overlap: repeatedTokens }, count)
  const textUnits = sources.map(({ text }, id) => ({ id, text }))

  // entities and relationships of each text unit that occur in its text (section 2.2)
  const extractions = await Promise.all(textUnits.map(({ text }) => extractUnit(text, models, options)))
  refuseAllLost(
    extractGraph,
    extractions.map(({ records }) => records),
  )
  const grounding = groundingOf(options.ungrounded, await languageOf(textUnits.map(({ text }) => text)))
  const units = textUnits.flatMap(({ id, text }) => {
    const { records, unread = 0 } = extractions[id] ?? {}
    if (!records || records instanceof ModelError) return []
    return [{ id, unread, records: groundedRecords(extractGraph, records, grounding.on(text)) }]
  })

  // merge over text units, one description each (sections 2.4 to 2.6)
  const graph = merge(units, { byType: compat })
  const { describe, counts } = describer(models)
  const { entities, relationships } = await finalTables(graph, describe)

  // communities of the largest component (section 2.7); the release splits at the limit, not above
  const component = componentOf(relationships)
  const maxSize = compat ? maxCommunitySize - 1 : maxCommunitySize
  const clusters = cluster(component, { maxSize, random: mulberry32(leidenSeed) })
  const communities = communityRows(clusters, entities, relationships)

  // a report on each (section 2.8)
  const contextOf = tableContexts(entities, relationships, communities, reportEdges, count)
  const reports = await writeReports(communities, contextOf, models)
  return {
    entities,
    relationships,
    communities,
    reports,
    textUnits,
    sources,
    stats: {
      textUnits: textUnits.length,
      entities: entities.length,
      relationships: relationships.length,
      communities: communities.length,
      reports: reports.length,
      nodesOutsideComponent: component.excludedNames.length,
      ...groundingStats(grounding),
    },
    warnings: {
      'text units whose extraction could not be read or was refused': textUnits.length - units.length,
      'gleanings that could not be read and added nothing to their text unit': units.reduce(
        (sum, { unread }) => sum + unread,
        0,
      ),
      ...groundingWarnings(grounding),
      'relationships dropped, because an end of theirs is no extracted entity': graph.orphans,
      'descriptions joined, because the reply that merges them could not be read or was refused': counts.lost,
      'reports that could not be read, were refused, or repeat the example in the prompt':
        communities.length - reports.length,
    },
  }
}
