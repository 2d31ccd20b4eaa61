import { once } from '../../basics/memoise.ts'
import { exactly, times, embedCalls, taskCalls } from '../../math/expected.ts'
import { extractEntities, shortenDescription } from '../../tasks/entities.ts'
import type { CorpusFacts, MethodCosts, PaperCalls } from '../../types.ts'
import type { ContextOptions } from './context.ts'
import { embeddedQuestions, lengthsOf, tokensOf, filledContext } from '../shared/expected-calls.ts'
import { maxDescriptionTokens, shortenAboveChars } from './entity-index.ts'

/** Tokens of entities for each token of a chunk (measured with the offline provider on the sample dataset). */
const described = { low: 0.5, expected: 3.1, high: 5 }
/** The part of such a reply that is embedded: names and JSON are not. */
const embeddedPart = 0.74
/** Entities whose descriptions are too long, for each token of the corpus. */
const shortened = { low: 0, expected: 0.0001, high: 0.001 }

/** One call a chunk, and one for each description that is shortened. */
export const entityCalls: PaperCalls = {
  formula: '1 a chunk, and 1 a long description',
  count: (chunks, stat) => chunks + stat('shortened'),
}

/** What entities are expected to cost: one call a chunk, and one for each long description. */
export function entityCosts(facts: CorpusFacts, options: ContextOptions): MethodCosts {
  const { chunks, budget, countTokens } = facts
  const read = tokensOf(chunks)
  const extracted = taskCalls(
    extractEntities,
    { text: '' },
    { calls: exactly(chunks.length), texts: exactly(read), reply: times(described, read / Math.max(1, chunks.length)) },
    countTokens,
  )
  const long = times(shortened, read)
  // about four characters a token, and longer than the limit
  const length = Math.min(maxDescriptionTokens, shortenAboveChars / 3)
  const rewritten = taskCalls(
    shortenDescription,
    { name: '', description: '' },
    {
      calls: long,
      texts: times(long, length),
      reply: { low: 20, expected: 100, high: length },
    },
    countTokens,
  )
  return {
    index: [
      { once: 'entities of chunks', ...extracted },
      { once: 'descriptions', ...rewritten },
      {
        once: 'vectors of entities',
        ...embedCalls(exactly(chunks.length > 0 ? 1 : 0), times(extracted.completionTokens, embeddedPart)),
      },
    ],
    retrieve: [embeddedQuestions(facts)],
    context: once(() =>
      filledContext(lengthsOf(chunks), budget, { passages: options.topK, tokens: options.maxTokens }),
    ),
  }
}
