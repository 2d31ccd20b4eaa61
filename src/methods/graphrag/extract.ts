import { countEach, groupBy, itemAt, mostFrequent } from '../../basics/collections.ts'
import type { ModelError } from '../../errors.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import {
  askForMore,
  extractGraph,
  type ExtractGraphInput,
  type GraphRecords,
  type GraphReply,
  mergeDescriptions,
  readDelimiterForm,
} from '../../tasks/graphrag-index.ts'
import type { Models, Task } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import type { DescriptionMerger } from '../shared/descriptions.ts'
import type { Count } from '../shared/fitting.ts'
import { extractInChat, type Extraction } from '../shared/text-graph.ts'
import type { Entity, Relationship } from './tables.ts'

/** Entity types of the extraction prompt (microsoft/graphrag@6dad6d2). */
const entityTypes = ['organization', 'person', 'geo', 'event']

/**
 * Extracts the graph of a text in one chat (section 2.2: 2g calls for g gleanings). An unreadable gleaning adds nothing
 * and stays in the chat verbatim; with `compat` the same holds for the first reply, as in the release.
 */
export function extractUnit(
  text: string,
  models: Models,
  { maxGleanings, compat }: { readonly maxGleanings: number; readonly compat: boolean },
): Promise<Extraction<GraphRecords>> {
  const ask = <T>(task: Task<ExtractGraphInput, T>, replies: readonly GraphReply[]): Promise<T | ModelError> =>
    attempt(models, task, { text, entityTypes, replies })
  return extractInChat<GraphReply, GraphRecords>({
    ask: (replies) => ask(extractGraph, replies),
    gleanings: maxGleanings,
    standIn: ({ raw = '' }) => ({ entities: [], relationships: [], delimited: raw }),
    merge: (replies) => recordsOf(replies, compat),
    isPatient: compat,
    wantsMore: (replies) => ask(askForMore, replies),
  })
}

/** `isGlued`: replies are parsed as one text without a separator, as in the reference. */
function recordsOf(replies: readonly GraphReply[], isGlued: boolean): GraphRecords {
  const delimitedTexts = replies.flatMap((reply) => reply.delimited ?? [])
  if (isGlued && delimitedTexts.length === replies.length) {
    const { entities, relationships } = readDelimiterForm(delimitedTexts.join(''), { keepsEndMarker: true })
    return { entities, relationships }
  }
  return {
    entities: replies.flatMap(({ entities }) => entities),
    relationships: replies.flatMap(({ relationships }) => relationships),
  }
}

/** Entities and directed pairs with the descriptions of all text units; ids of text units may repeat. */
export type MergedGraph = ReturnType<typeof merge>

/**
 * Merges the records of all text units in the order of first mention (section 2.4): entities by title, or by title and
 * type with `byType`; relations by directed pair, with summed weights. `orphans` counts dropped pairs: an end is not an
 * extracted entity.
 */
export function merge(
  graphs: readonly (GraphRecords & { readonly id: number })[],
  { byType }: { readonly byType: boolean },
) {
  const mentions = groupBy(
    graphs.flatMap(({ id, entities }) => entities.map((record) => ({ id, ...record }))),
    ({ name, type }) => JSON.stringify(byType ? [name, type] : name),
  )
  const entities = Array.from(mentions.values(), (group) => ({
    title: group[0].name,
    type: mostFrequent(group.map(({ type }) => type)),
    descriptions: group.map(({ description }) => description),
    textUnitIds: group.map(({ id }) => id),
    frequency: group.length,
  }))
  const pairs = groupBy(
    graphs.flatMap(({ id, relationships }) => relationships.map((record) => ({ id, ...record }))),
    ({ source, target }) => JSON.stringify([source, target]),
  )
  const titles = new Set(entities.map(({ title }) => title))
  const relationships = Array.from(pairs.values(), (group) => ({
    source: group[0].source,
    target: group[0].target,
    descriptions: group.map(({ description }) => description),
    textUnitIds: group.map(({ id }) => id),
    weight: group.reduce((sum, { strength }) => (Number.isNaN(strength) ? sum : sum + strength), 0),
  })).filter(({ source, target }) => titles.has(source) && titles.has(target))
  return { entities, relationships, orphans: pairs.size - relationships.length }
}

/** Words of the longest description, and tokens of a call including its prompt (release 3.1.2). */
export const [descriptionWords, descriptionTokens] = [500, 4000]

/** Merges descriptions by a model; if a reply fails, they are joined. */
export const describer =
  ({ merge }: Pick<DescriptionMerger, 'merge'>, count: Count) =>
  async (names: readonly string[], descriptions: readonly string[]): Promise<string> => {
    const present = descriptions.filter((description) => description !== '')
    const usableTokens = () => {
      const { messages } = mergeDescriptions.prompt({ names, descriptions: [], words: descriptionWords })
      return descriptionTokens - sum(messages.map(({ content }) => count(content)))
    }
    const summary = await fold(present, usableTokens, count, (part) => merge(names, part))
    return summary ?? [...new Set(present)].sort().join(' ')
  }

/**
 * Folds distinct, sorted descriptions into one (section 2.5). Each call takes descriptions until `tokens` overflow,
 * including the one that overflows; the next takes the merged text and the rest. Undefined if a call fails.
 */
export async function fold(
  descriptions: readonly string[],
  tokens: () => number,
  count: Count,
  merge: (descriptions: readonly string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const distinct = [...new Set(descriptions)].sort()
  if (distinct.length < 2) return distinct[0] ?? ''
  const limit = tokens()
  let part: string[] = []
  let remaining = limit
  for (const [place, description] of distinct.entries()) {
    part.push(description)
    remaining -= count(description)
    const isLast = place === distinct.length - 1
    if (!isLast && (remaining >= 0 || part.length < 2)) continue
    const summary = await merge(part.sort())
    if (summary === undefined || isLast) return summary
    part = [summary]
    remaining = limit - count(summary)
  }
  return part[0]
}

/**
 * The tables of entities and relationships with one description each. Of entities with the same title only the first
 * stays (as in the reference, which merges by title and type).
 */
export async function finalTables(
  graph: MergedGraph,
  describe: (names: readonly string[], descriptions: readonly string[]) => Promise<string>,
): Promise<{ readonly entities: readonly Entity[]; readonly relationships: readonly Relationship[] }> {
  const ofEntities = await Promise.all(graph.entities.map(({ title, descriptions }) => describe([title], descriptions)))
  const ofRelationships = await Promise.all(
    graph.relationships.map(({ source, target, descriptions }) => describe([source, target], descriptions)),
  )
  const degrees = degreesOf(graph.relationships)
  const titles = new Set<string>()
  const entities = graph.entities
    .map(({ descriptions: _, ...entity }, row) => ({ ...entity, description: itemAt(ofEntities, row) }))
    .filter(({ title }) => !titles.has(title) && titles.add(title))
  return {
    entities: entities.map((entity, id) => ({ id, ...entity, degree: degrees.get(entity.title) ?? 0 })),
    relationships: graph.relationships.map(({ descriptions: _, ...relationship }, id) => ({
      id,
      ...relationship,
      description: itemAt(ofRelationships, id),
      combinedDegree: combinedDegree(relationship, degrees),
    })),
  }
}

/** The two titles of a relation. */
type Ends = Pick<Relationship, 'source' | 'target'>

/** The degree of each title: distinct undirected pairs; a self-loop counts two (section 2.6). */
export function degreesOf(pairs: readonly Ends[]): ReadonlyMap<string, number> {
  const distinct = groupBy(pairs, ({ source, target }) => JSON.stringify([source, target].sort()))
  const ends = Array.from(distinct.values(), ([{ source, target }]) => [source, target])
  return countEach(ends.flat())
}

/** The degrees of both ends together: the relation's rank. */
export const combinedDegree = ({ source, target }: Ends, degrees: ReadonlyMap<string, number>): number =>
  (degrees.get(source) ?? 0) + (degrees.get(target) ?? 0)
