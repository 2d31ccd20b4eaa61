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
    nested: true,
    async retrieve({ text }, budget, models) {
      if (memories.length === 0) return []
      const prompt = await queryVector(text, models)
      const dimensions = memories[0]?.nodes[0]?.vector.length
      if (prompt.length !== dimensions)
        throw new UserError(
          `the embedding model gives ${prompt.length} numbers a text, and the vectors of the graph have ${dimensions}: name the model that made them`,
        )
      return recall(prompt, budget.passages).flatMap(({ memory, node, score, why }): Passage[] => {
        const found = memories[memory]?.nodes[node]
        return found ? [{ text: found.text, score, from: found.from, kind: found.kind, why }] : []
      })
    },
    graph: () => drawingOf(memories, options, chunks),
    stats: () => statsOf(memories, options),
    warnings: () => warningsOf(memories, options),
    save: () => savedGem(gem),
  }
}
