import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { linearPolling, roundRobin } from '../../math/polling.ts'
import { type Matrix, products, topK } from '../../math/vectors.ts'
import type { QuestionKeywords } from '../../tasks/lightrag.ts'
import type { Chunk, Models } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
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

/** A row of a table, its line in the prompt, and its score: a cosine, or the sum of the degrees of both ends. */
export interface Row<T> {
  readonly item: T
  readonly line: string
  readonly score: number
}

/** Results of a search: rows before and after the token limits, and chunk ids by search. */
export interface Findings {
  readonly entities: readonly Row<Entity>[]
  readonly relations: readonly Row<Relation>[]
  readonly shownEntities: readonly Row<Entity>[]
  readonly shownRelations: readonly Row<Relation>[]
  readonly vectorChunks: readonly string[]
  readonly entityChunks: readonly string[]
  readonly relationChunks: readonly string[]
}

/** Minimum cosine of a hit (release 1.5.7). */
const minCosine = 0.2

/** An index with lookup tables for questions. */
export interface SearchIndex extends LightragIndex {
  readonly entityOf: ReadonlyMap<string, Entity>
  /** By the name of an end, in order of insertion. */
  readonly relationsOf: ReadonlyMap<string, readonly Relation[]>
  readonly chunkOf: ReadonlyMap<string, Chunk>
}

export function searchIndex(index: LightragIndex): SearchIndex {
  const ends = index.relations.flatMap((relation) => relation.pair.map((name) => ({ name, relation })))
  const byName = groupBy(ends, ({ name }) => name)
  return {
    ...index,
    entityOf: new Map(index.entities.map((entity) => [entity.name, entity])),
    relationsOf: new Map(Array.from(byName, ([name, list]) => [name, list.map(({ relation }) => relation)])),
    chunkOf: new Map(index.chunks.map((chunk) => [chunk.id, chunk])),
  }
}

/** Searches the index with the keywords of a question (paper, section 3.2). */
export async function search(
  index: SearchIndex,
  question: string,
  { high, low }: QuestionKeywords,
  options: SearchOptions,
  models: Models,
): Promise<Findings> {
  const { mode } = options
  const isLocal = low.length > 0 && mode !== 'naive' && mode !== 'global'
  const isGlobal = high.length > 0 && mode !== 'naive' && mode !== 'local'
  const questionVector = await queryVector(question, models)
  const hits = (query: Float32Array, rows: Matrix, k: number) =>
    topK(query, rows, k).filter(({ score }) => score >= minCosine)

  const localEntities = isLocal
    ? hits(await queryVector(low.join(', '), models), index.entityVectors, options.topK).map((hit) =>
        entityRow(itemAt(index.entities, hit.index), hit.score),
      )
    : []
  const localRelations = relationsAround(localEntities, index)
  const globalRelations = isGlobal
    ? hits(await queryVector(high.join(', '), models), index.relationVectors, options.topK).map((hit) =>
        relationRow(itemAt(index.relations, hit.index), hit.score),
      )
    : []
  const globalEntities = globalRelations.flatMap(({ item, score }) =>
    item.pair.map((name) => entityRow(valueOf(index.entityOf, name), score)),
  )
  const entities = roundRobin([localEntities, globalEntities], ({ item }) => item)
  const relations = roundRobin([localRelations, globalRelations], ({ item }) => item)
  const shownEntities = fitting(entities, options.entityTokens, models)
  const shownRelations = fitting(relations, options.relationTokens, models)

  const nearness = once(() => {
    const cosines = products(questionVector, index.chunkVectors)
    return new Map(index.chunks.map(({ id }, at) => [id, itemAt(cosines, at)]))
  })
  const vectorChunks =
    mode === 'naive' || mode === 'mix'
      ? hits(questionVector, index.chunkVectors, options.chunkTopK).map((hit) => itemAt(index.chunks, hit.index).id)
      : []
  const entityChunks = relatedChunks(groupsOf(shownEntities, new Set()), options, nearness)
  const relationChunks = relatedChunks(
    groupsOf(shownRelations, new Set(entityChunks)).filter((group) => group.length > 0),
    options,
    nearness,
  )
  return { entities, relations, shownEntities, shownRelations, vectorChunks, entityChunks, relationChunks }
}

/** A record as Python's json.dumps writes it. */
const jsonLine = (record: Readonly<Record<string, string>>): string =>
  `{${Object.entries(record)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(', ')}}`

const entityRow = (item: Entity, score: number): Row<Entity> => ({
  item,
  line: jsonLine({ entity: item.name, type: item.type, description: item.description }),
  score,
})

const relationRow = (item: Relation, score: number): Row<Relation> => ({
  item,
  line: jsonLine({ entity1: item.pair[0], entity2: item.pair[1], description: item.description }),
  score,
})

/** The relations of entities, by the sum of the degrees of both ends, then by weight, descending. */
function relationsAround(entities: readonly Row<Entity>[], { relationsOf }: SearchIndex): readonly Row<Relation>[] {
  const degree = (name: string): number => relationsOf.get(name)?.length ?? 0
  const relations = new Set(entities.flatMap(({ item }) => relationsOf.get(item.name) ?? []))
  return Array.from(relations, (relation) =>
    relationRow(relation, degree(relation.pair[0]) + degree(relation.pair[1])),
  ).sort((a, b) => b.score - a.score || b.item.weight - a.item.weight)
}

/** The longest prefix of rows within `tokens`, one line each. */
export function fitting<R extends { readonly line: string }>(
  rows: readonly R[],
  tokens: number,
  { countTokens }: Pick<Models, 'countTokens'>,
): readonly R[] {
  let remainingTokens = tokens
  const end = rows.findIndex(({ line }, at) => (remainingTokens -= countTokens(at === 0 ? line : `\n${line}`)) < 0)
  return end < 0 ? rows : rows.slice(0, end)
}

/** The chunks of each row that no earlier row has, by the number of rows, descending; without `usedChunks`. */
function groupsOf(
  rows: readonly Row<{ readonly chunks: readonly string[] }>[],
  usedChunks: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const counts = new Map<string, number>()
  const groups = rows.map(({ item }) =>
    item.chunks.filter((chunk) => {
      if (usedChunks.has(chunk)) return false
      counts.set(chunk, (counts.get(chunk) ?? 0) + 1)
      return counts.get(chunk) === 1
    }),
  )
  return groups.map((group) => group.sort((a, b) => valueOf(counts, b) - valueOf(counts, a)))
}

/** Chunks of the rows: the nearest to the question, or by linear polling if that gives none. */
function relatedChunks(
  groups: readonly (readonly string[])[],
  { chunkPick, relatedChunks: most }: Pick<SearchOptions, 'chunkPick' | 'relatedChunks'>,
  nearness: () => ReadonlyMap<string, number>,
): readonly string[] {
  const count = Math.floor((most * groups.length) / 2)
  if (chunkPick === 'weight' || count === 0) return linearPolling(groups, most)
  const cosines = nearness()
  return groups
    .flat()
    .sort((a, b) => valueOf(cosines, b) - valueOf(cosines, a))
    .slice(0, count)
}
