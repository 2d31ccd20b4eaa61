import { defineMethod } from '../../define.ts'
import { utilityQuestions, summarise } from '../../tasks/pieces.ts'
import { remember, type Gem, poolOf } from './memory.ts'
import { gemOptions, nodesPerTheme, summaryTokens, type GemOptions } from './options.ts'
import { refuseAllLost } from '../shared/attempt.ts'
import type { Index, Passage, Chunk, CorpusFacts, Estimate, ExpectedCalls, MethodCosts } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import { drawingOf } from './drawing.ts'
import { statsOf, warningsOf } from './index-stats.ts'
import { recallable, recaller } from './recall.ts'
import { once } from '../../basics/memoise.ts'
import { around, exactly, sumOf, times, embedCalls, noCalls, taskCalls } from '../../math/expected.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import { scopeOf } from '../shared/scope.ts'
import { byDocument } from '../shared/whole-documents.ts'
import { embeddedQuestions, lengthsOf, tokensOf, filledContext } from '../shared/expected-calls.ts'

/**
 * GEM-RAG: chunks are tagged with the utility questions that they answer, tied by how well one's questions fit the
 * other's text, and the leading eigenvectors of that graph name the themes whose summaries join it. Its authors
 * released no code: this is our reading where the paper leaves a choice open. Chunk size (100
 * tokens, no overlap), and the budget of 4 nodes and 400 tokens are the config's `chunks` and `budget`.
 */
export const gemRag = defineMethod({
  name: 'gem-rag',
  // 2: scope is auto
  version: 2,
  summary:
    'Graphical eigen memories: a similarity graph of chunks by their utility questions, and summaries of its eigenthemes.',
  paper:
    'Rappazzo, Wang, Ferber and Gomes, GEM-RAG: Graphical Eigen Memories For Retrieval Augmented Generation (our reading)',
  tasks: [utilityQuestions, summarise],
  options: gemOptions,
  embedsChunks: () => true,
  shares: sharedPool,
  costs: gemCosts,
  paperCalls: {
    formula: '1 for each of 5 questions of a node, and 1 a summary',
    count: (_, stat) => stat('paperCalls'),
  },
  async index(chunks, models, options) {
    const groups = groupsOf(chunks, options)
    const memories = await Promise.all(
      groups.filter((group) => group.length > 0).map((group) => remember(group, models, options)),
    )
    refuseAllLost(
      utilityQuestions,
      memories.flatMap(({ nodes }) => nodes.map(({ lost }) => lost)),
    )
    return gemIndex({ options, chunks, memories })
  },
})

/** One pool for all variants of a row that differ in their number of questions: the largest of them. */
function sharedPool(variants: readonly GemOptions[]): Partial<GemOptions> {
  const asked = variants.filter(({ questionPool }) => questionPool === 'shared').map(({ questions }) => questions)
  return asked.length < variants.length || new Set(asked).size < 2 ? {} : { questionPool: Math.max(...asked) }
}

/** The index over memories. */
export function gemIndex({ options, chunks, memories }: Gem): Index {
  const recall = recaller(memories.map(recallable), options.mode)
  return {
    nested: true,
    async retrieve({ text }, budget, models) {
      if (memories.length === 0) return []
      const prompt = await queryVector(text, models)
      return recall(prompt, budget.passages).flatMap(({ memory, node, score, why }): Passage[] => {
        const found = memories[memory]?.nodes[node]
        return found ? [{ text: found.text, score, from: found.from, kind: found.kind, why }] : []
      })
    },
    graph: () => drawingOf(memories, options, chunks),
    stats: () => statsOf(memories, options),
    warnings: () => warningsOf(memories, options),
  }
}

/** Tokens of a utility question in a reply (measured with the offline provider on the sample dataset). */
const questionTokens = around(10)
const replyTokens = around(11)

/** The chunks of each memory: those of a document, or all. */
export function groupsOf(
  chunks: readonly Chunk[],
  { scope }: Pick<GemOptions, 'scope'>,
): readonly (readonly Chunk[])[] {
  const documents = [...byDocument(chunks).values()]
  return scopeOf(documents, scope, nodesPerTheme) === 'corpus' ? [chunks] : documents
}

/** What a memory of every document, or of the corpus, is expected to cost: one call a node, and one a summary. */
function gemCosts(facts: CorpusFacts, options: GemOptions): MethodCosts {
  const { chunks, budget } = facts
  const groups = groupsOf(chunks, options)
  return {
    drawsAtIndex: groups.some(({ length }) => draws(length, options)),
    index: groups.filter((group) => group.length > 0).flatMap((group) => memoryCosts(group, facts, options)),
    retrieve: [embeddedQuestions(facts)],
    context: once(() => filledContext(lengthsOf(chunks), budget)),
  }
}

function memoryCosts(
  chunks: readonly Chunk[],
  { countTokens }: CorpusFacts,
  options: GemOptions,
): readonly ExpectedCalls[] {
  const { questions } = options
  const pool = poolOf(questions, options.questionPool)
  const themes = themesOf(chunks.length, options)
  const summary: Estimate = { low: summaryTokens / 2, expected: summaryTokens, high: summaryTokens }
  // a cluster has no more nodes than fall to it, an eigenvector has all
  const most = options.clustering === 'kmeans' ? chunks.length / Math.max(1, themes.expected) : chunks.length
  const perTheme = (tokensOf(chunks) / chunks.length) * Math.min(nodesPerTheme, most)
  const tagged = (nodes: Estimate, texts: Estimate, once?: string): readonly ExpectedCalls[] => {
    const asked = questions === 0 ? exactly(0) : nodes
    const tags = times(questionTokens, questions)
    const task = { calls: asked, texts: questions === 0 ? exactly(0) : texts, reply: times(replyTokens, pool) }
    const embeddings = nodes.high === 0 ? 0 : questions === 0 ? 1 : 2
    return [
      {
        ...(once !== undefined && { once }),
        ...taskCalls(utilityQuestions, { text: '', count: pool }, task, countTokens),
      },
      // an embedder that tells questions from documents embeds every question as both
      embedCalls({ low: embeddings, expected: embeddings, high: embeddings * 1.5 }, sumOf(texts, times(nodes, tags))),
    ]
  }
  // the chunks of a theme may be shorter or longer than the mean
  const spread = { low: 0.8 * perTheme, expected: perTheme, high: 1.25 * perTheme }
  const texts = { calls: themes, texts: times(themes, spread), reply: summary }
  return [
    ...tagged(exactly(chunks.length), exactly(tokensOf(chunks)), `${pool} questions of ${chunks[0]?.id ?? ''}`),
    themes.high === 0 ? noCalls : taskCalls(summarise, { texts: [], tokens: summaryTokens }, texts, countTokens),
    ...tagged(themes, times(themes, summary)),
  ]
}

/** Whether the themes of n chunks follow a seed: the centres of k-means, or the start vector of the solver. */
function draws(n: number, { components, clustering }: GemOptions): boolean {
  if (n < 2 || components === 0) return false
  return clustering === 'kmeans' || n > fewNodes
}

/** Themes of a graph of n chunks, each with a summary. */
const themesOf = (n: number, { components }: GemOptions): Estimate => exactly(Math.max(0, Math.min(components, n - 1)))
