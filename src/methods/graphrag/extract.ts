import { countEach, groupBy, itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
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
import type { Count, Entity, Relationship } from './tables.ts'

/** Types of entities that are asked for (microsoft/graphrag@6dad6d2). */
const entityTypes = ['organization', 'person', 'geo', 'event']

/**
 * Reads the graph of a text in a chat of its own: a first reply, and up to `maxGleanings` that say what was missed;
 * from the second on only where the model says that more is missing (section 2.2: 2g calls at g gleanings). A gleaning
 * that cannot be read adds nothing and stays in the chat as it was written: `unread` counts them. With `compat` so does
 * a first reply, as in the release; without it, that ends the chat. A call that is refused costs the text unit.
 */
export async function extractUnit(
  text: string,
  models: Models,
  { maxGleanings, compat }: { readonly maxGleanings: number; readonly compat: boolean },
): Promise<{ readonly records: GraphRecords | ModelError; readonly unread: number }> {
  const replies: GraphReply[] = []
  const unread: ModelError[] = []
  const ask = <T>(task: Task<ExtractGraphInput, T>): Promise<T | ModelError> =>
    attempt(models, task, { text, entityTypes, replies: [...replies] })
  for (let gleaning = 0; gleaning <= maxGleanings; gleaning++) {
    if (gleaning > 1) {
      const more = await ask(askForMore)
      if (more instanceof ModelError) return { records: more, unread: unread.length }
      if (!more) break
    }
    const reply = await ask(extractGraph)
    if (!(reply instanceof ModelError)) {
      replies.push(reply)
      continue
    }
    if (reply.kind !== 'reply') return { records: reply, unread: unread.length }
    unread.push(reply)
    if (gleaning === 0 && !compat) break
    replies.push({ entities: [], relationships: [], delimited: reply.raw ?? '' })
  }
  const lost = unread.length >= replies.length ? unread.at(-1) : undefined
  return { records: lost ?? recordsOf(replies, { joinsReplies: compat }), unread: unread.length }
}

/** What the replies to one text say together; `joinsReplies`: as one text, as the reference reads them. */
function recordsOf(replies: readonly GraphReply[], { joinsReplies }: { readonly joinsReplies: boolean }): GraphRecords {
  const delimited = replies.flatMap((reply) => reply.delimited ?? [])
  if (joinsReplies && delimited.length === replies.length) {
    const { entities, relationships } = readDelimiterForm(delimited.join(''), { keepsEndMarker: true })
    return { entities, relationships }
  }
  return {
    entities: replies.flatMap(({ entities }) => entities),
    relationships: replies.flatMap(({ relationships }) => relationships),
  }
}

/** What the texts say of entities and of directed pairs; text units may repeat. */
export type Merged = ReturnType<typeof merge>

/**
 * Merges what was read from each text unit: entities by title, or by title and type with `byType`, relations by their
 * directed pair with their weights summed, in the order of first mention (section 2.4). The type of an entity is that
 * of most mentions, of the first in ties; a weight that is not a number is left out of its sum. `orphans` counts pairs
 * that were dropped, because an end of theirs is no extracted entity.
 */
export function merge(
  units: readonly { readonly id: number; readonly records: GraphRecords }[],
  { byType }: { readonly byType: boolean },
) {
  const mentions = groupBy(
    units.flatMap(({ id, records }) => records.entities.map((record) => ({ id, ...record }))),
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
    units.flatMap(({ id, records }) => records.relationships.map((record) => ({ id, ...record }))),
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

const mostFrequent = (values: readonly string[]): string =>
  [...countEach(values)].reduce((best, other) => (other[1] > best[1] ? other : best))[0]

/** Words of the longest description that is asked for, and tokens of a call, its prompt included (release 3.1.2). */
const descriptionLimits = { words: 500, tokens: 4000 }

/** Merges descriptions by a model; where a reply fails, they stand one after the other, and `lost` counts it. */
export function describer(models: Models) {
  const { words, tokens } = descriptionLimits
  const count = (text: string) => models.countTokens(text)
  const state = { lost: 0 }
  const describe = async (names: readonly string[], descriptions: readonly string[]): Promise<string> => {
    const present = descriptions.filter((description) => description !== '')
    const usable = () => {
      const { messages } = mergeDescriptions.prompt({ names, descriptions: [], words })
      return tokens - messages.reduce((sum, { content }) => sum + count(content), 0)
    }
    const merged = await fold(present, usable, count, async (part) => {
      const reply = await attempt(models, mergeDescriptions, { names, descriptions: part, words })
      if (!(reply instanceof ModelError)) return reply
      state.lost++
      return undefined
    })
    return merged ?? [...new Set(present)].sort().join(' ')
  }
  return { describe, state }
}

/**
 * One description out of several (section 2.5): each once and sorted; none is '', one stays as it is. They are merged
 * in calls of no more than so many tokens, which are asked for only then; the one that overflows still goes into its
 * call, and the next call holds what was merged and the rest, sorted again. Undefined where a call is of no use.
 */
export async function fold(
  descriptions: readonly string[],
  tokens: () => number,
  count: Count,
  merge: (descriptions: readonly string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const sorted = [...new Set(descriptions)].sort()
  if (sorted.length < 2) return sorted[0] ?? ''
  const most = tokens()
  let part: string[] = []
  let left = most
  for (const [place, description] of sorted.entries()) {
    part.push(description)
    left -= count(description)
    const isLast = place === sorted.length - 1
    if (!isLast && (left >= 0 || part.length < 2)) continue
    const merged = await merge(part.sort())
    if (merged === undefined || isLast) return merged
    part = [merged]
    left = most - count(merged)
  }
  return part[0]
}

/**
 * The tables of entities and relationships, each described, with running ids in the order of the merge. Of entities
 * with one title the first stays (as in the reference, where they were merged by title and type). `describe` gives one
 * description for a name, or for the two names of a pair.
 */
export async function finalTables(
  merged: Merged,
  describe: (names: readonly string[], descriptions: readonly string[]) => Promise<string>,
): Promise<{ readonly entities: readonly Entity[]; readonly relationships: readonly Relationship[] }> {
  const ofEntities = await Promise.all(
    merged.entities.map(({ title, descriptions }) => describe([title], descriptions)),
  )
  const ofRelationships = await Promise.all(
    merged.relationships.map(({ source, target, descriptions }) => describe([source, target], descriptions)),
  )
  const degrees = degreesOf(merged.relationships)
  const seen = new Set<string>()
  const entities = merged.entities
    .map(({ descriptions: _, ...entity }, row) => ({ ...entity, description: itemAt(ofEntities, row) }))
    .filter(({ title }) => !seen.has(title) && seen.add(title))
  return {
    entities: entities.map((entity, id) => ({ id, ...entity, degree: degrees.get(entity.title) ?? 0 })),
    relationships: merged.relationships.map(({ descriptions: _, ...relationship }, id) => ({
      id,
      ...relationship,
      description: itemAt(ofRelationships, id),
      combinedDegree: combinedDegree(relationship, degrees),
    })),
  }
}

/** The two titles of a relation. */
type Ends = Pick<Relationship, 'source' | 'target'>

/** The degree of each title: distinct undirected pairs, a pair of one title counts two (section 2.6). */
export function degreesOf(pairs: readonly Ends[]): ReadonlyMap<string, number> {
  const distinct = groupBy(pairs, ({ source, target }) => JSON.stringify([source, target].sort()))
  return countEach(Array.from(distinct.values(), ([{ source, target }]) => [source, target]).flat())
}

/** What an end of a relation counts for: the sum over both is the relation's rank. */
export const combinedDegree = ({ source, target }: Ends, degrees: ReadonlyMap<string, number>): number =>
  (degrees.get(source) ?? 0) + (degrees.get(target) ?? 0)
