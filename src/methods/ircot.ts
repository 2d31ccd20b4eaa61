import { z } from 'zod'
import { ModelError } from '../errors.ts'
import { reasonStep } from '../tasks/searching.ts'
import { sentences } from '../text/sentences.ts'
import type { Passage } from '../types.ts'
import { attempt, lossOf } from './shared/attempt.ts'
import { addTrace } from './shared/add-trace.ts'
import { methodReference, defineRanking } from './shared/ranking-method.ts'
import { distinctPassages, rankedPassages, type Search, searchByTurns, tracedPassages } from './shared/search-loop.ts'

/** Maximum sentences of reasoning; "answer is" ends it earlier (the paper). */
const maxSteps = 8

/** Passages of each ranking (the paper tries 2, 4, 6 and 8). */
const passagesPerStep = 4

/** Maximum passages of all steps in the prompt (the paper). */
const maxPassages = 15

/** Interleaves retrieval with reasoning: each sentence of a chain of thought is the next query. */
export const ircot = defineRanking({
  name: 'ircot',
  summary:
    'Has a language model reason sentence by sentence over the passages found so far, and asks a method each sentence.',
  paper:
    'Trivedi et al. 2023, Interleaving Retrieval with Chain-of-Thought Reasoning for Knowledge-Intensive Multi-Step Questions',
  options: z.strictObject({
    of: methodReference
      .default('bm25')
      .describe(
        'The method that is asked the question and each sentence of reasoning: a name, a file, or an entry with options (default: the paper)',
      ),
  }),
  tasks: () => [reasonStep],
  ranker: () => async (query, ranking, models) => {
    const thoughts: string[] = []
    let fallback: string | undefined
    const collect = (searches: readonly Search[]): readonly Passage[] =>
      rankedPassages(distinctPassages(tracedPassages(searches, (step) => ({ step }))).slice(0, maxPassages))
    const nextQueries = async (searches: readonly Search[]): Promise<readonly string[]> => {
      if (searches.length === 0) return [query.text]
      const texts = collect(searches).map(({ text }) => text)
      if (texts.length === 0) return []
      const reply = await attempt(models, reasonStep, {
        question: query.text,
        passages: texts,
        thoughts: [...thoughts],
      })
      if (reply instanceof ModelError) {
        fallback = `sentence ${thoughts.length + 1} of the reasoning ${lossOf(reply)}`
        return []
      }
      const sentence = sentences(reply)[0]?.text ?? reply
      const isLast = /answer is/i.test(reply) || thoughts.includes(sentence) || thoughts.length === maxSteps - 1
      thoughts.push(sentence)
      return isLast ? [] : [sentence]
    }
    const searches = await searchByTurns(
      async (text) => (await ranking({ ...query, text })).slice(0, passagesPerStep),
      nextQueries,
    )
    const passages = collect(searches)
    const reasons = [passages[0]?.why?.['fallback'], fallback]
    return addTrace(passages, reasons, thoughts.length > 0 ? { reasoning: thoughts } : {})
  },
})
