import { once } from '../../basics/memoise.ts'
import type { CorpusFacts, Estimate, ExpectedContext, MethodCosts } from '../../types.ts'
import { filledContext } from '../shared/expected-context.ts'
import { lengthsOf } from '../shared/expected-calls.ts'
import type { Part } from './parts.ts'

/** What all parts are expected to ask, each for so many passages; a context as large as one of theirs, or as all together within the budget. */
export function hybridCosts(facts: CorpusFacts, parts: readonly Part[], depth: number): MethodCosts {
  const { budget, chunks } = facts
  const deep = { ...facts, budget: { passages: Math.max(depth, budget.passages), tokens: Infinity } }
  const asked = parts.map(({ method, options }) => method.costs?.(deep, options))
  const alone = parts.map(({ method, options }) => method.costs?.(facts, options))
  const whole = once(() => filledContext(lengthsOf(chunks), budget))
  return {
    index: asked.flatMap((costs) => costs?.index ?? []),
    drawsAtIndex: asked.some((costs) => costs?.drawsAtIndex),
    retrieve: asked.flatMap((costs) => costs?.retrieve ?? []),
    context(query) {
      const contexts = alone.map((costs) => costs?.context(query) ?? whole())
      const between = (of: keyof ExpectedContext): Estimate => {
        const each = contexts.map((context) => context[of])
        const high = each.reduce((sum, one) => sum + one.high, 0)
        return {
          low: Math.min(...each.map(({ low }) => low)),
          expected: Math.max(...each.map(({ expected }) => expected)),
          high: Math.min(high, Math.max(budget[of], ...each.map((one) => one.high))),
        }
      }
      return { passages: between('passages'), tokens: between('tokens') }
    },
  }
}
