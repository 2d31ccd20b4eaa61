import { countEach, groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import type { EntityMention, RelationMention, TextGraph } from '../../tasks/lightrag.ts'
import type { Chunk } from '../../types.ts'

/** An entity; `chunks`: ids of its chunks and of those of its relations. */
export interface Entity {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly chunks: readonly string[]
}

/** A relation of two entities in the order of their names; `weight`: number of extractions. */
export interface Relation {
  readonly pair: readonly [string, string]
  readonly weight: number
  readonly keywords: string
  readonly description: string
  readonly chunks: readonly string[]
}

/** Entities and relations in order of insertion. */
export interface Graph {
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
}

/** The type of an entity that occurs only in relations. */
export const unknownType = 'UNKNOWN'

/** Condenses the fragments of the description of a name, or of a pair of names. */
export type Describe = (names: readonly string[], fragments: readonly string[]) => Promise<readonly string[]>

type Mention<R> = R & { readonly chunk: string }

/** The state of an entity or a relation while documents are merged. */
interface MergeState {
  fragments: readonly string[]
  chunks: readonly string[]
}

/**
 * Merges a later reply of a chat into the first: for a name, or an ordered pair, of both, the longer description
 * counts.
 */
export const addGleaning = (first: TextGraph, second: TextGraph): TextGraph => ({
  entities: mergeRecords(first.entities, second.entities, ({ name }) => name),
  relations: mergeRecords(first.relations, second.relations, ({ source, target }) => JSON.stringify([source, target])),
})

function mergeRecords<R extends { readonly description: string }>(
  first: readonly R[],
  second: readonly R[],
  keyOf: (record: R) => string,
): readonly R[] {
  const records = new Map(groupBy(first, keyOf))
  for (const [key, list] of groupBy(second, keyOf)) {
    const before = records.get(key)
    if (!before || lengthOf(list[0]) > lengthOf(before[0])) records.set(key, list)
  }
  return [...records.values()].flat()
}

const lengthOf = ({ description }: { readonly description: string }): number => Array.from(description).length

/** Merges the graphs of chunks (by chunk id), document by document, entities before relations. */
export async function mergeGraphs(
  chunks: readonly Pick<Chunk, 'id' | 'documentId'>[],
  graphs: ReadonlyMap<string, TextGraph>,
  describe: Describe,
): Promise<Graph> {
  const entities = new Map<string, MergeState & { type: string }>()
  const relations = new Map<
    string,
    MergeState & { pair: Relation['pair']; weight: number; keywords: readonly string[] }
  >()

  const mergeEntity = async (name: string, mentions: readonly Mention<EntityMention>[]): Promise<void> => {
    const entity = entities.get(name) ?? { type: '', fragments: [], chunks: [] }
    const isStored = entity.chunks.length > 0
    entities.set(name, entity)
    const countedMentions = await addMentions(entity, [name], mentions, describe)
    // the previous type has one vote and loses ties
    const votes = [...countedMentions.map(({ type }) => type), ...(isStored ? [entity.type] : [])]
    const counts = countEach(votes)
    entity.type = votes.reduce((best, type) => (valueOf(counts, type) > valueOf(counts, best) ? type : best))
  }

  const mergeRelation = async (key: string, mentions: readonly Mention<RelationMention>[]): Promise<void> => {
    const pair = pairOf(itemAt(mentions, 0))
    const relation = relations.get(key) ?? { pair, weight: 0, keywords: [], fragments: [], chunks: [] }
    relations.set(key, relation)
    const previousChunks = new Set(relation.chunks)
    const countedMentions = await addMentions(relation, pair, mentions, describe)
    const extractions = countedMentions.filter(({ chunk }) => !previousChunks.has(chunk)).length
    relation.weight = Math.max(relation.weight + extractions, relation.chunks.length)
    relation.keywords = [...relation.keywords, ...countedMentions.flatMap(({ keywords }) => keywords.split(','))]
    // both ends get the chunks of the relation; an unknown end becomes an entity
    for (const name of pair) {
      const end = entities.get(name)
      if (end) end.chunks = oldestOf([...end.chunks, ...relation.chunks])
      else entities.set(name, { type: unknownType, fragments: relation.fragments, chunks: relation.chunks })
    }
  }

  for (const document of groupBy(chunks, ({ documentId }) => documentId).values()) {
    const read = document.map(({ id }) => ({ chunk: id, graph: graphs.get(id) ?? { entities: [], relations: [] } }))
    const names = read.flatMap(({ chunk, graph }) => graph.entities.map((entity) => ({ ...entity, chunk })))
    const pairs = read.flatMap(({ chunk, graph }) => graph.relations.map((relation) => ({ ...relation, chunk })))
    const byName = groupBy(names, ({ name }) => name)
    await Promise.all(Array.from(byName, ([name, mentions]) => mergeEntity(name, mentions)))
    const byPair = groupBy(pairs, (mention) => JSON.stringify(pairOf(mention)))
    for (const [key, mentions] of byPair) await mergeRelation(key, mentions)
  }
  return {
    entities: Array.from(entities, ([name, { type, fragments, chunks }]) => ({
      name,
      type,
      description: fragments.join(separator),
      chunks,
    })),
    relations: Array.from(relations.values(), ({ pair, weight, keywords, fragments, chunks }) => ({
      pair,
      weight,
      keywords: [...new Set(keywords.map((keyword) => keyword.trim()).filter(Boolean))].sort(byCodePoint).join(','),
      description: fragments.join(separator),
      chunks,
    })),
  }
}

/** Separator of fragments (release 1.5.7). */
const separator = '<SEP>'

/** Maximum chunks of an entity or a relation; the oldest stay (release 1.5.7). */
const maxChunks = 200

const oldestOf = (chunks: readonly string[]): readonly string[] => [...new Set(chunks)].slice(0, maxChunks)

/** Adds the mentions of one document; returns those within the limit of chunks. */
async function addMentions<R extends Mention<{ readonly description: string }>>(
  item: MergeState,
  names: readonly string[],
  mentions: readonly R[],
  describe: Describe,
): Promise<readonly R[]> {
  item.chunks = oldestOf([...item.chunks, ...mentions.map(({ chunk }) => chunk)])
  const countedMentions = mentions.filter(({ chunk }) => item.chunks.includes(chunk))
  const byChunk = [...groupBy(countedMentions, ({ chunk }) => chunk).values()]
  const newMentions = byChunk.flatMap((list) => list.toSorted((a, b) => lengthOf(b) - lengthOf(a)))
  const fragments = new Set([...item.fragments, ...newMentions.map(({ description }) => description)])
  if (fragments.size > item.fragments.length) item.fragments = await describe(names, [...fragments])
  return countedMentions
}

const pairOf = ({ source, target }: RelationMention): Relation['pair'] =>
  byCodePoint(source, target) <= 0 ? [source, target] : [target, source]

/** Code point order, as in Python; JavaScript compares UTF-16 units. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
