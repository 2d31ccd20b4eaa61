import { once } from '../../basics/memoise.ts'
import { exactly, sumOf, times, embedCalls, taskCalls } from '../../math/expected.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import type { CorpusFacts, ExpectedCalls, MethodCosts, PaperCalls } from '../../types.ts'
import { embeddedQuestions, tokensOf, filledContext } from '../shared/expected-calls.ts'
import { groupsOf, responding, simulatedQueries, simulating } from './build.ts'
import { topK } from './retrieval.ts'

/** Tokens of a simulated query and of a response (measured with the offline provider on the sample dataset). */
const asked = { low: 8, expected: 14, high: 40 }
const answered = { low: 15, expected: 24, high: 200 }
/** Of the materials of a response, those that are responses themselves, once there are some. */
const shareOfResponses = 0.45

/** Record graphs: two calls for each simulated query, and the vectors of chunks, queries and responses. */
function graphCosts({ chunks, countTokens }: CorpusFacts): readonly ExpectedCalls[] {
  const groups = groupsOf(chunks)
  const queries = simulatedQueries
  const read = groups.map((group) => tokensOf(group) / group.length)
  const passages = groups.map(({ length }, place) => {
    // a small document has no more nodes than these to find
    const found = Math.min(responding.materials, length + queries / 2)
    return found * ((read[place] ?? 0) * (1 - shareOfResponses) + answered.expected * shareOfResponses)
  })
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0) * queries
  const calls = exactly(groups.length * queries)
  const simulated = { calls, texts: exactly(sum(read)), reply: asked }
  const responses = {
    calls,
    texts: sumOf(times({ low: 0.6, expected: 1, high: 1.5 }, sum(passages)), times(calls, asked)),
    reply: answered,
  }
  const query = { passage: '', ...simulating, variant: 0 }
  const response = { question: '', passages: [], temperature: responding.temperature }
  const embedded = sumOf(
    exactly(groups.reduce((all, group) => all + tokensOf(group), 0)),
    times(calls, sumOf(asked, answered)),
  )
  const texts = groups.length === 0 ? 0 : 1 + groups.length * (queries + 1)
  return [
    { once: 'simulated queries', ...taskCalls(simulateQuery, query, simulated, countTokens) },
    { once: 'responses', ...taskCalls(answerFromPassages, response, responses, countTokens) },
    { once: 'vectors of record graphs', ...embedCalls(exactly(texts), embedded) },
  ]
}

/** Two calls for each of 30 simulated queries. */
export const recordCalls: PaperCalls = {
  formula: '60 a document',
  count: (_, stat) => 60 * stat('recordGraphs'),
}

/** What an index and its questions are expected to cost. */
export function recordCosts(facts: CorpusFacts, { responses }: { readonly responses: boolean }): MethodCosts {
  const lengths = groupsOf(facts.chunks).flatMap((group) => [
    ...group.map(({ tokens }) => tokens),
    ...(responses ? Array.from({ length: simulatedQueries }, () => answered.expected) : []),
  ])
  return {
    drawsAtIndex: lengths.length > 0,
    index: graphCosts(facts),
    retrieve: [embeddedQuestions(facts)],
    context: once(() => filledContext(lengths, facts.budget, { passages: topK })),
  }
}
