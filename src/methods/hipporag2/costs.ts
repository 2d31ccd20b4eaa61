import { once } from '../../basics/memoise.ts'
import { around, exactly, sumOf, times, embedCalls, taskCalls } from '../../math/expected.ts'
import { filterFacts } from '../../tasks/entities/filter-facts.ts'
import type { CorpusFacts, MethodCosts } from '../../types.ts'
import { factual, knowledgeCosts, passagesOf } from '../hipporag/costs.ts'
import type { KnowledgeOptions } from '../hipporag/knowledge-index.ts'
import { filledContext } from '../shared/expected-context.ts'
import type { FilterOptions } from './link-facts.ts'

/** Tokens of one fact as the filter reads and writes it (measured with the offline provider on the sample dataset). */
const factTokens = around(13)

/** What version 2 is expected to cost: the knowledge, vectors of facts and passages, and a call a question that filters facts. */
export function hipporag2Costs(
  facts: CorpusFacts,
  options: Pick<KnowledgeOptions, 'openie'> &
    FilterOptions & { readonly linkingTopK: number; readonly qaTopK: number | null },
): MethodCosts {
  const { queries, budget, countTokens } = facts
  const { filter, filterMaxFacts: most, filterTokens: maxTokens, linkingTopK, qaTopK } = options
  const { lengths, tokens } = passagesOf(facts)
  const asked = lengths.length > 0 ? queries : []
  const calls = exactly(asked.length)
  const words = exactly(asked.reduce((sum, { text }) => sum + countTokens(text), 0))
  const shown = times(times(calls, factTokens), linkingTopK)
  const reply = { low: 5, expected: Math.min(most, linkingTopK) * 11, high: maxTokens }
  const task = { calls: { ...calls, low: 0 }, texts: sumOf(words, shown), reply }
  const vectors = exactly(lengths.length > 0 ? 1 : 0)
  return {
    index: [
      ...knowledgeCosts(facts, options),
      { once: 'vectors of facts', ...embedCalls(vectors, times(factual, tokens)) },
      { once: 'vectors of chunks', ...embedCalls(vectors, exactly(tokens)) },
    ],
    retrieve: [
      { once: 'vectors of questions', ...embedCalls(calls, times(words, 2)) },
      ...(filter === 'llm'
        ? [taskCalls(filterFacts, { question: '', facts: [], most, maxTokens }, task, countTokens)]
        : []),
    ],
    context: once(() => filledContext(lengths, budget, { passages: qaTopK })),
  }
}
