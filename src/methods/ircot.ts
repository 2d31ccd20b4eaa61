import { z } from 'zod'
import { ModelError } from '../errors.ts'
import { reasonStep } from '../tasks/searching.ts'
import { sentences } from '../text/sentences.ts'
import { addTrace } from './shared/add-trace.ts'
import { attempt, lossOf } from './shared/attempt.ts'
import { methodOption, defineRanking } from './shared/ranking-method.ts'
import { rankedPassages, type Search, searchByTurns } from './shared/search-loop.ts'

/** Sentences of reasoning, passages of each ranking (the paper tries 2, 4, 6 and 8), and of all (the paper). */
const limits = { steps: 8, stepPassages: 4, passages: 15 }

/** Interleaves retrieval with reasoning: each sentence of a chain of thought is the next query, up to "answer is". */
export const ircot = defineRanking({
  name: 'ircot',
  summary:
    'Has a language model reason sentence by sentence over the passages found so far, and asks a method each sentence.',
  paper:
    'Trivedi et al. 2023, Interleaving Retrieval with Chain-of-Thought Reasoning for Knowledge-Intensive Multi-Step Questions',
  options: z.strictObject({
    of: methodOption(
      'bm25',
      'The method that is asked the question and each sentence of reasoning: a name, a file, or an entry with options (default: the paper)',
    ),
  }),
  tasks: () => [reasonStep],
  ranker: () => async (query, ranking, models) => {
    const thoughts: string[] = []
    const collect = (searches: readonly Search[]) =>
      rankedPassages(searches, (step) => ({ step })).slice(0, limits.passages)
    async function* reason(searches: readonly Search[]) {
      yield [query.text]
      for (;;) {
        const passages = collect(searches).map(({ text }) => text)
        if (passages.length === 0) break
        const reply = await attempt(models, reasonStep, { question: query.text, passages, thoughts: [...thoughts] })
        if (reply instanceof ModelError) return `sentence ${thoughts.length + 1} of the reasoning ${lossOf(reply)}`
        const sentence = sentences(reply)[0]?.text ?? reply
        const isLast = /answer is/i.test(reply) || thoughts.includes(sentence)
        thoughts.push(sentence)
        if (isLast || thoughts.length === limits.steps) break
        yield [sentence]
      }
      return undefined
    }
    const search = async (text: string) => (await ranking({ ...query, text })).slice(0, limits.stepPassages)
    const { searches, end: fallback } = await searchByTurns(search, reason)
    return addTrace(collect(searches), [fallback], thoughts.length > 0 ? { reasoning: thoughts } : {})
  },
})
