import { countEach } from '../../basics/collections.ts'
import { topK } from '../../math/vectors.ts'
import type { Chunk, Graph, IndexStats, Models, Preparation } from '../../types.ts'
import { documentVectors, queryVector } from '../shared/embed.ts'
import { mergeByName, type Entity } from './entity.ts'
import { extractMentions } from './extract.ts'
import { shortenDescriptions } from './shorten.ts'

/** An entity that a question was near to; its place in the list is its rank. */
export interface Voter extends Entity {
  readonly similarity: number
  /** Its row in the list of all entities. */
  readonly row: number
  readonly vector: Float32Array
}

export interface Nearest {
  readonly voters: readonly Voter[]
  readonly query: Float32Array
}

/** The entities of a corpus with the vectors of their descriptions. */
export interface EntityIndex {
  readonly entities: readonly Entity[]
  /** The k entities nearest to the question, best first, and the question's own vector. */
  readonly nearest: (text: string, k: number, models: Models) => Promise<Nearest>
  readonly graph: () => Graph
  readonly stats: () => IndexStats
  /** In words that end a note. */
  readonly warnings: () => Readonly<Record<string, number>>
}

/** The index of entities as rows of `unweaver` and `unweaver-ppr` share it. */
export const sharedEntityIndex = {
  name: 'entities of unweaver',
  options: [],
  make: entityIndex,
} satisfies Preparation<unknown, EntityIndex>

/** Extraction, exact-name merging, shortening, vectors of the descriptions alone (UnWeaver, Algorithm 1). */
export async function entityIndex(chunks: readonly Chunk[], models: Models): Promise<EntityIndex> {
  const { mentions, failures } = await extractMentions(chunks, models)
  const { entities, ...rewriting } = await shortenDescriptions(mergeByName(mentions), models)
  const descriptions = entities.map(({ description }) => description)
  const vectors = await documentVectors(descriptions, models)
  const vectorOf = (row: number) => vectors.data.subarray(row * vectors.columns, (row + 1) * vectors.columns)
  const reached = new Set(entities.flatMap(({ chunks }) => chunks))
  const places = entities.reduce((sum, { chunks }) => sum + new Set(chunks).size, 0)
  return {
    entities,
    async nearest(text, k, models) {
      if (entities.length === 0) return { voters: [], query: new Float32Array() }
      const query = await queryVector(text, models)
      const voters = topK(query, vectors, k).flatMap(({ index, score }) => {
        const entity = entities[index]
        return entity ? [{ ...entity, similarity: score, row: index, vector: vectorOf(index) }] : []
      })
      return { voters, query }
    },
    graph: () => bipartite(chunks, entities),
    stats: () => ({
      entities: entities.length,
      mentions: mentions.length,
      meanChunksPerEntity: entities.length > 0 ? places / entities.length : 0,
      unreachableChunks: chunks.length - reached.size,
      shortened: rewriting.shortened,
      shorteningFailures: rewriting.failures,
      parseFailures: failures,
    }),
    warnings: () => ({
      'extraction replies that could not be read or were refused': failures,
      'descriptions cut, because the reply that rewrites them was refused or could not be read': rewriting.failures,
      'chunks that mention no entity': chunks.length - reached.size,
    }),
  }
}

/** Chunks, then entities, and an edge from an entity to each chunk that names it, as heavy as often it is named there. */
function bipartite(chunks: readonly Chunk[], entities: readonly Entity[]): Graph {
  return {
    nodes: [
      ...chunks.map(({ id, text }) => ({ id, kind: 'chunk', text })),
      ...entities.map(({ name, description }, row) => ({
        id: `entity ${row}`,
        kind: 'entity',
        text: name,
        data: { description },
      })),
    ],
    edges: entities.flatMap(({ chunks: named }, row) =>
      Array.from(countEach(named), ([chunk, weight]) => ({ from: chunks.length + row, to: chunk, weight })),
    ),
  }
}
