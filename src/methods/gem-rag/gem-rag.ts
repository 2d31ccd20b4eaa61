import { defineMethod } from '../../define.ts'
import { utilityQuestions, summarise } from '../../tasks/pieces.ts'
import { remember, type Gem } from './memory.ts'
import { gemOptions, nodesPerTheme, type GemOptions } from './options.ts'
import { refuseAllLost } from '../shared/attempt.ts'
import type { Index, Passage, Chunk } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import { drawingOf } from './drawing.ts'
import { statsOf, warningsOf } from './index-stats.ts'
import { recallable, recaller } from './recall.ts'
import { scopeOf } from '../shared/scope.ts'
import { byDocument } from '../shared/whole-documents.ts'

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
  shares: sharedPool,
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

/** The chunks of each memory: those of a document, or all. */
export function groupsOf(
  chunks: readonly Chunk[],
  { scope }: Pick<GemOptions, 'scope'>,
): readonly (readonly Chunk[])[] {
  const documents = [...byDocument(chunks).values()]
  return scopeOf(documents, scope, nodesPerTheme) === 'corpus' ? [chunks] : documents
}
