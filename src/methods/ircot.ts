import { z } from 'zod'
import { ModelError } from '../errors.ts'
import { reasonStep } from '../tasks/searching.ts'
import { sentences } from '../text/sentences.ts'
import type { Passage } from '../types.ts'
import { attempt, lossOf } from './shared/attempt.ts'
import { passageKey } from './shared/fuse-passages.ts'
import { addTrace } from './shared/add-trace.ts'
import { methodReference, defineRanking } from './shared/ranking-method.ts'

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
    const passageByKey = new Map<string, Passage>()
    const collect = async (text: string, step: number): Promise<void> => {
      for (const passage of (await ranking({ ...query, text })).slice(0, passagesPerStep)) {
        const key = passageKey(passage)
        if (passageByKey.size === maxPassages || passageByKey.has(key)) continue
        const { order: _order, ...rest } = passage
        passageByKey.set(key, { ...rest, score: 1 / (passageByKey.size + 1), why: { ...passage.why, step } })
      }
    }
    await collect(query.text, 0)
    const thoughts: string[] = []
    let fallback: string | undefined
    while (passageByKey.size > 0 && thoughts.length < maxSteps) {
      const texts = Array.from(passageByKey.values(), ({ text }) => text)
      const reply = await attempt(models, reasonStep, { question: query.text, passages: texts, thoughts })
      if (reply instanceof ModelError) {
        fallback = `sentence ${thoughts.length + 1} of the reasoning ${lossOf(reply)}`
        break
      }
      const sentence = sentences(reply)[0]?.text ?? reply
      const isNew = !thoughts.includes(sentence)
      thoughts.push(sentence)
      if (/answer is/i.test(reply) || !isNew || thoughts.length === maxSteps) break
      await collect(sentence, thoughts.length)
    }
    const passages = [...passageByKey.values()]
    const reasons = [passages[0]?.why?.['fallback'], fallback]
    return addTrace(passages, reasons, thoughts.length > 0 ? { reasoning: thoughts } : {})
  },
})
