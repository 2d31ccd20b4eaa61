import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { seedFrom } from '../../math/random.ts'
import { words } from '../../text/words.ts'
import { defineProvider } from '../provider.ts'

/** Not a model: one fixed reply, to try a config without paying. */
export const fake = defineProvider({
  name: 'fake',
  summary:
    'Not a model: gives one fixed reply, and embeddings in which texts that share words are similar. For experiments and tests.',
  can: ['complete', 'embed', 'embedTokens', 'rerank'],
  offline: true,
  options: z.strictObject({
    reply: z.string().default('fake reply').describe('The reply to every prompt.'),
    latencyMs: z.number().min(0).default(0).describe('Duration of every call, in milliseconds.'),
  }),
  async open({ reply, latencyMs }) {
    const wait = async (signal: AbortSignal) => {
      if (latencyMs > 0) await sleep(latencyMs, undefined, { signal })
    }
    return {
      name: 'fake',
      model: 'fake',
      parameters: { reply, dimensions: DIMENSIONS },
      async complete(_request, signal) {
        await wait(signal)
        return { text: reply, finish: 'stop' }
      },
      async embed(texts, _role, signal) {
        await wait(signal)
        return { vectors: texts.map((text) => bagOfWords(words(text))) }
      },
      async rerank(question, texts, signal) {
        await wait(signal)
        const questionWords = new Set(words(question))
        const countSharedWords = (text: string): number =>
          new Set(words(text).filter((word) => questionWords.has(word))).size
        return {
          vectors: texts.map((text) => Float32Array.of(countSharedWords(text) / Math.max(1, questionWords.size), 0)),
        }
      },
      async embedTokens(text, signal) {
        await wait(signal)
        return { vectors: wordTokens(text).map((word) => bagOfWords([word])) }
      },
      tokenIds: (text) => wordTokens(text).map((word) => seedFrom(word)),
    }
  },
})

const DIMENSIONS = 64

/** The words of a text as tokens. */
export const wordTokens = (text: string): readonly string[] => ['[CLS]', ...words(text), '[SEP]']

/** Counts of the words by hash, as a unit vector; a text without words is on the first axis. */
export function bagOfWords(bag: readonly string[], dimensions = DIMENSIONS): Float32Array {
  const counts = new Float32Array(dimensions)
  if (bag.length === 0) counts[0] = 1
  for (const word of bag) {
    const axis = seedFrom(word) % dimensions
    counts[axis] = (counts[axis] ?? 0) + 1
  }
  const length = Math.hypot(...counts)
  return counts.map((value) => value / length)
}
