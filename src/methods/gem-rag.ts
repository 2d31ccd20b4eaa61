import { defineMethod } from '../define.ts'
import { utilityQuestions } from '../tasks/utility-questions.ts'
import type { Models, Passage } from '../types.ts'
import { byDocument } from './by-document.ts'
import { queryVector } from './embed.ts'
import { drawingOf } from './gem-rag/drawing.ts'
import { factsOf, lossesOf } from './gem-rag/facts.ts'
import { remember } from './gem-rag/memory.ts'
import { gemOptions } from './gem-rag/options.ts'
import { recall } from './gem-rag/recall.ts'
import { refuseAllLost } from './run-each.ts'

/**
 * GEM-RAG: chunks are tagged with the utility questions that they answer, tied by how well one's questions fit the other's text, and the
 * leading eigenvectors of that graph name the themes whose summaries join it. Its authors released no code: this is our reading, with
 * every choice that the paper leaves open an option. Chunk size (100 tokens, no overlap), and the budget of 4 nodes and 400 tokens are
 * the config's `chunks` and `budget`.
 */
export const gemRag = defineMethod({
  name: 'gem-rag',
  summary: 'Graphical eigen memories: utility questions, a similarity graph of them, and summaries of its eigenthemes.',
  paper:
    'Rappazzo, Wang, Ferber and Gomes, GEM-RAG: Graphical Eigen Memories For Retrieval Augmented Generation (our reading)',
  options: gemOptions,
  async index(chunks, models, options) {
    const groups = options.scope === 'corpus' ? [chunks] : [...byDocument(chunks).values()]
    const memories = await Promise.all(
      groups.filter((group) => group.length > 0).map((group) => remember(group, models, options)),
    )
    refuseAllLost(
      utilityQuestions,
      memories.flatMap(({ nodes }) => nodes.map(({ lost }) => lost)),
    )
    return {
      async retrieve({ text }, budget, models) {
        if (memories.length === 0) return []
        const prompt = await queryVector(text, models)
        const found = recall(memories, prompt, budget.passages, options).flatMap(({ memory, node, score, why }) => {
          const { kind, text: words, from } = memories[memory]?.nodes[node] ?? { from: [] }
          return kind && words !== undefined
            ? [{ memory, node, passage: { text: words, score, from, kind, why } satisfies Passage }]
            : []
        })
        return options.contextOrder === 'retrieval'
          ? found.map(({ passage }) => passage)
          : inDocumentOrder(found, budget.tokens, models)
      },
      graph: () => drawingOf(memories, options, chunks),
      stats: () => factsOf(memories, options),
      losses: () => lossesOf(memories, options),
    }
  },
})

/** What fits the budget, in the order of the documents, summaries after the chunks of theirs. The score keeps that order. */
function inDocumentOrder(
  found: readonly { readonly memory: number; readonly node: number; readonly passage: Passage }[],
  tokens: number,
  models: Models,
): readonly Passage[] {
  let left = tokens
  const end = found.findIndex(({ passage }) => (left -= models.countTokens(passage.text)) < 0)
  return found
    .slice(0, end < 0 ? undefined : end)
    .sort((a, b) => a.memory - b.memory || a.node - b.node)
    .map(({ passage }, rank) => ({ ...passage, score: 1 / (1 + rank) }))
}
