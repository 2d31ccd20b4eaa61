import { itemAt, valueOf } from '../../basics/collections.ts'
import { highest } from '../../math/highest.ts'
import { linearPolling, roundRobin } from '../../math/polling.ts'
import { products } from '../../math/vectors.ts'
import type { QuestionKeywords } from '../../tasks/lightrag.ts'
import type { Models } from '../../types.ts'
import { type EmbeddedItems, nearestItems, queryVector } from '../shared/embed.ts'
import { type Count, fittingRows, type Section } from '../shared/text-graph.ts'
import type { LightragIndex } from './build.ts'
import type { Entity, Relation } from './merge.ts'

export const modes = ['mix', 'naive', 'local', 'global', 'hybrid'] as const

/** Options of a search; the token limits apply to the tables of entities and relations. */
export interface SearchOptions {
  readonly mode: (typeof modes)[number]
  readonly topK: number
  readonly chunkTopK: number
  readonly chunkPick: 'vector' | 'weight'
  readonly relatedChunks: number
  readonly entityTokens: number
  readonly relationTokens: number
}

/** An entity or a relation with its score: a cosine, or the sum of the degrees of both ends. */
interface Hit<T> {
  readonly item: T
  readonly score: number
}

/** Results of a search: hits, those within the token limits as tables, and chunk ids by search. */
export type Findings = Awaited<ReturnType<typeof search>>

/** Minimum cosine of a hit (release 1.5.7). */
const minCosine = 0.2

/** Searches the index with the keywords of a question (paper, section 3.2). */
export async function search(
  index: LightragIndex,
  question: string,
  { high, low }: QuestionKeywords,
  { mode, topK, ...options }: SearchOptions,
  models: Models,
) {
  const near = async <T>(words: readonly string[], items: EmbeddedItems<T>): Promise<readonly Hit<T>[]> =>
    words.length === 0 ? [] : nearestItems(await queryVector(words.join(', '), models), items, topK).filter(isNear)
  const localEntities = mode === 'naive' || mode === 'global' ? [] : await near(low, index.entities)
  const localRelations = relationsAround(localEntities, index)
  const globalRelations = mode === 'naive' || mode === 'local' ? [] : await near(high, index.relations)
  const globalEntities = globalRelations.flatMap(({ item: { pair }, score }) =>
    pair.map((name) => ({ item: valueOf(index.entityOf, name), score })),
  )
  const entities = roundRobin([localEntities, globalEntities], ({ item }) => item)
  const relations = roundRobin([localRelations, globalRelations], ({ item }) => item)
  const count: Count = (text) => models.countTokens(text)
  const entityTable = table(entities, entityRecord, options.entityTokens, count)
  const relationTable = table(relations, relationRecord, options.relationTokens, count)

  const cosines = products(await queryVector(question, models), index.chunks.vectors)
  const vectorChunks =
    mode === 'naive' || mode === 'mix'
      ? highest(cosines, options.chunkTopK)
          .filter(isNear)
          .map((hit) => itemAt(index.chunks.items, hit.index).id)
      : []
  const cosineOf = (id: string): number => itemAt(cosines, valueOf(index.rowOfChunk, id))
  const entityChunks = relatedChunks(groupsOf(entityTable, []), options, cosineOf)
  const relationGroups = groupsOf(relationTable, entityChunks).filter((group) => group.length > 0)
  const relationChunks = relatedChunks(relationGroups, options, cosineOf)
  return { entities, relations, entityTable, relationTable, vectorChunks, entityChunks, relationChunks }
}

const isNear = ({ score }: { readonly score: number }): boolean => score >= minCosine

/** The relations of entities, by the sum of the degrees of both ends, then by weight, descending. */
function relationsAround(entities: readonly Hit<Entity>[], { relationsOf }: LightragIndex): readonly Hit<Relation>[] {
  const degreeOf = (name: string): number => relationsOf.get(name)?.length ?? 0
  const relations = new Set(entities.flatMap(({ item }) => relationsOf.get(item.name) ?? []).map((end) => end.relation))
  return Array.from(relations, (item) => ({ item, score: degreeOf(item.pair[0]) + degreeOf(item.pair[1]) })).sort(
    (a, b) => b.score - a.score || b.item.weight - a.item.weight,
  )
}

const entityRecord = ({ name, type, description }: Entity) => ({ entity: name, type, description })

const relationRecord = ({ pair, description }: Relation) => ({ entity1: pair[0], entity2: pair[1], description })

/** The longest prefix of hits within `tokens`, one line each as Python's json.dumps writes it. */
const table = <T>(
  hits: readonly Hit<T>[],
  recordOf: (item: T) => Readonly<Record<string, string>>,
  tokens: number,
  count: Count,
): Section<Hit<T>> => {
  const lineOf = ({ item }: Hit<T>): string =>
    `{${Object.entries(recordOf(item))
      .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
      .join(', ')}}`
  return fittingRows('', hits, (hit, place) => `${place > 0 ? '\n' : ''}${lineOf(hit)}`, tokens, count)
}

/** The chunks of each hit that no earlier one has, by the number of hits, descending; without `usedChunks`. */
function groupsOf(
  { items }: Section<Hit<{ readonly chunks: readonly string[] }>>,
  usedChunks: readonly string[],
): readonly (readonly string[])[] {
  const counts = new Map<string, number>()
  const groups = items.map(({ item }) =>
    item.chunks.filter((chunk) => {
      if (usedChunks.includes(chunk)) return false
      counts.set(chunk, (counts.get(chunk) ?? 0) + 1)
      return counts.get(chunk) === 1
    }),
  )
  return groups.map((group) => group.sort((a, b) => valueOf(counts, b) - valueOf(counts, a)))
}

/** Chunks of the hits: the nearest to the question, or by linear polling if that gives none. */
function relatedChunks(
  groups: readonly (readonly string[])[],
  { chunkPick, relatedChunks: most }: Pick<SearchOptions, 'chunkPick' | 'relatedChunks'>,
  cosineOf: (id: string) => number,
): readonly string[] {
  const count = Math.floor((most * groups.length) / 2)
  if (chunkPick === 'weight' || count === 0) return linearPolling(groups, most)
  return groups
    .flat()
    .sort((a, b) => cosineOf(b) - cosineOf(a))
    .slice(0, count)
}
