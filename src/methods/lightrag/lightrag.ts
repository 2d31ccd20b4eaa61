import { z } from 'zod'
import { itemAt, valueOf } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import { mergeDescriptions } from '../../tasks/graphrag-index.ts'
import { extractTextGraph, questionKeywords, type QuestionKeywords } from '../../tasks/lightrag.ts'
import type { Budget, Chunk, Graph, Models, Passage, Query } from '../../types.ts'
import { attempt, lossOf } from '../shared/attempt.ts'
import { connectedGraph, fittingRows, type Section } from '../shared/text-graph.ts'
import { buildIndex, type LightragIndex } from './build.ts'
import { type Findings, modes, search } from './search.ts'

/** Defaults are those of release 1.5.7. */
const options = z.strictObject({
  mode: z
    .enum(modes)
    .default('mix')
    .describe(
      'What is searched. local: entities near the low-level keywords, and their relations; global: relations near the high-level keywords, and their entities; hybrid: both; mix: both and the chunks near the question; naive: these chunks alone. The paper reports hybrid',
    ),
  chunkPick: z
    .enum(['vector', 'weight'])
    .default('vector')
    .describe(
      'Which chunks of the entities and relations are read. vector: those nearest to the question; weight: those that most of them share, the first entities more than the last',
    ),
  gleanings: z.int().min(0).max(1).default(1).describe('How often what was missed is asked for, in the same chat'),
  show: z
    .enum(['all', 'chunks', 'facts'])
    .default('all')
    .describe(
      'What becomes passages. chunks: the graph only finds them, and they have the whole budget; facts: the tables of entities and relations alone (our reading)',
    ),
  rerank: z.boolean().default(false).describe('Whether models.rerank orders the chunks and drops scores below 0'),
  compat: z
    .boolean()
    .default(false)
    .describe(
      'What the release does where it loses data: fragments at the end of a full call of a summary, and a question of 50 characters or more without a keyword',
    ),
})

type LightragOptions = z.infer<typeof options>

/** Budget shares of the tables of entities and relations: 6000 and 8000 of 30,000 tokens (release 1.5.7). */
const [entityShare, relationShare] = [0.2, 0.8 / 3]

/** Entities or relations per search, chunks per search, chunks of the first entity (release 1.5.7). */
const limits = { topK: 40, chunkTopK: 20, relatedChunks: 5 }

/**
 * LightRAG: a language model extracts entities and relations with keywords; dense search on two levels finds them and
 * their chunks. Tables and chunks share the budget of the run; its answer prompt replaces LightRAG's.
 */
export const lightrag = defineMethod({
  name: 'lightrag',
  summary:
    'Entities and relations from a language model, searched by low-level and high-level keywords of the question; they lead to chunks.',
  paper: 'Guo et al. 2024, LightRAG: Simple and Fast Retrieval-Augmented Generation (HKUDS/LightRAG 1.5.7)',
  tasks: [extractTextGraph, mergeDescriptions, questionKeywords],
  options,
  requires: async ({ rerank }) => (rerank ? { rerank: true } : {}),
  prepares: { name: 'graph of lightrag', options: ['gleanings', 'compat'], make: buildIndex },
  async index(chunks, models, options, sharedIndex) {
    const index = sharedIndex ?? (await buildIndex(chunks, models, options))
    return {
      retrieve: (query, budget, models) => retrieve(index, query, budget, options, models),
      graph: () => drawingOf(index),
      stats: () => index.stats,
      warnings: () => index.warnings,
    }
  },
})

async function retrieve(
  index: LightragIndex,
  { text }: Query,
  budget: Budget,
  options: LightragOptions,
  models: Models,
): Promise<readonly Passage[]> {
  if (index.chunks.items.length === 0) return []
  const { keywords, fallback } = await keywordsOf(text, options, models)
  const shares = {
    entityTokens: Math.floor(budget.tokens * entityShare),
    relationTokens: Math.floor(budget.tokens * relationShare),
  }
  const findings = await search(index, text, keywords, { ...options, ...limits, ...shares }, models)
  const candidates = mergedChunks(findings).map((id) => itemAt(index.chunks.items, valueOf(index.rowOfChunk, id)))
  const ranking = options.rerank ? await rerankChunks(text, candidates, limits.chunkTopK, models) : candidates
  const { entityTable, relationTable } = findings
  const tables = [entityTable, relationTable]
  const passages = passagesOf(tables, ranking.slice(0, limits.chunkTopK), options.show, budget, models)
  const trace = {
    mode: options.mode,
    ...keywords,
    entities: entityTable.items.map(({ item }) => item.name),
    entityScores: entityTable.items.map(({ score }) => score),
    relations: relationTable.items.map(({ item }) => item.pair.join(' – ')),
    relationScores: relationTable.items.map(({ score }) => score),
    ...(fallback !== undefined && { fallback }),
  }
  return passages.map((passage, place) => {
    const why = passage.kind === 'chunk' ? { via: waysTo(itemAt(passage.from, 0), findings) } : {}
    return { ...passage, why: { ...why, ...(place === 0 && trace) } }
  })
}

/** The searches that found a chunk. */
const waysTo = (id: string, { vectorChunks, entityChunks, relationChunks }: Findings): readonly string[] =>
  Object.entries({ vector: vectorChunks, entity: entityChunks, relation: relationChunks }).flatMap(([way, ids]) =>
    ids.includes(id) ? [way] : [],
  )

/** The release searches nothing for a question of this length without keywords. */
const minLongQuestion = 50

/** The keywords of a question; the question itself if the model returns none, and `fallback`: why. */
export async function keywordsOf(
  question: string,
  { mode, compat }: Pick<LightragOptions, 'mode' | 'compat'>,
  models: Models,
): Promise<{ readonly keywords: QuestionKeywords; readonly fallback?: string }> {
  const noKeywords = { high: [], low: [] }
  if (mode === 'naive') return { keywords: noKeywords }
  const reply = await attempt(models, questionKeywords, { question })
  if (!(reply instanceof ModelError) && reply.high.length + reply.low.length > 0) return { keywords: reply }
  const loss = reply instanceof ModelError ? `the reply ${lossOf(reply)}` : 'the model named none'
  if (compat && Array.from(question).length >= minLongQuestion)
    return { keywords: noKeywords, fallback: `no keywords: ${loss}` }
  return { keywords: { high: [], low: [question] }, fallback: `the question in place of keywords: ${loss}` }
}

/** Interleaves the chunks near the question, of the entities and of the relations. */
export const mergedChunks = ({ vectorChunks, entityChunks, relationChunks }: Findings): readonly string[] =>
  roundRobin([vectorChunks, entityChunks, relationChunks], (id) => id)

/** The best `most` chunks by a rerank model, without scores below `leastScore`. */
export async function rerankChunks<C extends { readonly text: string }>(
  question: string,
  chunks: readonly C[],
  most: number,
  { rerank }: Pick<Models, 'rerank'>,
  leastScore = 0,
): Promise<readonly C[]> {
  if (!rerank) throw new Error('the config names no rerank model: give models.rerank')
  const texts = chunks.map(({ text }) => text)
  const scores = await rerank(question, texts)
  return chunks
    .map((chunk, at) => ({ chunk, score: itemAt(scores, at).score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .flatMap(({ chunk, score }) => (score >= leastScore ? [chunk] : []))
}

/** Chunks and tables within the shared budget; chunks rank first, because only they count for retrieval scores. */
export function passagesOf(
  tables: readonly Section<{ readonly item: { readonly chunks: readonly string[] } }>[],
  chunks: readonly Pick<Chunk, 'id' | 'text'>[],
  show: LightragOptions['show'],
  budget: Budget,
  models: Pick<Models, 'countTokens'>,
): readonly Passage[] {
  const count = (text: string): number => models.countTokens(text)
  const facts = tables.flatMap(({ text }) => text || []).join('\n')
  const hasFacts = show !== 'chunks' && facts !== '' && (show === 'facts' || budget.passages > 1 || chunks.length === 0)
  const room = show === 'facts' ? 0 : budget.passages - Number(hasFacts)
  const tokens = budget.tokens - (hasFacts ? count(facts) : 0)
  const { items } = fittingRows('', chunks.slice(0, room), ({ text }) => text, tokens, count)
  const passages = items.map(({ id, text }, place): Passage => ({
    text,
    score: -place,
    from: [id],
    kind: 'chunk',
    order: place + 1,
  }))
  if (!hasFacts) return passages
  const from = tables.flatMap(({ items }) => items.flatMap(({ item }) => item.chunks))
  return [...passages, { text: facts, score: -items.length, from: [...new Set(from)], kind: 'facts', order: 0 }]
}

/** The graph of entities and chunks: relations connect entities, and each entity connects to its chunks. */
const drawingOf = ({ entities, relations, chunks }: LightragIndex): Graph =>
  connectedGraph(
    [
      ...entities.items.map(({ name, type, description }) => ({
        id: `entity ${name}`,
        kind: 'entity',
        text: name,
        data: { type, description },
      })),
      ...chunks.items.map(({ id, text }) => ({ id, kind: 'chunk', text })),
    ],
    [
      ...relations.items.map(({ pair: [a, b], weight }) => ({
        ends: [`entity ${a}`, `entity ${b}`] as const,
        weight,
        kind: 'related',
      })),
      ...entities.items.flatMap(({ name, chunks: ids }) =>
        ids.map((id) => ({ ends: [`entity ${name}`, id] as const, weight: 1, kind: 'stands in' })),
      ),
    ],
  )
