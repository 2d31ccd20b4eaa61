import { groupBy, itemAt, mostFrequent, valueOf } from '../../basics/collections.ts'
import { groundingOf, groundingStats } from '../../tasks/grounding.ts'
import { extractTextGraph, type TextGraph } from '../../tasks/lightrag.ts'
import { byCodePoint } from '../../text/characters.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { embedItems, embedTexts } from '../shared/embed.ts'
import { extractGraphs, extractInChat, graphWarnings, type Extraction } from '../shared/text-graph.ts'
import { descriptionMerger, summariseFragments } from '../shared/descriptions.ts'
import { fittingLines } from '../shared/fitting.ts'

/** An entity, which has one name, or a relation, which has two in order and keywords; `weight`: extractions. */
export interface Item {
  readonly names: readonly string[]
  readonly type: string
  readonly keywords: string
  readonly weight: number
  readonly fragments: readonly string[]
  /** Those of an entity are also those of its relations. */
  readonly chunks: readonly Chunk[]
}

export const descriptionOf = ({ fragments }: Item): string => fragments.join('<SEP>')

/** The items graph with vectors of entities, relations and chunks, and lookup tables for questions. */
export type LightragIndex = Awaited<ReturnType<typeof buildIndex>>

/** Constants of release 1.5.7; 450 words are about its 600 tokens. The oldest `maxChunks` chunks of an item stay. */
const limits = { forceAt: 8, summaryTokens: 1200, groupTokens: 12_000, summaryWords: 450, maxGleaningTokens: 20_480 }
const maxChunks = 200
const unknownType = 'UNKNOWN' // of an entity that occurs only in relations

/** Extracts a graph from every chunk, merges the graphs and embeds the result (paper, section 3.1). */
export async function buildIndex(
  chunks: readonly Chunk[],
  models: Models,
  { gleanings, compat }: { readonly gleanings: number; readonly compat: boolean },
) {
  const count = models.countTokens
  const texts = chunks.map(({ text }) => text)
  const grounding = groundingOf('count')
  const extract = (text: string) => extractGraph(text, models, gleanings)
  const extraction = await extractGraphs(texts, extractTextGraph, grounding, extract)
  const mentions = extraction.graphs.flatMap(({ id, ...graph }) => mentionsOf(graph, itemAt(chunks, id)))
  const merger = descriptionMerger(models, limits.summaryWords)
  const cutGroup = (group: readonly string[]) =>
    compat ? fittingLines(group, (Description) => ({ Description }), limits.groupTokens, count).items : group
  const itemOf = await mergeMentions(mentions, (names, fragments) =>
    summariseFragments(fragments, limits, count, (group) => merger.merge(names, cutGroup(group))),
  )
  const entities = [...itemOf.values()].filter(({ names }) => names.length === 1)
  const relations = [...itemOf.values()].filter(({ names }) => names.length === 2)
  const ends = relations.flatMap((relation) => relation.names.map((name) => ({ name, relation })))
  const endsOf = groupBy(ends, ({ name }) => name)
  const textOf = (item: Item): string => [...item.names, descriptionOf(item)].join('\n')
  const unknownEntities = entities.filter(({ type }) => type === unknownType).length
  return {
    entities: await embedItems(entities, textOf, models),
    relations: await embedItems(relations, (relation) => `${relation.keywords}\t${textOf(relation)}`, models),
    chunks: await embedTexts(chunks, models),
    entityOf: (name: string) => valueOf(itemOf, keyOf([name])),
    /** The relations of the names of an item, in order of insertion. */
    relationsOf: ({ names }: Item) => names.flatMap((name) => endsOf.get(name) ?? []).map(({ relation }) => relation),
    stats: { entities: entities.length, unknownEntities, relations: relations.length, ...groundingStats(grounding) },
    warnings: graphWarnings(extraction, merger, grounding),
  }
}

/** The graph of one text; of records with the same names in two replies, the longer description counts. */
export function extractGraph(text: string, models: Models, gleanings: number): Promise<Extraction<TextGraph>> {
  return extractInChat<TextGraph, TextGraph>({
    ask: (replies) => attempt(models, extractTextGraph, { text, replies }),
    gleanings: models.countTokens(text) > limits.maxGleaningTokens ? 0 : gleanings,
    standIn: () => ({ entities: [], relationships: [] }),
    merge: (replies) =>
      replies.reduce((first, more) => ({
        entities: addGleaned(first.entities, more.entities, ({ name }) => [name]),
        relationships: addGleaned(first.relationships, more.relationships, ({ source, target }) => [source, target]),
      })),
  })
}

type Described = Pick<Mention, 'description'>

/** Adds gleaned records. They replace those of the same names if their first description is longer. */
function addGleaned<R extends Described>(records: readonly R[], more: readonly R[], namesOf: (record: R) => string[]) {
  const groups = groupBy(records, (record) => keyOf(namesOf(record)))
  for (const [key, group] of groupBy(more, (record) => keyOf(namesOf(record)))) {
    const [before] = groups.get(key) ?? []
    if (!before || byLength(before, group[0]) > 0) groups.set(key, group)
  }
  return [...groups.values()].flat()
}

/** Longest descriptions first, in code points as in Python. */
const byLength = (a: Described, b: Described): number =>
  Array.from(b.description).length - Array.from(a.description).length

/** The extractions of items from one chunk. */
const mentionsOf = ({ entities, relationships }: TextGraph, chunk: Chunk) => [
  ...entities.map(({ name, ...entity }) => ({ names: [name], keywords: '', chunk, ...entity })),
  ...relationships.map(({ source, target, ...relation }) => {
    return { names: [source, target].sort(byCodePoint), type: unknownType, chunk, ...relation }
  }),
]

type Mention = ReturnType<typeof mentionsOf>[number]

const keyOf = (names: readonly string[]): string => JSON.stringify(names)

/** Condenses the fragments of the description of a name, or of a pair of names. */
type Describe = (names: readonly string[], fragments: readonly string[]) => Promise<readonly string[]>

/** Merges mentions document by document, entities before relations; items by the key of their names. */
async function mergeMentions(mentions: readonly Mention[], describe: Describe) {
  const items = new Map<string, Item>()
  for (const document of groupBy(mentions, ({ chunk }) => chunk.documentId).values()) {
    document.sort((a, b) => a.names.length - b.names.length)
    const groups = groupBy(document, ({ names }) => keyOf(names))
    const merging = Array.from(groups, ([key, group]) => mergeItem(items.get(key), group, describe))
    const results = await Promise.all(merging)
    for (const item of results) items.set(keyOf(item.names), item)
    // both ends get the chunks of a relation; an unknown end becomes an entity
    for (const relation of results.filter(({ names }) => names.length === 2))
      for (const name of relation.names) {
        const entity = items.get(keyOf([name])) ?? { ...relation, names: [name] }
        items.set(keyOf([name]), { ...entity, chunks: distinctChunks([...entity.chunks, ...relation.chunks]) })
      }
  }
  return items
}

/** Adds the mentions of one document to an item. Its previous type has one vote, and loses ties. */
async function mergeItem(before: Item | undefined, mentions: readonly [Mention, ...Mention[]], describe: Describe) {
  const { names } = mentions[0]
  const { fragments = [], weight = 0 } = before ?? {}
  const chunks = distinctChunks([...(before?.chunks ?? []), ...mentions.map(({ chunk }) => chunk)])
  const countedMentions = mentions.filter(({ chunk }) => chunks.includes(chunk))
  const votes = before ? [...countedMentions, before] : countedMentions
  const ofChunks = [...groupBy(countedMentions, ({ chunk }) => chunk).values()]
  const descriptions = ofChunks.flatMap((group) => group.toSorted(byLength)).map(({ description }) => description)
  const distinct = [...new Set([...fragments, ...descriptions])]
  const keywords = votes.flatMap((vote) => vote.keywords.split(',').map((word) => word.trim()))
  return {
    names,
    type: mostFrequent(votes.map(({ type }) => type)),
    keywords: [...new Set(keywords.filter(Boolean))].sort(byCodePoint).join(','),
    weight: weight + countedMentions.length,
    fragments: distinct.length > fragments.length ? await describe(names, distinct) : fragments,
    chunks,
  }
}

const distinctChunks = (chunks: readonly Chunk[]): readonly Chunk[] => [...new Set(chunks)].slice(0, maxChunks)
