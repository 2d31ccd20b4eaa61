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
  readonly at: number
  readonly text: string
}

/** Chunks are found by the single facts that a language model lists of them (Dense X Retrieval). */
export const propositions = defineMethod({
  name: 'propositions',
  summary: 'Has a language model list the facts of each chunk as sentences; ranks by the fact nearest to the question.',
  paper: 'Chen et al. 2024, Dense X Retrieval: What Retrieval Granularity Should We Use?',
  options: z.strictObject({
    read: z
      .enum(['chunk', 'proposition'])
      .default('chunk')
      .describe(
        'What is read. chunk: the chunk of the fact (the paper ranks passages so); proposition: the fact alone, as the paper’s readers do, which holds no evidence word for word',
      ),
  }),
  tasks: [listPropositions],
  async index(chunks, models, { read }) {
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
      return (own.length > 0 ? own : [chunk.text]).map((text) => ({ chunk, at, text }))
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
        // so many facts are of at least as many chunks as are asked for; equal facts are read once
        const wanted = read === 'chunk' ? Math.min(facts.length, passages * most) : facts.length
        const seen = new Set<number | string>()
        return topK(await queryVector(text, models), rows, wanted).flatMap(({ index, score }): readonly Passage[] => {
          const fact = facts[index]
          const key = read === 'chunk' ? fact?.at : fact?.text
          if (!fact || key === undefined || seen.has(key) || seen.size === passages) return []
          seen.add(key)
          const from = [fact.chunk.id]
          if (read === 'proposition') return [{ text: fact.text, score, from, kind: 'facts', why: { cosine: score } }]
          const why = { cosine: score, proposition: fact.text }
          return [{ text: fact.chunk.text, score, from, kind: 'chunk', why }]
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
