import { once } from '../../basics/memoise.ts'
import { exactly, embedCalls } from '../../math/expected.ts'
import { textsOfCall } from './embed.ts'
import type { Budget, CorpusFacts, Estimate, ExpectedCalls, ExpectedContext, MethodCosts } from '../../types.ts'

/** Tokens of texts together. */
export const tokensOf = (texts: readonly { readonly tokens: number }[]): number =>
  texts.reduce((sum, { tokens }) => sum + tokens, 0)

/** The lengths of chunks in tokens, one after another. */
export const lengthsOf = (chunks: readonly { readonly tokens: number }[]): readonly number[] =>
  chunks.map(({ tokens }) => tokens)

/** No call at all, and a context of chunks. */
export const chunkCosts = ({ chunks, budget }: Pick<CorpusFacts, 'chunks' | 'budget'>): MethodCosts => ({
  index: [],
  retrieve: [],
  context: once(() => filledContext(lengthsOf(chunks), budget)),
})

/** All texts embedded, 32,768 in a call; `once` says what they are. */
export const embeddedTexts = (texts: readonly { readonly tokens: number }[], once: string): ExpectedCalls => ({
  once,
  ...embedCalls(exactly(Math.ceil(texts.length / textsOfCall)), exactly(tokensOf(texts))),
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

/** No passage at all. */
export const noContext: ExpectedContext = { passages: exactly(0), tokens: exactly(0) }

/** Most contexts that are filled to learn how large one is. */
const mostTries = 1000

/** The context that texts of such lengths fill, cut as a ranking is. A limit that is null or absent is none. */
export function filledContext(
  lengths: readonly number[],
  budget: Budget,
  { passages, tokens }: { readonly passages?: number | null; readonly tokens?: number | null } = {},
): ExpectedContext {
  if (lengths.length === 0) return noContext
  const limits = {
    passages: Math.min(budget.passages, passages ?? Infinity, lengths.length),
    tokens: Math.min(budget.tokens, tokens ?? Infinity),
  }
  const step = Math.ceil(lengths.length / mostTries)
  const tries: { passages: number; tokens: number }[] = []
  for (let from = 0; from < lengths.length; from += step) {
    const filled = { passages: 0, tokens: 0 }
    for (; filled.passages < limits.passages; filled.passages++) {
      const next = lengths[(from + filled.passages) % lengths.length] ?? 0
      if (filled.tokens + next > limits.tokens) break
      filled.tokens += next
    }
    tries.push(filled)
  }
  return { passages: spread(tries.map((one) => one.passages)), tokens: spread(tries.map((one) => one.tokens)) }
}

const spread = (values: readonly number[]): Estimate => ({
  low: values.reduce((least, value) => Math.min(least, value), Infinity),
  expected: values.reduce((sum, value) => sum + value, 0) / values.length,
  high: values.reduce((most, value) => Math.max(most, value), 0),
})
