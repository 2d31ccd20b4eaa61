import { z } from 'zod'
import { methodReference } from '../shared/ranking-method.ts'

const limit = (usual: number, description: string) => z.int().min(1).default(usual).describe(description)

const merges = {
  turns: 'interleaved by rank, the latest search first',
  found: 'by first sight, as ircot',
  rrf: 'by reciprocal ranks',
}

export const agentOptions = z.strictObject({
  of: methodReference
    .default('bm25')
    .describe('The method that is the search tool: a name, a file, or an entry with options'),
  turns: limit(4, 'Maximum searches for a question; repeated queries and malformed replies count (our reading)'),
  passages: limit(3, 'Passages that a search shows (Search-R1)'),
  turnTokens: limit(1000, 'Maximum tokens of the passages that a search shows (our reading)'),
  totalTokens: limit(4000, 'Maximum tokens of all passages shown, each counted once (our reading)'),
  first: z
    .enum(['model', 'question'])
    .default('model')
    .describe('Who writes the first query. model: the model; question: it is the question itself, without a call'),
  merge: z
    .enum(['turns', 'found', 'rrf'])
    .default('turns')
    .describe(
      `How passages of all searches are ranked. ${Object.entries(merges)
        .map((entry) => entry.join(': '))
        .join('; ')} (our reading)`,
    ),
  answer: z
    .enum(['run', 'own'])
    .default('run')
    .describe(
      "Who answers. run: the run's answerer, from the passages within the budget; own: the agent, from all passages that it saw, exempt from the budget: its row is marked and not compared with the others",
    ),
})

export type AgentOptions = z.output<typeof agentOptions>
