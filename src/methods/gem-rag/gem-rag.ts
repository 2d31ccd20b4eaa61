import { once } from '../../basics/memoise.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { defineMethod } from '../../define.ts'
import { utilityQuestions, summarise } from '../../tasks/pieces.ts'
import type { IndexStats, Passage } from '../../types.ts'
import { refuseAllLost } from '../shared/attempt.ts'
import { queryVector } from '../shared/embed.ts'
import { groupsInScope } from '../shared/whole-documents.ts'
import { drawingOf, largestOf } from './drawing.ts'
import { factorsOf, remember, type Memory } from './memory.ts'
import { gemOptions, nodesPerTheme, type GemOptions } from './options.ts'
import { recaller } from './recall.ts'

/**
 * GEM-RAG: chunks are tagged with utility questions, edges weigh how well the questions of one fit the text of the
 * other, and the leading eigenvectors of that graph select the themes whose summaries join it. No code was released:
 * open points are our reading.
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
  shares: sharedPool,
  async index(chunks, models, options) {
    const { groups } = groupsInScope(chunks, options.scope, nodesPerTheme)
    const memories = await Promise.all(groups.map((group) => remember(group, models, options)))
    refuseAllLost(
      utilityQuestions,
      memories.flatMap(({ nodes }) => nodes.map(({ questionError }) => questionError)),
    )
    const recall = recaller(
      memories.map(({ nodes }) => ({ nodes, factors: once(() => factorsOf(nodes)) })),
      options.mode,
    )
    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        if (memories.length === 0) return []
        const prompt = await queryVector(text, models)
        const ranking = recall(prompt, budget.passages)
        return ranking.flatMap(({ memory, node, score, why }): Passage[] => {
          const gemNode = memories[memory]?.nodes[node]
          return gemNode ? [{ text: gemNode.text, score, from: gemNode.from, kind: gemNode.kind, why }] : []
        })
      },
      graph: () => drawingOf(memories, options, chunks),
      stats: () => statsOf(memories),
      warnings: () => warningsOf(memories, options),
    }
  },
})

/** Variants that differ in their number of questions share a pool: the largest number. */
function sharedPool(variants: readonly GemOptions[]): Partial<GemOptions> {
  const sharers = variants.filter(({ questionPool }) => questionPool === 'shared')
  const counts = sharers.map(({ questions }) => questions)
  const canShare = counts.length === variants.length && new Set(counts).size > 1
  return canShare ? { questionPool: Math.max(...counts) } : {}
}

function statsOf(memories: readonly Memory[]): IndexStats {
  const nodes = memories.flatMap((memory) => memory.nodes)
  const chunks = nodes.filter(({ kind }) => kind === 'chunk').length
  const { remarks, pairs, pairStats } = largestOf(memories)?.spectrum ?? {}
  return {
    graphs: memories.length,
    chunks,
    summaries: nodes.length - chunks,
    questions: sum(nodes.map(({ questions }) => questions.length)),
    ...(pairs && { solver: pairs.solver }),
    ...(remarks && {
      Lambda: remarks.Lambda,
      themeEstimate: remarks.themeEstimate ?? 'none or not certain',
      largestGapIndex: remarks.largestGapIndex ?? 'none or not certain',
      asymmetryMax: pairStats?.asymmetryMax ?? null,
      negativeShare: pairStats?.negativeShare ?? null,
    }),
  }
}

const remedy = ' (set scope: corpus, or a smaller chunks.size)'

function warningsOf(
  memories: readonly Memory[],
  { questions: m, components }: GemOptions,
): Readonly<Record<string, number>> {
  const nodes = memories.flatMap((memory) => memory.nodes)
  const spectra = memories.flatMap(({ spectrum }) => spectrum ?? [])
  const has = (test: (questions: number) => boolean) => nodes.filter(({ questions }) => test(questions.length)).length
  const isSmall = (memory: Memory) => memory.nodes.filter(({ kind }) => kind === 'chunk').length < 3
  return {
    [`graphs of fewer than 3 nodes${remedy}`]: memories.filter(isSmall).length,
    [`nodes without an edge${remedy}`]: sum(
      spectra.map(({ degrees }) => Array.from(degrees).filter((degree) => degree <= 0).length),
    ),
    [`summaries of one chunk${remedy}`]: nodes.filter(({ theme }) => theme?.members.length === 1).length,
    'extractions dropped, because they repeat the example in the prompt': sum(nodes.map(({ echoes }) => echoes)),
    'nodes without questions': m === 0 ? 0 : has((questions) => questions === 0),
    'nodes with fewer questions than the option asks for': has((questions) => questions > 0 && questions < m),
    'summaries that could not be read or were refused': sum(memories.map(({ unreadSummaries }) => unreadSummaries)),
    'summaries cut at 100 tokens': sum(memories.map(({ cutSummaries }) => cutSummaries)),
    'themes fewer than asked for': sum(memories.map((memory) => components - memory.components)),
    'graphs whose eigenvectors did not converge': spectra.filter(({ pairs }) => !pairs.converged).length,
    'graphs with negative weights kept, because clamping them takes too much memory': spectra.filter(
      ({ remarks }) => remarks.form === 'unclamped',
    ).length,
  }
}
