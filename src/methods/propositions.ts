import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { topK } from '../math/vectors.ts'
import { groundingOf, groundingWarnings } from '../tasks/grounding.ts'
import { listPropositions } from '../tasks/pieces.ts'
import type { Chunk, Passage } from '../types.ts'
import { runEach } from './shared/attempt.ts'
import { documentVectors, queryVector } from './shared/embed.ts'

/** A proposition of a chunk, or a chunk that has none. */
interface Fact {
  readonly chunk: Chunk
  readonly text: string
}

/**
 * Chunks are found by the single facts that a language model lists of them, and read whole, as the paper ranks passages
 * (Dense X Retrieval).
 */
export const propositions = defineMethod({
  name: 'propositions',
  summary: 'Has a language model list the facts of each chunk as sentences; ranks by the fact nearest to the question.',
  paper: 'Chen et al. 2024, Dense X Retrieval: What Retrieval Granularity Should We Use?',
  options: z.strictObject({}),
  tasks: [listPropositions],
  async index(chunks, models) {
    const replies = await runEach(
      models,
      listPropositions,
      chunks.map(({ text }) => ({ text })),
    )
    const grounding = groundingOf('count')
    // a fact may be in other words than its chunk: only those of the example are left out
    const listed = replies.map(
      (reply, at) =>
        reply && grounding.on(itemAt(chunks, at).text)(listPropositions, reply, (fact) => ({ told: [fact] })),
    )
    const facts = chunks.flatMap((chunk, at): readonly Fact[] => {
      const own = [...new Set(listed[at])]
      return (own.length > 0 ? own : [chunk.text]).map((text) => ({ chunk, text }))
    })
    const rows = await documentVectors(
      facts.map(({ text }) => text),
      models,
    )
    const most = Math.max(1, ...chunks.map((_, at) => listed[at]?.length ?? 0))
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (facts.length === 0) return []
        // so many facts are of at least as many chunks as are asked for
        const wanted = Math.min(facts.length, passages * most)
        const seen = new Set<Chunk>()
        return topK(await queryVector(text, models), rows, wanted).flatMap(({ index, score }): readonly Passage[] => {
          const { chunk, text: proposition } = itemAt(facts, index)
          if (seen.has(chunk) || seen.size === passages) return []
          seen.add(chunk)
          return [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk', why: { cosine: score, proposition } }]
        })
      },
      stats: () => ({ propositions: facts.length, dimension: rows.columns }),
      warnings: () => ({
        'chunks whose facts could not be listed': listed.filter((own) => own === undefined).length,
        'chunks without a fact': listed.filter((own) => own?.length === 0).length,
        ...groundingWarnings(grounding),
      }),
    }
  },
})
