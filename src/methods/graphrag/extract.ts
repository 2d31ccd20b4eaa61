import { itemAt, groupBy } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import {
  extractGraph,
  type ExtractGraphInput,
  type GraphReply,
  type GraphRecords,
  readDelimited,
  type EntityRecord,
  type RelationRecord,
  askForMore,
  mergeDescriptions,
} from '../../tasks/graphrag-index.ts'
import type { Models, Task } from '../../types.ts'
import { refuseAllLost, attempt } from '../shared/attempt.ts'
import { memoise } from '../../basics/memoise.ts'
import { combinedDegree, degreesOf, type Entity, type Relationship } from './tables.ts'

/** What was read in each text unit, in order; undefined where nothing was. `unread`: gleanings that were lost. */
interface Extracted {
  readonly records: readonly (GraphRecords | undefined)[]
  readonly calls: number
  readonly unread: number
}

/** Reads the graph of every text (section 2.2). Throws ModelError where every text was lost. */
export async function extract(texts: readonly string[], models: Models, options: ExtractOptions): Promise<Extracted> {
  const units = await Promise.all(texts.map((text) => extractUnit(text, models, options)))
  const outcomes = units.map(({ records }) => records)
  refuseAllLost(extractGraph, outcomes)
  return {
    records: outcomes.map((outcome) => (outcome instanceof ModelError ? undefined : outcome)),
    calls: units.reduce((sum, { calls }) => sum + calls, 0),
    unread: units.reduce((sum, { records, unread }) => sum + (records instanceof ModelError ? 0 : unread), 0),
  }
}

/** Types of entities that are asked for (microsoft/graphrag@6dad6d2). */
export const entityTypes = ['organization', 'person', 'geo', 'event']

/** How text units are read. */
interface ExtractOptions {
  readonly maxGleanings: number
  readonly compat: boolean
}

/** What was read in one text unit, or why nothing was; `unread`: replies of it that could not be read. */
interface ExtractedUnit {
  readonly records: GraphRecords | ModelError
  readonly calls: number
  readonly unread: number
}

/**
 * Reads the graph of a text in a chat of its own: a first reply, and up to `maxGleanings` that say what was missed;
 * from the second on only where the model says that more is missing (section 2.2: 2g calls at g gleanings). A gleaning
 * that cannot be read adds nothing and stays in the chat as it was written. With `compat` so does a first reply, as in
 * the release; without it, that ends the chat. A call that is refused costs the text unit.
 */
export async function extractUnit(text: string, models: Models, options: ExtractOptions): Promise<ExtractedUnit> {
  const { maxGleanings, compat } = options
  const replies: GraphReply[] = []
  const unread: ModelError[] = []
  let calls = 0
  const ask = <T>(task: Task<ExtractGraphInput, T>): Promise<T | ModelError> => {
    calls++
    return attempt(models, task, { text, entityTypes, replies: [...replies] })
  }
  for (let gleaning = 0; gleaning <= maxGleanings; gleaning++) {
    if (gleaning > 1) {
      const more = await ask(askForMore)
      if (more instanceof ModelError) return { records: more, calls, unread: unread.length }
      if (!more) break
    }
    const reply = await ask(extractGraph)
    if (reply instanceof ModelError) {
      if (reply.kind !== 'reply') return { records: reply, calls, unread: unread.length }
      unread.push(reply)
      if (gleaning === 0 && !compat) break
      replies.push({ entities: [], relationships: [], delimited: reply.raw ?? '' })
    } else replies.push(reply)
  }
  const lost = unread.length >= replies.length ? unread.at(-1) : undefined
  return { records: lost ?? recordsOf(replies, { glued: compat }), calls, unread: unread.length }
}

/** What the replies to one text say together; `glued`: read as one text without a separator, as in the reference. */
function recordsOf(replies: readonly GraphReply[], { glued }: { readonly glued: boolean }): GraphRecords {
  const delimited = replies.flatMap((reply) => reply.delimited ?? [])
  if (!glued || delimited.length < replies.length) return joined(replies)
  const { entities, relationships } = readDelimited(delimited.join(''), { glued })
  return { entities, relationships }
}

const joined = (replies: readonly GraphRecords[]): GraphRecords => ({
  entities: replies.flatMap(({ entities }) => entities),
  relationships: replies.flatMap(({ relationships }) => relationships),
})

/** What the texts say of one entity; text units may repeat. `type` is that of most mentions, of the first in ties. */
interface MergedEntity {
  readonly title: string
  readonly type: string
  readonly descriptions: readonly string[]
  readonly textUnitIds: readonly number[]
  readonly frequency: number
}

/** What the texts say of one directed pair; text units may repeat. */
interface MergedRelationship {
  readonly source: string
  readonly target: string
  readonly descriptions: readonly string[]
  readonly textUnitIds: readonly number[]
  readonly weight: number
}

export interface Merged {
  readonly entities: readonly MergedEntity[]
  readonly relationships: readonly MergedRelationship[]
  /** Pairs that were dropped, because an end of theirs is no extracted entity. */
  readonly orphans: number
}

/**
 * Merges what was read from each text unit: entities by title, or by title and type with `byType`, relations by their
 * directed pair with their weights summed, in the order of first mention (section 2.4). A weight that is not a number
 * is left out of its sum.
 */
export function merge(
  units: readonly { readonly id: number; readonly records: GraphRecords }[],
  { byType }: { readonly byType: boolean },
): Merged {
  const mentions = groupBy(
    units.flatMap(({ id, records }) => records.entities.map((record) => ({ id, record }))),
    ({ record: { name, type } }) => JSON.stringify(byType ? [name, type] : name),
  )
  const pairs = groupBy(
    units.flatMap(({ id, records }) => records.relationships.map((record) => ({ id, record }))),
    ({ record: { source, target } }) => JSON.stringify([source, target]),
  )
  const entities = Array.from(mentions.values(), entityOf)
  const titles = new Set(entities.map(({ title }) => title))
  const relationships = Array.from(pairs.values(), relationshipOf).filter(
    ({ source, target }) => titles.has(source) && titles.has(target),
  )
  return { entities, relationships, orphans: pairs.size - relationships.length }
}

interface From<R> {
  readonly id: number
  readonly record: R
}

function entityOf(mentions: readonly [From<EntityRecord>, ...From<EntityRecord>[]]): MergedEntity {
  return {
    title: mentions[0].record.name,
    type: mostFrequent(mentions.map(({ record }) => record.type)),
    descriptions: mentions.map(({ record }) => record.description),
    textUnitIds: mentions.map(({ id }) => id),
    frequency: mentions.length,
  }
}

function relationshipOf(mentions: readonly [From<RelationRecord>, ...From<RelationRecord>[]]): MergedRelationship {
  return {
    source: mentions[0].record.source,
    target: mentions[0].record.target,
    descriptions: mentions.map(({ record }) => record.description),
    textUnitIds: mentions.map(({ id }) => id),
    weight: mentions.reduce((sum, { record: { strength } }) => (Number.isNaN(strength) ? sum : sum + strength), 0),
  }
}

function mostFrequent(values: readonly string[]): string {
  const count = memoise((value: string) => values.filter((other) => other === value).length)
  return values.reduce((best, value) => (count(value) > count(best) ? value : best))
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
  const described = {
    entities: await Promise.all(merged.entities.map(({ title, descriptions }) => describe([title], descriptions))),
    relationships: await Promise.all(
      merged.relationships.map(({ source, target, descriptions }) => describe([source, target], descriptions)),
    ),
  }
  const degrees = degreesOf(merged.relationships)
  const seen = new Set<string>()
  const entities = merged.entities
    .map(({ descriptions: _, ...entity }, row) => ({ ...entity, description: itemAt(described.entities, row) }))
    .filter(({ title }) => !seen.has(title) && seen.add(title))
  return {
    entities: entities.map((entity, id) => ({ id, ...entity, degree: degrees.get(entity.title) ?? 0 })),
    relationships: merged.relationships.map(({ descriptions: _, ...relationship }, id) => ({
      id,
      ...relationship,
      description: itemAt(described.relationships, id),
      combinedDegree: combinedDegree(relationship, degrees),
    })),
  }
}

/** Words of the longest description that is asked for, and tokens of a call, its prompt included (release 3.1.2). */
const descriptionLimits = { words: 500, tokens: 4000 }

/** Merges descriptions by a model and counts what came of it; where a reply fails, they stand one after the other. */
export function describer(models: Models) {
  const { words, tokens } = descriptionLimits
  const count = (text: string) => models.countTokens(text)
  const counts = { calls: 0, lost: 0 }
  const describe = async (names: readonly string[], descriptions: readonly string[]): Promise<string> => {
    const told = descriptions.filter((description) => description !== '')
    const usable = () => {
      const bare = mergeDescriptions.prompt({ names, descriptions: [], words }).messages
      return tokens - bare.reduce((sum, { content }) => sum + count(content), 0)
    }
    const merged = await fold(told, usable, count, async (given) => {
      counts.calls++
      const reply = await attempt(models, mergeDescriptions, { names, descriptions: given, words })
      if (!(reply instanceof ModelError)) return reply
      counts.lost++
      return undefined
    })
    return merged ?? [...new Set(told)].sort().join(' ')
  }
  return { describe, counts }
}

/**
 * One description out of several (section 2.5): each once and sorted; none is '', one stays as it is. They are merged
 * in calls of no more than so many tokens, which are asked for only then; the one that overflows still goes into its
 * call, and the next call holds what was merged and the rest, sorted again. Undefined where a call is of no use.
 */
export async function fold(
  descriptions: readonly string[],
  tokens: () => number,
  count: (text: string) => number,
  merge: (descriptions: readonly string[]) => Promise<string | undefined>,
): Promise<string | undefined> {
  const sorted = [...new Set(descriptions)].sort()
  if (sorted.length < 2) return sorted[0] ?? ''
  let held: string[] = []
  const most = tokens()
  let left = most
  for (const [place, description] of sorted.entries()) {
    held.push(description)
    left -= count(description)
    const last = place === sorted.length - 1
    if (!last && (left >= 0 || held.length < 2)) continue
    const merged = await merge(held.sort())
    if (merged === undefined || last) return merged
    held = [merged]
    left = most - count(merged)
  }
  return held[0]
}
