import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { groundingOf, groundingWarnings } from '../tasks/grounding.ts'
import { listPropositions } from '../tasks/pieces.ts'
import { runEach } from './shared/attempt.ts'
import { indexParts, type ChunkPart } from './shared/parts.ts'

/** Searches the facts that a language model lists of each chunk, and returns the chunks (Dense X Retrieval). */
export const propositions = defineMethod({
  name: 'propositions',
  summary: 'Has a language model list the facts of each chunk as sentences; ranks by the fact nearest to the question.',
  paper: 'Chen et al. 2024, Dense X Retrieval: What Retrieval Granularity Should We Use?',
  options: z.strictObject({}),
  tasks: [listPropositions],
  async index(chunks, models) {
    const replies = await runEach(models, listPropositions, chunks, ({ text }) => ({ text }))
    const grounding = groundingOf('count')
    // a fact may paraphrase its chunk: only echoes of the example are dropped
    const factLists = replies.map(
      (reply, at) =>
        reply && grounding.on(itemAt(chunks, at).text)(listPropositions, reply, (fact) => ({ statements: [fact] })),
    )
    const facts = chunks.flatMap((chunk, at): readonly ChunkPart[] => {
      const distinct = [...new Set(factLists[at])]
      return (distinct.length > 0 ? distinct : [chunk.text]).map((text) => ({ chunk, text }))
    })
    return {
      ...(await indexParts(facts, models, 'proposition')),
      warnings: () => ({
        'chunks whose facts could not be listed': factLists.filter((list) => list === undefined).length,
        'chunks without a fact': factLists.filter((list) => list?.length === 0).length,
        ...groundingWarnings(grounding),
      }),
    }
  },
})
