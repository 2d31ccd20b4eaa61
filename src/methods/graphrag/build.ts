import { mulberry32 } from '../../math/random.ts'
import type { Matrix } from '../../math/vectors.ts'
import { ModelError } from '../../errors.ts'
import { extractGraph, type GraphRecords } from '../../tasks/graphrag-index.ts'
import { groundingOf, groundingStats, groundingWarnings, type KeepGrounded } from '../../tasks/grounding.ts'
import { languageOf } from '../../text/language.ts'
import type { Chunk, Models } from '../../types.ts'
import { refuseAllLost } from '../shared/attempt.ts'
import { documentVectors } from '../shared/embed.ts'
import { sourceUnits } from '../shared/text-units.ts'
import { cluster, communityRows, componentOf } from './communities.ts'
import { describer, extractUnit, finalTables, merge } from './extract.ts'
import { repeatedTokens, type GraphragOptions } from './options.ts'
import { published } from './published.ts'
import { tableContexts, writeReports } from './reports.ts'
import { relationshipsByTitle, type Built, type RelationshipsByTitle } from './tables.ts'

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
  const described = entities.map(({ title, description }) => `${title}:${description}`)
  const contents = reports.map(({ fullContent }) => fullContent)
  const texts = textUnits.map(({ text }) => text)
  return {
    ...built,
    byTitle: relationshipsByTitle(relationships),
    entityVectors: await documentVectors(described, models),
    reportVectors: await documentVectors(contents, models),
    textUnitVectors: await documentVectors(texts, models),
  }
}

/** Nodes above which a community is split again (microsoft/graphrag@6dad6d2). */
const maxCommunitySize = 10

/** The seed of the reference for its communities. */
const leidenSeed = 0xdeadbeef

/** Builds an index (section 2), step by step. Throws ModelError where the extraction of every text was lost. */
async function build(chunks: readonly Chunk[], models: Models, options: GraphragOptions): Promise<Built> {
  const { compat, chunkTokens, reportEdges } = options
  const count = (text: string) => models.countTokens(text)

  // text units (section 2.1)
  const sources = sourceUnits(chunks, { chunkTokens, overlap: repeatedTokens }, count)
  const textUnits = sources.map(({ text }, id) => ({ id, text }))

  // entities and relationships of each text unit (section 2.2), as far as they stand in its text
  const extracted = await Promise.all(textUnits.map(({ text }) => extractUnit(text, models, options)))
  refuseAllLost(
    extractGraph,
    extracted.map(({ records }) => records),
  )
  const grounding = groundingOf(options.ungrounded, await languageOf(textUnits.map(({ text }) => text)))
  const read = textUnits.flatMap(({ id, text }) => {
    const { records, unread = 0 } = extracted[id] ?? {}
    if (!records || records instanceof ModelError) return []
    return [{ id, unread, records: groundedRecords(records, grounding.on(text)) }]
  })

  // merged over text units, with one description each (sections 2.4 to 2.6)
  const merged = merge(read, { byType: compat })
  const { describe, state } = describer(models)
  const { entities, relationships } = await finalTables(merged, describe)

  // communities of the largest component (section 2.7); the release splits at as many nodes, not above
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
      nodesOutsideComponent: component.excluded.length,
      ...groundingStats(grounding),
    },
    warnings: {
      'text units whose extraction could not be read or was refused': textUnits.length - read.length,
      'gleanings that could not be read and added nothing to their text unit': read.reduce(
        (sum, { unread }) => sum + unread,
        0,
      ),
      ...groundingWarnings(grounding),
      'relationships dropped, because an end of theirs is no extracted entity': merged.orphans,
      'descriptions joined, because the reply that merges them could not be read or was refused': state.lost,
      'reports that could not be read, were refused, or repeat the example in the prompt':
        communities.length - reports.length,
    },
  }
}

/** The records of a text unit that stand in its text. */
const groundedRecords = ({ entities, relationships }: GraphRecords, keep: KeepGrounded): GraphRecords => ({
  entities: keep(extractGraph, entities, ({ name, description }) => ({ names: [name], statements: [description] })),
  relationships: keep(extractGraph, relationships, ({ source, target, description }) => ({
    names: [source, target],
    statements: [description],
  })),
})
