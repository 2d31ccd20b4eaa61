import { UserError } from '../../errors.ts'
import type { Index, Passage } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import { drawingOf } from './drawing.ts'
import { statsOf, warningsOf } from './index-stats.ts'
import type { Gem } from './memory.ts'
import { recallable, recaller } from './recall.ts'
import { savedGem } from './saved/save.ts'

/** The index over memories, just built or read from a file. */
export function gemIndex(gem: Gem): Index {
  const { options, chunks, memories } = gem
  const recall = recaller(memories.map(recallable), options)
  return {
    // the places of a reading order are those of the whole ranking
    nested: options.contextOrder === 'retrieval',
    async retrieve({ text }, budget, models) {
      if (memories.length === 0) return []
      const prompt = await queryVector(text, models)
      const dimensions = memories[0]?.nodes[0]?.vector.length
      if (prompt.length !== dimensions)
        throw new UserError(
          `the embedding model gives ${prompt.length} numbers a text, and the vectors of the graph have ${dimensions}: name the model that made them`,
        )
      const found = recall(prompt, budget.passages).flatMap(({ memory, node, score, why }) => {
        const { kind, text: words, from } = memories[memory]?.nodes[node] ?? { from: [] }
        return kind && words !== undefined
          ? [{ memory, node, passage: { text: words, score, from, kind, why } satisfies Passage }]
          : []
      })
      return options.contextOrder === 'retrieval' ? found.map(({ passage }) => passage) : readByDocument(found)
    },
    graph: () => drawingOf(memories, options, chunks),
    stats: () => statsOf(memories, options),
    warnings: () => warningsOf(memories, options),
    save: () => savedGem(gem),
  }
}

/** In their ranks, to be read in the order of the documents, summaries after the chunks of theirs. */
function readByDocument(
  found: readonly { readonly memory: number; readonly node: number; readonly passage: Passage }[],
): readonly Passage[] {
  const read = found.toSorted((a, b) => a.memory - b.memory || a.node - b.node)
  return found.map((one) => ({ ...one.passage, order: read.indexOf(one) }))
}
