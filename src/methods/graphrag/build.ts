import { mulberry32 } from '../../math/random.ts'
import { extractGraph } from '../../tasks/graphrag-index.ts'
import { groundingOf, groundingStats } from '../../tasks/grounding.ts'
import { languageOf } from '../../text/language.ts'
import type { Chunk, Models } from '../../types.ts'
import { descriptionMerger } from '../shared/descriptions.ts'
import { embedItems, embedTexts } from '../shared/embed.ts'
import { extractGraphs, graphWarnings } from '../shared/text-graph.ts'
import { sourceUnits } from '../shared/text-units.ts'
import { cluster, communityRows, componentOf } from './communities.ts'
import { describer, descriptionWords, extractUnit, finalTables, merge } from './extract.ts'
import { repeatedTokens, type GraphragOptions } from './options.ts'
import { readPublishedIndex } from './read-published-index.ts'
import { tableContexts, writeReports } from './reports.ts'
import { relationshipsByTitle, type BuiltIndex } from './tables.ts'

/** The tables, and the vectors of entities ("title:description"), reports and text units. */
export type GraphIndex = Awaited<ReturnType<typeof graphIndex>>

/** Builds or reads an index and embeds it (section 2.9). */
export async function graphIndex(chunks: readonly Chunk[], models: Models, options: GraphragOptions) {
  const tables =
    options.index === null ? await build(chunks, models, options) : await readPublishedIndex(options.index, chunks)
  const { entities, reports, textUnits, relationships } = tables
  return {
    ...tables,
    byTitle: relationshipsByTitle(relationships),
    embeddedEntities: await embedItems(entities, ({ title, description }) => `${title}:${description}`, models),
    embeddedReports: await embedItems(reports, ({ fullContent }) => fullContent, models),
    embeddedUnits: await embedTexts(textUnits, models),
  }
}

/** A community with more nodes is split again (microsoft/graphrag@6dad6d2). */
const maxCommunitySize = 10

/** The reference's seed of clustering. */
const leidenSeed = 0xdeadbeef

/** Builds an index (section 2). Throws ModelError if every extraction is lost. */
async function build(chunks: readonly Chunk[], models: Models, options: GraphragOptions): Promise<BuiltIndex> {
  const { compat, chunkTokens, reportEdges } = options
  const count = models.countTokens

  // text units (section 2.1)
  const sources = sourceUnits(chunks, { chunkTokens, overlap: repeatedTokens })
  const texts = sources.map(({ text }) => text)

  // entities and relationships of each text unit that occur in its text (section 2.2)
  const grounding = groundingOf(options.ungrounded, await languageOf(texts))
  const extraction = await extractGraphs(texts, extractGraph, grounding, (text) => extractUnit(text, models, options))

  // merge over text units, one description each (sections 2.4 to 2.6)
  const graph = merge(extraction.graphs, { byType: compat })
  const merger = descriptionMerger(models, descriptionWords)
  const { entities, relationships } = await finalTables(graph, describer(merger, count))

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
    textUnits: texts.map((text, id) => ({ id, text })),
    sources,
    stats: {
      textUnits: texts.length,
      entities: entities.length,
      relationships: relationships.length,
      communities: communities.length,
      reports: reports.length,
      nodesOutsideComponent: component.excludedNames.length,
      ...groundingStats(grounding),
    },
    warnings: {
      ...graphWarnings(extraction, merger, grounding),
      'relationships dropped, because an end of theirs is no extracted entity': graph.orphans,
      'reports that could not be read, were refused, or repeat the example in the prompt':
        communities.length - reports.length,
    },
  }
}
