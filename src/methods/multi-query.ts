import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { rephraseQuestion } from '../tasks/searching.ts'
import { askedMethod } from './shared/asked-methods.ts'
import { askingOne } from './shared/asking-one.ts'
import { fusedPassages, rankConstant } from './shared/fused-passages.ts'
import { rewritten, withRewritten } from './shared/rewritten.ts'

const options = z.strictObject({
  of: askedMethod
    .default('vector')
    .describe('The method that is asked all of them: a name, a file, or an entry with options'),
})

/** Queries that a language model writes for a question (RAG-Fusion). */
const count = 4

const over = askingOne<z.infer<typeof options>>({
  tasks: () => [rephraseQuestion],
  async index() {
    return {
      async rank(query, asked, models) {
        const found = await rewritten(models, rephraseQuestion, { question: query.text, count }, count)
        const texts = [query.text, ...found.texts]
        const rankings = await Promise.all(texts.map((text) => asked({ ...query, text }, models)))
        const names = texts.map((_, at) => (at === 0 ? 'the question' : `query ${at}`))
        const fused = fusedPassages(rankings, names, {
          fusion: 'rrf',
          k: rankConstant,
          weights: texts.map(() => 1),
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
