import { z } from 'zod'
import { ModelError } from '../errors.ts'
import { reasonStep } from '../tasks/searching.ts'
import { sentences } from '../text/sentences.ts'
import type { Passage } from '../types.ts'
import { attempt, lossOf } from './shared/attempt.ts'
import { passageKey } from './shared/fused-passages.ts'
import { explained } from './shared/explained.ts'
import { askedMethod, defineRanking } from './shared/ranking-method.ts'

/** The most sentences of reasoning; one that holds "answer is" is the last (the paper). */
const steps = 8

/** Passages that are taken of each ranking (the paper tries 2, 4, 6 and 8). */
const taken = 4

/** The most passages that are found in all, and shown to the model (the paper). */
const most = 15

/** Interleaved retrieval: each sentence of reasoning is asked as a question, and what it finds is read for the next. */
export const ircot = defineRanking({
  name: 'ircot',
  summary:
    'Has a language model reason sentence by sentence over the passages found so far, and asks a method each sentence.',
  paper:
    'Trivedi et al. 2023, Interleaving Retrieval with Chain-of-Thought Reasoning for Knowledge-Intensive Multi-Step Questions',
  options: z.strictObject({
    of: askedMethod
      .default('bm25')
      .describe(
        'The method that is asked the question and each sentence of reasoning: a name, a file, or an entry with options (default: the paper)',
      ),
  }),
  tasks: () => [reasonStep],
  ranker: () => async (query, ranking, models) => {
    const collected = new Map<string, Passage>()
    const collect = async (text: string, step: number): Promise<void> => {
      for (const passage of (await ranking({ ...query, text })).slice(0, taken)) {
        const key = passageKey(passage)
        if (collected.size === most || collected.has(key)) continue
        const { order: _order, ...rest } = passage
        collected.set(key, { ...rest, score: 1 / (collected.size + 1), why: { ...passage.why, step } })
      }
    }
    await collect(query.text, 0)
    const thoughts: string[] = []
    let fallback: string | undefined
    while (collected.size > 0 && thoughts.length < steps) {
      const shown = Array.from(collected.values(), ({ text }) => text)
      const reply = await attempt(models, reasonStep, { question: query.text, passages: shown, thoughts })
      if (reply instanceof ModelError) {
        fallback = `sentence ${thoughts.length + 1} of the reasoning ${lossOf(reply)}`
        break
      }
      const thought = sentences(reply)[0]?.text ?? reply
      const isNew = !thoughts.includes(thought)
      thoughts.push(thought)
      if (/answer is/i.test(reply) || !isNew || thoughts.length === steps) break
      await collect(thought, thoughts.length)
    }
    const passages = [...collected.values()]
    const reasons = [passages[0]?.why?.['fallback'], fallback]
    return explained(passages, reasons, thoughts.length > 0 ? { reasoning: thoughts } : {})
  },
})
