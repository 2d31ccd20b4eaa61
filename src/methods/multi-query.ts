import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { rephraseQuestion } from '../tasks/searching.ts'
import { askedMethod } from './shared/asked-methods.ts'
import { askingOne } from './shared/asking-one.ts'
import { fusedPassages } from './shared/fused-passages.ts'
import { rewritten, withRewritten } from './shared/rewritten.ts'

const options = z.strictObject({
  of: askedMethod
    .default('vector')
    .describe('The method that is asked all of them: a name, a file, or an entry with options'),
  queries: z
    .int()
    .min(1)
    .default(4)
    .describe('How many queries a language model writes for a question (default: RAG-Fusion)'),
  k: z
    .number()
    .min(0)
    .default(60)
    .describe('What is added to every rank before its reciprocal counts (default: RAG-Fusion)'),
  depth: z.int().min(1).default(50).describe('How many passages of each ranking are read (our reading)'),
})

const over = askingOne<z.infer<typeof options>>({
  tasks: () => [rephraseQuestion],
  depth: ({ depth }) => depth,
  async index(_chunks, _models, { queries: count, k }) {
    return {
      async rank(query, asked, models) {
        const found = await rewritten(models, rephraseQuestion, { question: query.text, count }, count)
        const texts = [query.text, ...found.texts]
        const rankings = await Promise.all(texts.map((text) => asked({ ...query, text }, models)))
        const names = texts.map((_, at) => (at === 0 ? 'the question' : `query ${at}`))
        const fused = fusedPassages(rankings, names, {
          fusion: 'rrf',
          k,
          weights: texts.map(() => 1),
          normalise: 'none',
        })
        return withRewritten(fused, found)
      },
    }
  },
})

/** RAG-Fusion: a question and other queries for it, their rankings made one by reciprocal ranks. */
export const multiQuery = defineMethod({
  name: 'multi-query',
  summary:
    'Asks a method the question and other queries that a language model writes for it, and makes one ranking of all.',
  paper: 'Rackauckas 2024, RAG-Fusion: a New Take on Retrieval-Augmented Generation',
  options,
  ...over([]),
  over,
})
