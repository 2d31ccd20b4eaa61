import { groupBy, itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { groundingOf, groundingStats, groundingWarnings } from '../../tasks/grounding.ts'
import { extractTextGraph, type TextGraph } from '../../tasks/lightrag.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt, refuseAllLost } from '../shared/attempt.ts'
import { embedItems } from '../shared/embed.ts'
import { summariseFragments } from '../shared/fragments.ts'
import { type Count, descriptionMerger, fittingRows, groundedRecords } from '../shared/text-graph.ts'
import { addGleaning, mergeGraphs, unknownType } from './merge.ts'

/** The merged graph with vectors of entities, relations and chunks, and lookup tables for questions. */
export type LightragIndex = Awaited<ReturnType<typeof buildIndex>>

interface BuildOptions {
  readonly gleanings: number
  readonly compat: boolean
}

/** Constants of release 1.5.7; 450 words are about its 600 tokens. */
const limits = { forceAt: 8, summaryTokens: 1200, groupTokens: 12_000, summaryWords: 450, maxGleaningTokens: 20_480 }

/** Extracts a graph from every chunk, merges the graphs and embeds the result (paper, section 3.1). */
export async function buildIndex(chunks: readonly Chunk[], models: Models, { gleanings, compat }: BuildOptions) {
  const count: Count = (text) => models.countTokens(text)
  const counts = { calls: 0, unreadGleanings: 0 }
  const replies = await Promise.all(chunks.map(({ text }) => extractGraph(text, models, gleanings, counts)))
  refuseAllLost(extractTextGraph, replies)
  const grounding = groundingOf('count')
  const graphs = new Map<string, TextGraph>()
  for (const [at, { id, text }] of chunks.entries()) {
    const reply = itemAt(replies, at)
    if (!(reply instanceof ModelError)) graphs.set(id, groundedRecords(extractTextGraph, reply, grounding.on(text)))
  }
  const merger = descriptionMerger(models, limits.summaryWords)
  const { entities, relations } = await mergeGraphs(chunks, graphs, (names, fragments) =>
    summariseFragments(fragments, limits, count, (group) =>
      merger.merge(names, compat ? fittingLines(group, limits.groupTokens, count) : group),
    ),
  )
  const relationText = ({ keywords, pair, description }: (typeof relations)[number]) =>
    `${keywords}\t${pair.join('\n')}\n${description}`
  const ends = relations.flatMap((relation) => relation.pair.map((name) => ({ name, relation })))
  return {
    entities: await embedItems([...entities.values()], ({ name, description }) => `${name}\n${description}`, models),
    relations: await embedItems(relations, relationText, models),
    chunks: await embedItems(chunks, ({ text }) => text, models),
    entityOf: entities,
    /** By the name of an end, in order of insertion. */
    relationsOf: groupBy(ends, ({ name }) => name),
    rowOfChunk: new Map(chunks.map(({ id }, row) => [id, row])),
    stats: {
      entities: entities.size,
      unknownEntities: [...entities.values()].filter(({ type }) => type === unknownType).length,
      relations: relations.length,
      extractionCalls: counts.calls,
      extractionFailures: chunks.length - graphs.size,
      descriptionCalls: merger.counts.calls,
      descriptionFailures: merger.counts.lost,
      ...groundingStats(grounding),
    },
    warnings: {
      'chunks without a graph, because the extraction could not be read or was refused': chunks.length - graphs.size,
      'gleanings that could not be read and added nothing to their chunk': counts.unreadGleanings,
      'descriptions joined, because the reply that merges them could not be read or was refused': merger.counts.lost,
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
export const fittingLines = (group: readonly string[], tokens: number, count: Count): readonly string[] =>
  fittingRows(
    '',
    group,
    (description, place) => `${place > 0 ? '\n' : ''}{"Description": ${JSON.stringify(description)}}`,
    tokens,
    count,
  ).items
