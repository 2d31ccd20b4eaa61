import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { around, exactly, embedCalls, taskCalls } from '../math/expected.ts'
import { topK } from '../math/vectors.ts'
import { groundingOf, groundingWarnings } from '../tasks/grounding.ts'
import { listPropositions } from '../tasks/pieces.ts'
import type { Chunk, CorpusFacts, Passage } from '../types.ts'
import { runEach } from './shared/attempt.ts'
import { documentVectors, queryVector } from './shared/embed.ts'
import { embeddedQuestions, filledContext, lengthsOf, tokensOf } from './shared/expected-calls.ts'

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
  paperCalls: { formula: '1 a chunk', count: (chunks) => chunks },
  options: z.strictObject({}),
  tasks: [listPropositions],
  costs: (facts) => ({
    index: listingCalls(facts),
    retrieve: [embeddedQuestions(facts)],
    context: () => filledContext(lengthsOf(facts.chunks), facts.budget),
  }),
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

/** Tokens of the facts of a text by its own, about. */
const usualGrowth = 1.2

function listingCalls({ chunks, countTokens }: CorpusFacts) {
  const tokens = tokensOf(chunks)
  const calls = { calls: exactly(chunks.length), texts: exactly(tokens) }
  // the list has quotation marks and commas besides
  const reply = around((usualGrowth * 1.1 * tokens) / Math.max(1, chunks.length))
  return [
    { once: 'propositions', ...taskCalls(listPropositions, { text: '' }, { ...calls, reply }, countTokens) },
    {
      once: 'vectors of propositions',
      ...embedCalls(exactly(Math.min(1, chunks.length)), around(usualGrowth * tokens)),
    },
  ]
}
