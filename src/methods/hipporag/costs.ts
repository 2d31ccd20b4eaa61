import { once } from '../../basics/memoise.ts'
import { around, exactly, sumOf, times, addExpected, embedCalls, taskCalls } from '../../math/expected.ts'
import { extractTriples, nameEntities, nameQuestionEntities } from '../../tasks/entities.ts'
import type { CorpusFacts, Estimate, ExpectedCalls, MethodCosts } from '../../types.ts'
import { tokensOf, filledContext } from '../shared/expected-calls.ts'
import { type KnowledgeOptions, distinctPassages } from './knowledge.ts'
// measured with the offline provider on the sample dataset, for each token of a passage
const named = around(0.2)
const stated = { low: 0.25, expected: 0.58, high: 2 }
const phrased = { low: 0.05, expected: 0.13, high: 0.5 }
/** Tokens of the facts themselves, as they are embedded. */
export const factual = { low: 0.25, expected: 0.68, high: 1.5 }

/** Passages of a corpus, each once: how many, and their tokens. */
export function passagesOf({ chunks }: Pick<CorpusFacts, 'chunks'>): {
  readonly lengths: readonly number[]
  readonly tokens: number
} {
  const first = new Map(chunks.map((chunk) => [chunk.text, chunk]))
  const passages = distinctPassages(chunks).flatMap(({ text }) => first.get(text) ?? [])
  return { lengths: passages.map(({ tokens }) => tokens), tokens: tokensOf(passages) }
}

/** The expected cost of the knowledge of both versions: two calls a passage unless imported, phrase vectors. */
export function knowledgeCosts(
  facts: CorpusFacts,
  { openie }: Pick<KnowledgeOptions, 'openie'>,
): readonly ExpectedCalls[] {
  const { lengths, tokens } = passagesOf(facts)
  const calls = exactly(lengths.length)
  const names = times(named, tokens / Math.max(1, lengths.length))
  const asked = (texts: Estimate, reply: Estimate) => ({ calls, texts, reply })
  const naming = taskCalls(nameEntities, { passage: '' }, asked(exactly(tokens), names), facts.countTokens)
  const stating = taskCalls(
    extractTriples,
    { passage: '', entities: [] },
    asked(sumOf(exactly(tokens), times(names, calls)), times(stated, tokens / Math.max(1, lengths.length))),
    facts.countTokens,
  )
  return [
    ...(openie === null ? [{ once: 'names and facts of passages', ...addExpected([naming, stating]) }] : []),
    { once: 'vectors of phrases', ...embedCalls(exactly(lengths.length > 0 ? 1 : 0), times(phrased, tokens)) },
  ]
}

/** Version 1: the entities of every question are named and embedded. */
export function hipporagCosts(
  facts: CorpusFacts,
  options: Pick<KnowledgeOptions, 'openie'> & { readonly qaTopK: number | null },
): MethodCosts {
  const { queries, budget, countTokens } = facts
  const { lengths } = passagesOf(facts)
  const asked = lengths.length > 0 ? queries : []
  const calls = exactly(asked.length)
  const words = exactly(asked.reduce((sum, { text }) => sum + countTokens(text), 0))
  const naming = taskCalls(
    nameQuestionEntities,
    { question: '' },
    { calls, texts: words, reply: around(11) },
    countTokens,
  )
  return {
    index: knowledgeCosts(facts, options),
    retrieve: [naming, embedCalls({ ...calls, low: calls.low / 2 }, times(calls, around(4)))],
    context: once(() => filledContext(lengths, budget, { passages: options.qaTopK })),
  }
}
