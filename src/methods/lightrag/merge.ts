import { groupBy, mostFrequent } from '../../basics/collections.ts'
import type { EntityMention, RelationMention, TextGraph } from '../../tasks/lightrag.ts'
import { byCodePoint } from '../../text/characters.ts'
import type { Chunk } from '../../types.ts'

/** What is known of an entity or a relation: fragments, joined as its description, and the ids of its chunks. */
interface Described {
  readonly fragments: readonly string[]
  readonly description: string
  readonly chunks: readonly string[]
}

/** An entity; its chunks are also those of its relations. */
export interface Entity extends Described {
  readonly name: string
  readonly type: string
}

/** A relation of two entities in the order of their names; `weight`: number of extractions. */
export interface Relation extends Described {
  readonly pair: readonly [string, string]
  readonly weight: number
  readonly keywords: string
}

/** The type of an entity that occurs only in relations. */
export const unknownType = 'UNKNOWN'

/** Condenses the fragments of the description of a name, or of a pair of names. */
export type Describe = (names: readonly string[], fragments: readonly string[]) => Promise<readonly string[]>

type Mention<R> = R & { readonly chunk: string }

/** Merges a later reply of a chat into the first: of records with the same names, the longer description counts. */
export const addGleaning = (first: TextGraph, second: TextGraph): TextGraph => ({
  entities: mergeRecords(first.entities, second.entities, ({ name }) => name),
  relationships: mergeRecords(first.relationships, second.relationships, ({ source, target }) =>
    JSON.stringify([source, target]),
  ),
})

function mergeRecords<R extends { readonly description: string }>(
  first: readonly R[],
  second: readonly R[],
  keyOf: (record: R) => string,
): readonly R[] {
  const records = groupBy(first, keyOf)
  for (const [key, list] of groupBy(second, keyOf)) {
    const [before] = records.get(key) ?? []
    if (!before || lengthOf(list[0]) > lengthOf(before)) records.set(key, list)
  }
  return [...records.values()].flat()
}

const lengthOf = ({ description }: { readonly description: string }): number => Array.from(description).length

/** Merges the graphs of chunks (by chunk id), document by document, entities before relations. */
export async function mergeGraphs(
  chunks: readonly Pick<Chunk, 'id' | 'documentId'>[],
  graphs: ReadonlyMap<string, TextGraph>,
  describe: Describe,
) {
  const entities = new Map<string, Entity>()
  const relations = new Map<string, Relation>()
  for (const document of groupBy(chunks, ({ documentId }) => documentId).values()) {
    const mentionsOf = <R>(recordsOf: (graph: TextGraph) => readonly R[]): Mention<R>[] =>
      document.flatMap(({ id }) => {
        const graph = graphs.get(id)
        return graph ? recordsOf(graph).map((record) => ({ ...record, chunk: id })) : []
      })
    const byName = groupBy(
      mentionsOf((graph) => graph.entities),
      ({ name }) => name,
    )
    const entityList = Array.from(byName, ([name, mentions]) =>
      mergeEntity(name, entities.get(name), mentions, describe),
    )
    for (const entity of await Promise.all(entityList)) entities.set(entity.name, entity)
    const byPair = groupBy(
      mentionsOf((graph) => graph.relationships),
      (mention) => JSON.stringify(pairOf(mention)),
    )
    for (const [key, mentions] of byPair) {
      const relation = await mergeRelation(relations.get(key), mentions, describe)
      relations.set(key, relation)
      // both ends get the chunks of the relation; an unknown end becomes an entity
      for (const name of relation.pair) {
        const { type, fragments, chunks } = entities.get(name) ?? { ...relation, type: unknownType }
        entities.set(name, { name, type, ...describeFragments(fragments, [...chunks, ...relation.chunks]) })
      }
    }
  }
  return { entities, relations: [...relations.values()] }
}

async function mergeEntity(
  name: string,
  before: Entity | undefined,
  mentions: readonly Mention<EntityMention>[],
  describe: Describe,
): Promise<Entity> {
  const { countedMentions, item } = await addMentions(before, [name], mentions, describe)
  // the previous type has one vote and loses ties
  const votes = [...countedMentions, ...(before ? [before] : [])]
  return { name, type: mostFrequent(votes.map(({ type }) => type)), ...item }
}

async function mergeRelation(
  before: Relation | undefined,
  mentions: readonly [Mention<RelationMention>, ...Mention<RelationMention>[]],
  describe: Describe,
): Promise<Relation> {
  const pair = pairOf(mentions[0])
  const { weight, keywords, chunks } = before ?? { weight: 0, keywords: '', ...describeFragments([], []) }
  const { countedMentions, item } = await addMentions(before, pair, mentions, describe)
  const extractions = countedMentions.filter(({ chunk }) => !chunks.includes(chunk)).length
  const words = [keywords, ...countedMentions.map((mention) => mention.keywords)].flatMap((list) => list.split(','))
  const distinctWords = new Set(words.map((word) => word.trim()).filter(Boolean))
  return {
    pair,
    weight: Math.max(weight + extractions, item.chunks.length),
    keywords: [...distinctWords].sort(byCodePoint).join(','),
    ...item,
  }
}

/** Adds the mentions of one document; `counted`: those within the limit of chunks. */
async function addMentions<R extends Mention<{ readonly description: string }>>(
  before: Described = describeFragments([], []),
  names: readonly string[],
  mentions: readonly R[],
  describe: Describe,
): Promise<{ readonly countedMentions: readonly R[]; readonly item: Described }> {
  const { chunks } = describeFragments([], [...before.chunks, ...mentions.map(({ chunk }) => chunk)])
  const countedMentions = mentions.filter(({ chunk }) => chunks.includes(chunk))
  const byChunk = [...groupBy(countedMentions, ({ chunk }) => chunk).values()]
  const longestFirst = byChunk.flatMap((list) => list.toSorted((a, b) => lengthOf(b) - lengthOf(a)))
  const fragments = new Set([...before.fragments, ...longestFirst.map(({ description }) => description)])
  const isLonger = fragments.size > before.fragments.length
  return {
    countedMentions,
    item: describeFragments(isLonger ? await describe(names, [...fragments]) : before.fragments, chunks),
  }
}

/** Maximum chunks of an entity or a relation; the oldest stay (release 1.5.7). */
const maxChunks = 200

const describeFragments = (fragments: readonly string[], chunks: readonly string[]): Described => ({
  fragments,
  description: fragments.join('<SEP>'),
  chunks: [...new Set(chunks)].slice(0, maxChunks),
})

const pairOf = ({ source, target }: RelationMention): Relation['pair'] =>
  byCodePoint(source, target) <= 0 ? [source, target] : [target, source]
