import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { ModelError } from '../errors.ts'
import { topK } from '../math/vectors.ts'
import { imaginePassage } from '../tasks/searching.ts'
import { attempt, lossOf } from './shared/attempt.ts'
import { addTrace } from './shared/add-trace.ts'
import { chunkPassages } from './shared/chunk-passages.ts'
import { embedTexts, meanDirection, queryVector } from './shared/embed.ts'
import { wholeNumber } from './shared/options.ts'

/** Dense retrieval by the mean vector of the question and of hypothetical passages (HyDE, equation 8). */
export const hyde = defineMethod({
  name: 'hyde',
  summary: 'Ranks chunks by the mean vector of the question and of passages that a language model imagines as answers.',
  paper: 'Gao et al. 2023, Precise Zero-Shot Dense Retrieval without Relevance Labels',
  options: z.strictObject({
    passages: wholeNumber(1, 8, 'How many passages are imagined for a question (default: the authors’ code)'),
  }),
  tasks: [imaginePassage],
  async index(chunks, models, { passages: count }) {
    const { vectors: rows } = await embedTexts(chunks, models)
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (chunks.length === 0) return []
        const replies = await Promise.all(
          Array.from({ length: count }, (_, variant) => attempt(models, imaginePassage, { question: text, variant })),
        )
        const texts = replies.filter((reply) => typeof reply === 'string')
        const [firstLoss] = replies.filter((reply) => reply instanceof ModelError)
        const vectors = texts.length > 0 ? await models.embed(texts, 'document') : []
        const question = await queryVector(text, models)
        const hits = topK(meanDirection([...vectors, question]), rows, passages)
        const ranking = chunkPassages(hits, chunks, ({ score }) => ({ cosine: score }))
        const fallback =
          firstLoss && `${count - texts.length} of ${count} imagined passages: the first ${lossOf(firstLoss)}`
        return addTrace(ranking, [fallback], { imagined: texts })
      },
    }
  },
})
