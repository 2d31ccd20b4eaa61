import { z } from 'zod'
import { countEach, valueOf } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { ModelError } from '../../errors.ts'
import { linearPolling, roundRobin } from '../../math/polling.ts'
import { mergeDescriptions } from '../../tasks/graphrag-index.ts'
import { extractTextGraph, questionKeywords, type QuestionKeywords } from '../../tasks/lightrag.ts'
import type { Budget, Chunk, Graph, Models, Passage } from '../../types.ts'
import { addTrace } from '../shared/add-trace.ts'
import { attempt, lossOf } from '../shared/attempt.ts'
import { type EmbeddedItems, nearestItems, queryVector } from '../shared/embed.ts'
import { fittingLines, fittingRows, rankSections, type Section } from '../shared/fitting.ts'
import { rankByModel } from '../shared/rank-by-model.ts'
import { drawTextGraph } from '../shared/text-graph.ts'
import { buildIndex, descriptionOf, type Item, type LightragIndex } from './graph.ts'
import { choice, flag } from '../shared/options.ts'

/** Defaults are those of release 1.5.7. */
const options = z.strictObject({
  mode: choice(
    ['mix', 'naive', 'local', 'global', 'hybrid'],
    'local: entities near the low-level keywords, and their relations; global: relations near the high-level keywords, and their entities; hybrid: both (paper); mix: both and the chunks near the question; naive: these chunks alone',
  ),
  chunkPick: choice(
    ['vector', 'weight'],
    'Chunks read. vector: those nearest to the question; weight: those that most entities and relations share, the first entities more than the last',
  ),
  gleanings: z.int().min(0).max(1).default(1).describe('How often what was missed is asked for, in the same chat'),
  show: choice(
    ['all', 'chunks', 'facts'],
    'Passages. chunks: with the whole budget; facts: the tables of entities and relations alone (our reading)',
  ),
  rerank: flag('Whether models.rerank orders the chunks and drops scores below 0'),
  compat: flag(
    'What the release loses: fragments at the end of a full call of a summary, and a question of 50 characters or more without a keyword',
  ),
})

type LightragOptions = z.infer<typeof options>

/** Hits and chunks of a search, chunks of the first entity, and tokens of the tables (release 1.5.7). */
export const searchLimits = { topK: 40, chunkTopK: 20, relatedChunks: 5, entityTokens: 6000, relationTokens: 8000 }

/** Tokens of a context, minimum cosine of a hit, and from which length no keywords means no search (release 1.5.7). */
const release = { contextTokens: 30_000, minCosine: 0.2, minLongQuestion: 50 }

/** LightRAG. Its tables and chunks share the budget of the run, whose answer prompt replaces LightRAG's. */
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
      async retrieve({ text }, budget, models) {
        if (index.chunks.items.length === 0) return []
        const { keywords, fallback } = await keywordsOf(text, options, models)
        const limits = { ...options, ...searchLimits }
        const { entities, relations, candidates } = await search(index, text, keywords, limits, budget.tokens, models)
        const searchOrder = candidates.map((item) => ({ item, score: 1 }))
        const ranking = options.rerank ? await rankByModel(text, candidates, models) : searchOrder
        const chunks = ranking.flatMap(({ item, score }) => (score >= 0 ? item : [])).slice(0, searchLimits.chunkTopK)
        return addTrace(passagesOf([entities, relations], chunks, options.show, budget, models), [fallback], {
          mode: options.mode,
          ...keywords,
          entities: entities.items.map(({ item }) => item.names.join()),
          entityScores: entities.items.map(({ score }) => score),
          relations: relations.items.map(({ item }) => item.names.join(' – ')),
          relationScores: relations.items.map(({ score }) => score),
        })
      },
      graph: () => drawingOf(index),
      stats: () => index.stats,
      warnings: () => index.warnings,
    }
  },
})

/** The keywords of a question; the question itself if the model returns none, and `fallback`: why. */
export async function keywordsOf(question: string, { mode, compat }: LightragOptions, models: Models) {
  const keywords: QuestionKeywords = { high: [], low: [] }
  if (mode === 'naive') return { keywords }
  const reply = await attempt(models, questionKeywords, { question })
  if (!(reply instanceof ModelError) && reply.high.length + reply.low.length > 0) return { keywords: reply }
  const loss = reply instanceof ModelError ? `the reply ${lossOf(reply)}` : 'the model named none'
  const isUnsearched = compat && Array.from(question).length >= release.minLongQuestion
  if (isUnsearched) return { keywords, fallback: `no keywords: ${loss}` }
  return { keywords: { high: [], low: [question] }, fallback: `the question in place of keywords: ${loss}` }
}

/** An entity or a relation with its cosine, or with the degrees of both ends. */
type Hit = ReturnType<typeof nearestItems<Item>>[number]

const itemOf = ({ item }: Hit): Item => item

/** Tables of the hits within their shares of `tokens`; chunks by the way to them and interleaved (section 3.2). */
export async function search(
  index: LightragIndex,
  question: string,
  { high, low }: QuestionKeywords,
  { mode, chunkPick, ...limits }: Pick<LightragOptions, 'mode' | 'chunkPick'> & typeof searchLimits,
  tokens: number,
  models: Models,
) {
  const isNear = ({ score }: { readonly score: number }): boolean => score >= release.minCosine
  const near = async (level: 'local' | 'global', words: readonly string[], items: EmbeddedItems<Item>) =>
    words.length > 0 && [level, 'hybrid', 'mix'].includes(mode)
      ? nearestItems(await queryVector(words.join(', '), models), items, limits.topK).filter(isNear)
      : []
  const localEntities = await near('local', low, index.entities)
  const globalRelations = await near('global', high, index.relations)
  const endsOf = ({ item, score }: Hit) => item.names.map((name) => ({ item: index.entityOf(name), score }))
  const entityHits = roundRobin([localEntities, globalRelations.flatMap(endsOf)], itemOf)
  const relationHits = roundRobin([relationsAround(localEntities, index), globalRelations], itemOf)
  const share = (most: number): number => Math.floor((tokens * most) / release.contextTokens)
  const entities = fittingLines(entityHits, recordOf, share(limits.entityTokens), models.countTokens)
  const relations = fittingLines(relationHits, recordOf, share(limits.relationTokens), models.countTokens)
  const ranking = nearestItems(await queryVector(question, models), index.chunks, index.chunks.items.length)
  const cosines = new Map(ranking.map(({ item, score }) => [item, score]))
  /** The nearest chunks of groups, or those of linear polling where that gives none. */
  const pick = (groups: readonly (readonly Chunk[])[]): readonly Chunk[] => {
    const most = chunkPick === 'weight' ? 0 : Math.floor((limits.relatedChunks * groups.length) / 2)
    if (most === 0) return linearPolling(groups, limits.relatedChunks)
    const chunks = groups.flat()
    return chunks.sort((a, b) => valueOf(cosines, b) - valueOf(cosines, a)).slice(0, most)
  }
  const entity = pick(chunkGroups(entities.items, []))
  const relation = pick(chunkGroups(relations.items, entity).filter(({ length }) => length > 0))
  const nearest = ['naive', 'mix'].includes(mode) ? ranking.slice(0, limits.chunkTopK).filter(isNear) : []
  const ways = { vector: nearest.map(({ item }) => item), entity, relation }
  const candidates = roundRobin(Object.values(ways), (chunk) => chunk).map((chunk) => {
    const via = Object.entries(ways).flatMap(([way, chunks]) => (chunks.includes(chunk) ? way : []))
    return { ...chunk, why: { via } }
  })
  return { entities, relations, ways, candidates }
}

/** The relations of entities, by the sum of the degrees of both ends, then by weight, descending. */
function relationsAround(entities: readonly Hit[], { relationsOf }: LightragIndex): readonly Hit[] {
  const relations = new Set(entities.flatMap(({ item }) => relationsOf(item)))
  const hits = Array.from(relations, (item) => ({ item, score: relationsOf(item).length }))
  return hits.sort((a, b) => b.score - a.score || b.item.weight - a.item.weight)
}

function recordOf({ item }: Hit): Readonly<Record<string, string>> {
  const [name = '', second] = item.names
  const names = second === undefined ? { entity: name, type: item.type } : { entity1: name, entity2: second }
  return { ...names, description: descriptionOf(item) }
}

/** The chunks of each hit that no earlier one has, by the number of hits, descending. */
function chunkGroups(hits: readonly Hit[], usedChunks: readonly Chunk[]): readonly (readonly Chunk[])[] {
  const counts = countEach(hits.flatMap(({ item }) => item.chunks))
  const assignedChunks = new Set(usedChunks)
  return hits.map(({ item }) => {
    const group = item.chunks.filter((chunk) => !assignedChunks.has(chunk))
    for (const chunk of group) assignedChunks.add(chunk)
    return group.sort((a, b) => valueOf(counts, b) - valueOf(counts, a))
  })
}

/** Chunks and tables within the shared budget; chunks rank first, because only they count for retrieval scores. */
export function passagesOf(
  tables: readonly Section<{ readonly item: { readonly chunks: readonly Pick<Chunk, 'id'>[] } }>[],
  chunks: readonly (Pick<Chunk, 'id' | 'text'> & Required<Pick<Passage, 'why'>>)[],
  show: LightragOptions['show'],
  budget: Budget,
  { countTokens }: Pick<Models, 'countTokens'>,
): readonly Passage[] {
  const facts = tables.flatMap(({ text }) => text || []).join('\n')
  const hasRoom = show === 'facts' || budget.passages > 1 || chunks.length === 0
  const hasFacts = show !== 'chunks' && facts !== '' && hasRoom
  const tokens = budget.tokens - (hasFacts ? countTokens(facts) : 0)
  const fitting = fittingRows('', show === 'facts' ? [] : chunks, ({ text }) => text, tokens, countTokens)
  const passages = fitting.items.map(({ id, text, why }) => ({ text, from: [id], kind: 'chunk' as const, why }))
  const ids = tables.flatMap(({ items }) => items.flatMap(({ item }) => item.chunks.map(({ id }) => id)))
  const table = { text: facts, from: [...new Set(ids)], kind: 'facts' as const }
  return rankSections(passages, hasFacts ? [table] : [], [], budget)
}

const drawingOf = ({ entities, relations, chunks }: LightragIndex): Graph =>
  drawTextGraph({
    entities: entities.items.map((item) => ({
      id: `entity ${item.names.join()}`,
      text: item.names.join(),
      data: { type: item.type, description: descriptionOf(item) },
      texts: item.chunks.map(({ id }) => id),
    })),
    relations: relations.items.map(({ names: [a, b], weight }) => ({ ends: [`entity ${a}`, `entity ${b}`], weight })),
    texts: chunks.items.map(({ id, text }) => ({ id, kind: 'chunk', text })),
  })
