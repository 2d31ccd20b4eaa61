import { once } from '../../basics/memoise.ts'
import { exactly, sumOf, times, embedCalls } from '../../math/expected.ts'
import type { CorpusFacts, MethodCosts } from '../../types.ts'
import { tokensOf } from '../shared/expected-calls.ts'
import { expectedContext } from './costs/context.ts'
import { extractionCosts, reportCosts } from './costs/index-calls.ts'
import { questionCosts } from './costs/question-calls.ts'
import { sizesOf } from './costs/sizes.ts'
import { indexOptions, type GraphragOptions } from './options.ts'
import { sourceUnits } from '../shared/text-units.ts'

/** What an index and its questions are expected to cost: 2 calls a text unit, merged descriptions, a report a community (section 2). */
export function graphragCosts(facts: CorpusFacts, options: GraphragOptions): MethodCosts {
  const units = sourceUnits(facts.chunks, options, facts.countTokens)
  const sizes = sizesOf(units, options)
  const built = options.index === null
  const embedded = sumOf(exactly(tokensOf(units)), sizes.entityTokens, times(sizes.communities, sizes.reportTokens))
  // rows that agree in the options of the index share it
  const own = JSON.stringify(Object.entries(options).filter(([name]) => indexOptions.includes(name)))
  return {
    index: [
      ...(built && options.method === 'standard' ? extractionCosts(units, sizes, options, facts.countTokens) : []),
      ...(built ? [{ once: `reports ${own}`, ...reportCosts(sizes, options, facts.countTokens) }] : []),
      { once: `vectors of graphrag ${own}`, ...embedCalls(exactly(units.length > 0 ? 3 : 0), embedded) },
    ],
    retrieve: questionCosts(facts, units, sizes, options),
    context: once(() => expectedContext(units, facts.budget, options)),
  }
}
