import { groupBy, itemAt } from '../../basics/collections.ts'
import { topK } from '../../math/vectors.ts'
import type { Chunk, Graph, Models, Preparation, Budget, Passage, Trace } from '../../types.ts'
import { documentVectors, queryVector } from '../shared/embed.ts'
import {
  type Grounding,
  groundingOf,
  groundingStats,
  groundingWarnings,
  type Ungrounded,
} from '../../tasks/grounding.ts'
import { extractEntities, shortenDescription } from '../../tasks/entities.ts'
import { addTrace } from '../shared/add-trace.ts'
import { runEach, attempt } from '../shared/attempt.ts'
import { byCodePoint } from '../../text/characters.ts'
import { languageOf } from '../../text/language.ts'
import { ModelError } from '../../errors.ts'
import { longestStart } from '../shared/longest-start.ts'
import { drawTextGraph } from '../shared/text-graph.ts'
import { ungroundedOption, optionalLimit } from '../shared/options.ts'

/** Number of entities nearest to the question, k0, that vote or seed PageRank (released code). */
export const nearestEntities = 10

/** Options of `unweaver` and `unweaver-ppr`. Chunks are the run's: the paper's have size 1500, overlap 128. */
export const entityOptions = {
  ungrounded: ungroundedOption,
  topK: optionalLimit(
    'Maximum chunks of a context, r, and seats of a committee; null: as many as the budget has (our reading; the released code takes 5).',
  ),
  maxTokens: optionalLimit(
    'Maximum tokens of a context, counted before the budget of the run; null: the budget alone (our reading; the released code takes 4000).',
  ),
}

/** An entity near a question; its position in the list is its rank. */
export interface Voter extends Entity {
  readonly similarity: number
  /** Row in the list of all entities. */
  readonly row: number
  readonly vector: Float32Array
}

interface EntityOptions {
  readonly ungrounded: Ungrounded
}

/** The index of entities that `unweaver` and `unweaver-ppr` share. */
export const sharedEntityIndex = {
  name: 'entities of unweaver',
  options: ['ungrounded'],
  make: entityIndex,
} satisfies Preparation<EntityOptions, Awaited<ReturnType<typeof entityIndex>>>

/** Extraction, exact-name merging, shortening, vectors of the descriptions alone (UnWeaver, Algorithm 1). */
async function entityIndex(chunks: readonly Chunk[], models: Models, { ungrounded }: EntityOptions) {
  const grounding = groundingOf(ungrounded, await languageOf(chunks.map(({ text }) => text)))
  const { mentions, failures } = await extractMentions(chunks, models, grounding)
  const { entities, failures: cutDescriptions } = await shortenDescriptions(mergeByName(mentions), models)
  const descriptions = entities.map(({ description }) => description)
  const vectors = await documentVectors(descriptions, models)
  const vectorOf = (row: number) => vectors.data.subarray(row * vectors.columns, (row + 1) * vectors.columns)
  const namedChunks = new Set(entities.flatMap(({ chunks }) => chunks))
  return {
    entities,
    /** The k0 entities nearest to the question, best first, and the question's own vector. */
    async nearest(text: string, models: Models) {
      if (entities.length === 0) return { voters: [], query: new Float32Array() }
      const query = await queryVector(text, models)
      const voters = topK(query, vectors, nearestEntities).map(({ index, score }): Voter => {
        return { ...itemAt(entities, index), similarity: score, row: index, vector: vectorOf(index) }
      })
      return { voters, query }
    },
    graph: () => drawingOf(chunks, entities),
    stats: () => ({ entities: entities.length, mentions: mentions.length, ...groundingStats(grounding) }),
    /** Counts by the message that a note prints. */
    warnings: () => ({
      'extraction replies that could not be read or were refused': failures,
      'descriptions cut, because the reply that rewrites them was refused, could not be read, or repeats the example in the prompt':
        cutDescriptions,
      ...groundingWarnings(grounding),
      'chunks that mention no entity': chunks.length - namedChunks.size,
    }),
  }
}

/** Entities with edges to their chunks, weighted by number of mentions. */
const drawingOf = (chunks: readonly Chunk[], entities: readonly Entity[]): Graph =>
  drawTextGraph({
    entities: entities.map(({ name, description, chunks: rows }, row) => ({
      id: `entity ${row}`,
      text: name,
      data: { description },
      texts: rows.flatMap((chunk) => chunks[chunk]?.id ?? []),
    })),
    relations: [],
    texts: chunks.map(({ id, text }) => ({ id, kind: 'chunk', text })),
  })

/** Extracts entities, one call per chunk (UnWeaver, section 3). Throws ModelError if all fail. */
async function extractMentions(
  chunks: readonly Chunk[],
  models: Models,
  grounding: Grounding,
): Promise<{ readonly mentions: readonly Entity[]; readonly failures: number }> {
  const replies = await runEach(models, extractEntities, chunks, ({ text }) => ({ text }))
  const mentions = chunks.flatMap(({ text }, row) => {
    const keep = grounding.on(text)
    const groundedEntities = keep(extractEntities, replies[row] ?? [], ({ entity_name, entity_description }) => ({
      names: [entity_name],
      statements: [entity_description],
    }))
    return groundedEntities.map(({ entity_name, entity_description }) => ({
      name: withPlainSpaces(entity_name),
      description: withPlainSpaces(entity_description),
      chunks: [row],
    }))
  })
  return { mentions, failures: replies.filter((reply) => reply === undefined).length }
}

/** Replaces tabs, no-break and other spaces, so that names that look alike are equal. */
const withPlainSpaces = (text: string): string => text.replace(/[^\S\r\n]/g, ' ')

/** Longer descriptions, in code points, are rewritten (released code; its README says tokens). */
const shortenAboveChars = 4000
/** Tokens to which a description is cut before a model rewrites it: 0.95 × 32768 (released code). */
const maxDescriptionTokens = 31_129

/** Rewrites long descriptions by a model, and cuts those whose reply is unusable, which `failures` counts. */
export async function shortenDescriptions(entities: readonly Entity[], models: Models) {
  let failures = 0
  const shorten = async ({ description: fullText, ...entity }: Entity): Promise<Entity> => {
    const { countTokens } = models
    const isTooLong = countTokens(fullText) > maxDescriptionTokens
    const description = isTooLong ? longestStart(fullText, maxDescriptionTokens, countTokens) : fullText
    const characters = Array.from(description)
    if (characters.length <= shortenAboveChars) return { ...entity, description }
    const reply = await attempt(models, shortenDescription, { name: entity.name, description })
    const keep = groundingOf('count').on(description)
    const sentences = reply instanceof ModelError ? [] : reply
    const [summary] = keep(shortenDescription, sentences, (sentence) => ({ statements: [sentence] }))
    if (summary === undefined) failures++
    return { ...entity, description: summary ?? characters.slice(0, shortenAboveChars).join('') }
  }
  return { entities: await Promise.all(entities.map(shorten)), failures }
}

/** An entity, its description, and the rows of the chunks that name it, once per mention. */
export interface Entity {
  readonly name: string
  readonly description: string
  readonly chunks: readonly number[]
}

/** Merges entities of the same name: descriptions joined, chunks in order; sorted by the bytes of the name. */
function mergeByName(mentions: readonly Entity[]): Entity[] {
  return [...groupBy(mentions, ({ name }) => name)]
    .map(([name, group]) => ({
      name,
      description: group.map(({ description }) => description).join(' '),
      chunks: group.flatMap(({ chunks }) => chunks),
    }))
    .sort((a, b) => byCodePoint(a.name, b.name))
}

/** A chunk by its row, with its score. */
export interface RankedChunk {
  readonly chunk: number
  readonly score: number
  /** Ranks of the voters that support it; all that name it if absent. */
  readonly by?: readonly number[]
  readonly why?: Trace
}

/**
 * The first topK chunks of a ranking, up to the one that would exceed the tokens (UnWeaver, section 3: whole rows only)
 * or the budget's passages. `why` has the supporting entities with their ranks, from 0, and similarities.
 */
export function contextOf(
  chunks: readonly Chunk[],
  ranking: readonly RankedChunk[],
  voters: readonly Voter[],
  { topK, maxTokens }: Readonly<Record<'topK' | 'maxTokens', number | null>>,
  { passages }: Budget,
  fallback?: string,
): readonly Passage[] {
  let remainingTokens = maxTokens ?? Infinity
  const context: Passage[] = []
  for (const { chunk: row, score, by, why } of ranking.slice(0, Math.min(topK ?? Infinity, passages))) {
    const chunk = chunks[row]
    if (!chunk || chunk.tokens > remainingTokens) break
    remainingTokens -= chunk.tokens
    context.push({
      text: chunk.text,
      score,
      from: [chunk.id],
      kind: 'chunk',
      why: { ...voterTrace(row, voters, by), ...why },
    })
  }
  return addTrace(context, [fallback])
}

function voterTrace(row: number, voters: readonly Voter[], by?: readonly number[]): Trace {
  const namingVoters = voters
    .map((voter, rank) => ({ ...voter, rank }))
    .filter(({ chunks, rank }) => by?.includes(rank) ?? chunks.includes(row))
  return {
    entities: namingVoters.map(({ name }) => name),
    ranks: namingVoters.map(({ rank }) => rank),
    similarities: namingVoters.map(({ similarity }) => similarity),
  }
}
