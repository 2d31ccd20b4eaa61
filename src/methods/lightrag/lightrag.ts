import { z } from 'zod'
import { itemAt, valueOf } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import { mergeDescriptions } from '../../tasks/graphrag-index.ts'
import { extractTextGraph, questionKeywords, type QuestionKeywords } from '../../tasks/lightrag.ts'
import type { Budget, Chunk, Graph, Models, Passage, Query } from '../../types.ts'
import { attempt, lossOf } from '../shared/attempt.ts'
import { buildIndex, type LightragIndex } from './build.ts'
import { type Findings, modes, type Row, search, type SearchIndex, searchIndex } from './search.ts'

const code = '(code of release 1.5.7)'

const options = z.strictObject({
  mode: z
    .enum(modes)
    .default('mix')
    .describe(
      `What is searched. local: entities near the low-level keywords, and their relations; global: relations near the high-level keywords, and their entities; hybrid: both; mix: both and the chunks near the question; naive: these chunks alone ${code}. The paper reports hybrid`,
    ),
  chunkPick: z
    .enum(['vector', 'weight'])
    .default('vector')
    .describe(
      `Which chunks of the entities and relations are read. vector: those nearest to the question; weight: those that most of them share, the first entities more than the last ${code}`,
    ),
  gleanings: z
    .int()
    .min(0)
    .max(1)
    .default(1)
    .describe(`How often what was missed is asked for, in the same chat ${code}`),
  show: z
    .enum(['all', 'chunks', 'facts'])
    .default('all')
    .describe(
      'What becomes passages: chunks: the graph only finds them, and they have the whole budget; facts: the tables of entities and relations alone (our reading)',
    ),
  rerank: z
    .boolean()
    .default(false)
    .describe(`Whether models.rerank puts the chunks into order and drops those with a score below 0 ${code}`),
  compat: z
    .boolean()
    .default(false)
    .describe(
      `What the release does where it loses data: fragments at the end of a full call of a summary, and a question of 50 characters or more without a keyword ${code}`,
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
  async index(chunks, models, options, sharedGraph) {
    const index = searchIndex(sharedGraph ?? (await buildIndex(chunks, models, options)))
    return {
      retrieve: (query, budget, models) => retrieve(index, query, budget, options, models),
      graph: () => drawingOf(index),
      stats: () => index.stats,
      warnings: () => index.warnings,
    }
  },
})

async function retrieve(
  index: SearchIndex,
  { text }: Query,
  budget: Budget,
  options: LightragOptions,
  models: Models,
): Promise<readonly Passage[]> {
  if (index.chunks.length === 0) return []
  const { keywords, fallback } = await keywordsOf(text, options, models)
  const findings = await search(
    index,
    text,
    keywords,
    {
      ...options,
      ...limits,
      entityTokens: Math.floor(budget.tokens * entityShare),
      relationTokens: Math.floor(budget.tokens * relationShare),
    },
    models,
  )
  const candidates = mergedChunks(findings).map((id) => valueOf(index.chunkOf, id))
  const ranking = options.rerank ? await rerankChunks(text, candidates, limits.chunkTopK, models) : candidates
  const facts = [...findings.shownEntities, ...findings.shownRelations]
  const passages = passagesOf(facts, ranking.slice(0, limits.chunkTopK), options.show, budget, models)
  const trace = {
    mode: options.mode,
    high: keywords.high,
    low: keywords.low,
    entities: findings.shownEntities.map(({ item }) => item.name),
    relations: findings.shownRelations.map(({ item }) => item.pair.join(' – ')),
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

interface Keywords {
  readonly keywords: QuestionKeywords
  readonly fallback?: string
}

/** The release searches nothing for a question of this length without keywords. */
const minLongQuestion = 50

/** The keywords of a question; the question itself if the model returns none. */
export async function keywordsOf(
  question: string,
  { mode, compat }: Pick<LightragOptions, 'mode' | 'compat'>,
  models: Models,
): Promise<Keywords> {
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
  const scores = await rerank(
    question,
    chunks.map(({ text }) => text),
  )
  return chunks
    .map((chunk, at) => ({ chunk, score: itemAt(scores, at).score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .filter(({ score }) => score >= leastScore)
    .map(({ chunk }) => chunk)
}

/** Chunks and tables within the shared budget; chunks rank first, because only they count for retrieval scores. */
export function passagesOf(
  rows: readonly Row<{ readonly chunks: readonly string[] }>[],
  chunks: readonly Pick<Chunk, 'id' | 'text'>[],
  show: LightragOptions['show'],
  budget: Budget,
  { countTokens }: Pick<Models, 'countTokens'>,
): readonly Passage[] {
  const hasFacts =
    show !== 'chunks' && rows.length > 0 && (show === 'facts' || budget.passages > 1 || chunks.length === 0)
  const text = rows.map(({ line }) => line).join('\n')
  let remainingTokens = budget.tokens - (hasFacts ? countTokens(text) : 0)
  const room = show === 'facts' ? 0 : budget.passages - Number(hasFacts)
  const candidates = chunks.slice(0, room)
  const end = candidates.findIndex((chunk) => (remainingTokens -= countTokens(chunk.text)) < 0)
  const quotes = end < 0 ? candidates : candidates.slice(0, end)
  const passages = quotes.map((chunk, place): Passage => ({
    text: chunk.text,
    score: -place,
    from: [chunk.id],
    kind: 'chunk',
    order: place + 1,
  }))
  if (!hasFacts) return passages
  const from = [...new Set(rows.flatMap(({ item }) => item.chunks))]
  return [...passages, { text, score: -quotes.length, from, kind: 'facts', order: 0 }]
}

/** The graph of entities and chunks: relations connect entities, and each entity connects to its chunks. */
function drawingOf({ entities, relations, chunks }: LightragIndex): Graph {
  const place = new Map(
    [...entities.map(({ name }) => `entity ${name}`), ...chunks.map(({ id }) => id)].map((id, at) => [id, at]),
  )
  const edge = (from: string, to: string, weight: number, kind: string) => ({
    from: valueOf(place, from),
    to: valueOf(place, to),
    weight,
    kind,
  })
  return {
    nodes: [
      ...entities.map(({ name, type, description }) => ({
        id: `entity ${name}`,
        kind: 'entity',
        text: name,
        data: { type, description },
      })),
      ...chunks.map(({ id, text }) => ({ id, kind: 'chunk', text })),
    ],
    edges: [
      ...relations.map(({ pair: [a, b], weight }) => edge(`entity ${a}`, `entity ${b}`, weight, 'related')),
      ...entities.flatMap(({ name, chunks: ids }) => ids.map((id) => edge(`entity ${name}`, id, 1, 'stands in'))),
    ],
  }
}
