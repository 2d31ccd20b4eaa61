import type { CorpusFacts, Estimate, ExpectedContext, MethodCosts } from '../../types.ts'
import type { Part } from './parts.ts'

/** What all parts are expected to ask, each for so many passages; a context as large as one of theirs, or as all together within the budget. */
export function hybridCosts(facts: CorpusFacts, parts: readonly Part[], depth: number): MethodCosts | 'unknown' {
  const { budget } = facts
  const deep = { passages: Math.max(depth, budget.passages), tokens: Infinity }
  const known = (facts: CorpusFacts): readonly MethodCosts[] =>
    parts.map(({ method, options }) => method.costs(facts, options)).filter((costs) => costs !== 'unknown')
  const [asked, alone] = [known({ ...facts, budget: deep }), known(facts)]
  if (alone.length < parts.length) return 'unknown'
  return {
    index: asked.flatMap(({ index }) => index),
    drawsAtIndex: asked.some(({ drawsAtIndex }) => drawsAtIndex),
    retrieve: asked.flatMap(({ retrieve }) => retrieve),
    context(query) {
      const contexts = alone.map(({ context }) => context(query))
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
