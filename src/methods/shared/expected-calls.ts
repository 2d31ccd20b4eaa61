import { exactly, embedCalls } from '../../math/expected.ts'
import type { Chunk, CorpusFacts, ExpectedCalls } from '../../types.ts'

/** Tokens of texts together. */
export const tokensOf = (texts: readonly { readonly tokens: number }[]): number =>
  texts.reduce((sum, { tokens }) => sum + tokens, 0)

/** The lengths of chunks in tokens, one after another. */
export const lengthsOf = (chunks: readonly Chunk[]): readonly number[] => chunks.map(({ tokens }) => tokens)

/** Every chunk embedded, in one call; none where there is none. */
export const embeddedChunks = (chunks: readonly Chunk[]): ExpectedCalls => ({
  once: 'vectors of chunks',
  ...embedCalls(exactly(chunks.length > 0 ? 1 : 0), exactly(tokensOf(chunks))),
})

/** Every question embedded by itself; none where there is no chunk to find. */
export function embeddedQuestions({
  chunks,
  queries,
  countTokens,
}: Pick<CorpusFacts, 'chunks' | 'queries' | 'countTokens'>): ExpectedCalls {
  const asked = chunks.length > 0 ? queries : []
  const tokens = asked.reduce((sum, { text }) => sum + countTokens(text), 0)
  return { once: 'vectors of questions', ...embedCalls(exactly(asked.length), exactly(tokens)) }
}
