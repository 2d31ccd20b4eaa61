import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import type { Matrix } from '../../math/vectors.ts'
import { mergeDescriptions } from '../../tasks/graphrag-index.ts'
import { groundingOf, groundingStats, groundingWarnings } from '../../tasks/grounding.ts'
import { extractTextGraph, type TextGraph } from '../../tasks/lightrag.ts'
import type { Chunk, IndexStats, Models } from '../../types.ts'
import { attempt, refuseAllLost } from '../shared/attempt.ts'
import { documentVectors } from '../shared/embed.ts'
import { summariseFragments } from '../shared/fragments.ts'
import { type Graph, mergeGraphs, unknownType, addGleaning } from './merge.ts'

/** The merged graph, and vectors of entities, relations and chunks, one row each in their order. */
export interface LightragIndex extends Graph {
  readonly chunks: readonly Chunk[]
  readonly entityVectors: Matrix
  readonly relationVectors: Matrix
  readonly chunkVectors: Matrix
  readonly stats: IndexStats
  readonly warnings: Readonly<Record<string, number>>
}

interface BuildOptions {
  readonly gleanings: number
  readonly compat: boolean
}

/** Constants of release 1.5.7; 450 words are about its 600 tokens. */
const limits = { forceAt: 8, summaryTokens: 1200, groupTokens: 12_000, summaryWords: 450, maxGleaningTokens: 20_480 }

/** Extracts a graph from every chunk, merges the graphs and embeds the result (paper, section 3.1). */
export async function buildIndex(
  chunks: readonly Chunk[],
  models: Models,
  { gleanings, compat }: BuildOptions,
): Promise<LightragIndex> {
  const counts = { calls: 0, unreadGleanings: 0, summaries: 0, lostSummaries: 0 }
  const count = (text: string): number => models.countTokens(text)
  const grounding = groundingOf('count')

  const withoutEchoes = ({ entities, relations }: TextGraph, text: string): TextGraph => {
    const keep = grounding.on(text)
    return {
      entities: keep(extractTextGraph, entities, ({ name, description }) => ({
        names: [name],
        statements: [description],
      })),
      relations: keep(extractTextGraph, relations, ({ source, target, description }) => ({
        names: [source, target],
        statements: [description],
      })),
    }
  }
  const describe = (names: readonly string[], fragments: readonly string[]) =>
    summariseFragments(fragments, limits, count, async (group) => {
      counts.summaries++
      const descriptions = compat ? fittingLines(group, limits.groupTokens, count) : group
      const reply = await attempt(models, mergeDescriptions, { names, descriptions, words: limits.summaryWords })
      if (!(reply instanceof ModelError)) return reply
      counts.lostSummaries++
      return undefined
    })

  const outcomes = await Promise.all(
    chunks.map(async ({ text }) => {
      const graph = await extractGraph(text, models, gleanings, counts)
      return graph instanceof ModelError ? graph : withoutEchoes(graph, text)
    }),
  )
  refuseAllLost(extractTextGraph, outcomes)
  const graphs = new Map<string, TextGraph>()
  for (const [at, graph] of outcomes.entries())
    if (!(graph instanceof ModelError)) graphs.set(itemAt(chunks, at).id, graph)
  const { entities, relations } = await mergeGraphs(chunks, graphs, describe)
  return {
    chunks,
    entities,
    relations,
    entityVectors: await documentVectors(
      entities.map(({ name, description }) => `${name}\n${description}`),
      models,
    ),
    relationVectors: await documentVectors(
      relations.map(({ keywords, pair, description }) => `${keywords}\t${pair.join('\n')}\n${description}`),
      models,
    ),
    chunkVectors: await documentVectors(
      chunks.map(({ text }) => text),
      models,
    ),
    stats: {
      entities: entities.length,
      unknownEntities: entities.filter(({ type }) => type === unknownType).length,
      relations: relations.length,
      extractionCalls: counts.calls,
      extractionFailures: chunks.length - graphs.size,
      descriptionCalls: counts.summaries,
      descriptionFailures: counts.lostSummaries,
      ...groundingStats(grounding),
    },
    warnings: {
      'chunks without a graph, because the extraction could not be read or was refused': chunks.length - graphs.size,
      'gleanings that could not be read and added nothing to their chunk': counts.unreadGleanings,
      'descriptions joined, because the reply that merges them could not be read or was refused': counts.lostSummaries,
      ...groundingWarnings(grounding),
    },
  }
}

/** The graph of one text: a first reply, then gleanings in the same chat, which ask for what is missing. */
export async function extractGraph(
  text: string,
  models: Models,
  gleanings: number,
  counts = { calls: 0, unreadGleanings: 0 },
): Promise<TextGraph | ModelError> {
  const replies: TextGraph[] = []
  const isLong = models.countTokens(text) > limits.maxGleaningTokens
  for (let call = 0; call <= (isLong ? 0 : gleanings); call++) {
    counts.calls++
    const reply = await attempt(models, extractTextGraph, { text, replies: [...replies] })
    if (!(reply instanceof ModelError)) replies.push(reply)
    else if (call === 0) return reply
    else counts.unreadGleanings++
  }
  return replies.reduce(addGleaning)
}

/** The longest prefix of a group that fits as JSON lines: the release drops the rest. */
export function fittingLines(
  group: readonly string[],
  tokens: number,
  count: (text: string) => number,
): readonly string[] {
  const lines = group.map((description) => `{"Description": ${JSON.stringify(description)}}`)
  let fitting = group.length
  while (count(lines.slice(0, fitting).join('\n')) > tokens) fitting--
  return group.slice(0, fitting)
}
