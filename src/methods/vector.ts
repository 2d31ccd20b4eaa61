import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { recursiveSplit } from '../text/recursive-split.ts'
import type { Chunk, Passage } from '../types.ts'
import { embeddedQuestions, embeddedTexts, filledContext, lengthsOf } from './shared/expected-calls.ts'
import { unitAt, type SourceUnit } from './shared/text-units.ts'
import { vectorBytes, vectorRows } from './shared/vector-rows.ts'
import { wholeDocuments } from './shared/whole-documents.ts'

const options = z
  .strictObject({
    chunkCharacters: z
      .union([z.literal('run'), z.int().min(1)])
      .default('run')
      .describe(
        "Longest piece in characters, cut from each document anew at blank lines, lines, spaces (LangChain's recursive splitter); run: the chunks of the config, as every method has them",
      ),
    overlap: z
      .int()
      .min(0)
      .default(200)
      .describe('Characters that a piece repeats from the one before; not used with chunkCharacters: run'),
  })
  .refine(({ chunkCharacters, overlap }) => chunkCharacters === 'run' || overlap < chunkCharacters, {
    message: 'overlap must be smaller than chunkCharacters',
    path: ['overlap'],
  })

type VectorOptions = z.output<typeof options>

/** What is embedded and returned where it is no chunk of the run. */
type Unit = Pick<SourceUnit, 'text' | 'tokens' | 'from' | 'span'>

/** Dense retrieval, the "RAG" or "VectorRAG" row of most papers: exact search over the embedded chunks. */
export const vector = defineMethod({
  name: 'vector',
  summary: 'Ranks chunks by the cosine similarity of their embedding and the embedding of the question.',
  options,
  embedsChunks: ({ chunkCharacters }) => chunkCharacters === 'run',
  memory: ({ chunks }) => vectorBytes(chunks),
  costs(facts, chosen) {
    const units = unitsOf(facts.chunks, chosen, facts.countTokens)
    const what = chosen.chunkCharacters === 'run' ? '' : ` ${chosen.chunkCharacters} ${chosen.overlap}`
    return {
      index: [embeddedTexts(units, `vectors of chunks${what}`)],
      retrieve: [embeddedQuestions(facts)],
      context: () => filledContext(lengthsOf(units), facts.budget),
    }
  },
  async index(chunks, models, chosen) {
    const units = unitsOf(chunks, chosen, (text) => models.countTokens(text))
    const texts = units.map(({ text }) => text)
    const vectors = await vectorRows(texts, models)
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        return (await vectors.search(text, passages, models)).map(({ index, score }): Passage => {
          const unit = itemAt(units, index)
          const {
            tokens: _,
            from,
            ...own
          } = 'id' in unit ? { text: unit.text, tokens: unit.tokens, from: [unit.id] } : unit
          return { ...own, score, from: [...from], kind: 'chunk', why: { cosine: score } }
        })
      },
      stats: () => ({ vectors: vectors.rows, dimension: vectors.columns }),
      ...(vectors.close && { close: vectors.close }),
    }
  },
})

function unitsOf(
  chunks: readonly Chunk[],
  { chunkCharacters: size, overlap }: VectorOptions,
  count: (text: string) => number,
): readonly (Chunk | Unit)[] {
  if (size === 'run') return chunks
  return wholeDocuments(chunks).flatMap((document) =>
    recursiveSplit(document.text, { size, overlap }).map(({ start, end }) => unitAt(document, start, end, count)),
  )
}
