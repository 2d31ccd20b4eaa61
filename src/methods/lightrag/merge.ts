import { countEach, groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import type { EntityMention, RelationMention, TextGraph } from '../../tasks/lightrag.ts'
import type { Chunk } from '../../types.ts'

/** An entity by its name; `chunks` are ids, those of its relations among them. */
export interface Entity {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly chunks: readonly string[]
}

/** A relation of two entities, the smaller name first; `weight`: how often it was extracted. */
export interface Relation {
  readonly pair: readonly [string, string]
  readonly weight: number
  readonly keywords: string
  readonly description: string
  readonly chunks: readonly string[]
}

/** Entities and relations, each in the order of adding. */
export interface Graph {
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
}

/** The type of an entity that only relations name. */
export const unknownType = 'UNKNOWN'

/** Makes fewer fragments of the description of a name, or of two related names. */
export type Describe = (names: readonly string[], fragments: readonly string[]) => Promise<readonly string[]>

type Mention<R> = R & { readonly chunk: string }

/** What is known of an entity or a relation while documents are merged. */
interface Merging {
  fragments: readonly string[]
  chunks: readonly string[]
}

/**
 * The first reply of a chat with what a later one adds (section 2.2): of a name, or an ordered pair, that both have the
 * second counts only where its description is longer.
 */
export const withGleaned = (first: TextGraph, second: TextGraph): TextGraph => ({
  entities: gleaned(first.entities, second.entities, ({ name }) => name),
  relations: gleaned(first.relations, second.relations, ({ source, target }) => JSON.stringify([source, target])),
})

function gleaned<R extends { readonly description: string }>(
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

/** Merges the graphs of chunks, by their ids, document after document, entities before relations (section 2.4). */
export async function mergeGraphs(
  chunks: readonly Pick<Chunk, 'id' | 'documentId'>[],
  graphs: ReadonlyMap<string, TextGraph>,
  describe: Describe,
): Promise<Graph> {
  const entities = new Map<string, Merging & { type: string }>()
  const relations = new Map<string, Merging & { pair: Relation['pair']; weight: number; keywords: readonly string[] }>()

  const mergeEntity = async (name: string, mentions: readonly Mention<EntityMention>[]): Promise<void> => {
    const entity = entities.get(name) ?? { type: '', fragments: [], chunks: [] }
    const isStored = entity.chunks.length > 0
    entities.set(name, entity)
    const counted = await addMentions(entity, [name], mentions, describe)
    // the stored type has one vote, and loses ties
    const votes = [...counted.map(({ type }) => type), ...(isStored ? [entity.type] : [])]
    const counts = countEach(votes)
    entity.type = votes.reduce((best, type) => (valueOf(counts, type) > valueOf(counts, best) ? type : best))
  }

  const mergeRelation = async (key: string, mentions: readonly Mention<RelationMention>[]): Promise<void> => {
    const pair = pairOf(itemAt(mentions, 0))
    const relation = relations.get(key) ?? { pair, weight: 0, keywords: [], fragments: [], chunks: [] }
    relations.set(key, relation)
    const stored = new Set(relation.chunks)
    const counted = await addMentions(relation, pair, mentions, describe)
    const extractions = counted.filter(({ chunk }) => !stored.has(chunk)).length
    relation.weight = Math.max(relation.weight + extractions, relation.chunks.length)
    relation.keywords = [...relation.keywords, ...counted.flatMap(({ keywords }) => keywords.split(','))]
    // an end has the chunks of its relations, and becomes an entity where no reply has it as one
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

/** What stands between the fragments of a description, in the reference too. */
const separator = '<SEP>'

/** Chunks of an entity or a relation: the oldest stay (release 1.5.7). */
const mostChunks = 200

const oldestOf = (chunks: readonly string[]): readonly string[] => [...new Set(chunks)].slice(0, mostChunks)

/** Adds the mentions of one document and gives those that count: a chunk too many adds nothing. */
async function addMentions<R extends Mention<{ readonly description: string }>>(
  item: Merging,
  names: readonly string[],
  mentions: readonly R[],
  describe: Describe,
): Promise<readonly R[]> {
  item.chunks = oldestOf([...item.chunks, ...mentions.map(({ chunk }) => chunk)])
  const counted = mentions.filter(({ chunk }) => item.chunks.includes(chunk))
  const byChunk = [...groupBy(counted, ({ chunk }) => chunk).values()]
  const added = byChunk.flatMap((list) => list.toSorted((a, b) => lengthOf(b) - lengthOf(a)))
  const fragments = new Set([...item.fragments, ...added.map(({ description }) => description)])
  if (fragments.size > item.fragments.length) item.fragments = await describe(names, [...fragments])
  return counted
}

const pairOf = ({ source, target }: RelationMention): Relation['pair'] =>
  byCodePoint(source, target) <= 0 ? [source, target] : [target, source]

/** The order of Python's strings; JavaScript compares UTF-16 units. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
