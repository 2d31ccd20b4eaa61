import type { Matrix } from '../../math/vectors.ts'
import type { Chunk, Models } from '../../types.ts'
import { documentVectors } from '../shared/embed.ts'
import { build, type Built } from './build.ts'
import type { GraphragOptions } from './options.ts'
import { published } from './published/published.ts'
import { relationshipsByTitle, type RelationshipsByTitle } from './query/relationship-rank.ts'

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
