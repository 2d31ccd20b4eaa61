import { UserError } from '../../errors.ts'
import type { Estimate, ExpectedCalls, MethodCosts } from '../../types.ts'

/** What a method says it is expected to ask, undefined where it cannot tell, or a UserError that says what is wrong with it. */
export function checkCosts(costs: unknown, method: string): MethodCosts | undefined {
  if (costs === 'unknown') return undefined
  const { index, drawsAtIndex, retrieve, context } = (costs ?? {}) as Partial<Record<keyof MethodCosts, unknown>>
  if (typeof context !== 'function') throw new UserError(`${method}: costs() gave no context(query)`)
  if (drawsAtIndex !== undefined && typeof drawsAtIndex !== 'boolean')
    throw new UserError(`${method}: costs() gave a drawsAtIndex that is neither true nor false`)
  return {
    index: checkUsages(index, method),
    ...(drawsAtIndex !== undefined && { drawsAtIndex }),
    retrieve: checkUsages(retrieve, method),
    context(query) {
      const { passages, tokens } = (context as MethodCosts['context'])(query)
      return { passages: checkEstimate(passages, method, 'passages'), tokens: checkEstimate(tokens, method, 'tokens') }
    },
  }
}

/** A list of expected calls, or a UserError that says what is wrong with it. */
export function checkUsages(usages: unknown, who: string): readonly ExpectedCalls[] {
  if (!Array.isArray(usages)) throw new UserError(`${who}: costs() gave no list of calls`)
  for (const usage of usages as readonly Readonly<Record<string, unknown>>[])
    for (const field of fields) checkEstimate(usage[field], who, field)
  return usages as readonly ExpectedCalls[]
}

const fields = ['calls', 'promptTokens', 'completionTokens', 'embeddedTokens'] as const

function checkEstimate(value: unknown, who: string, field: string): Estimate {
  const { low, expected, high } = (value ?? {}) as Partial<Record<keyof Estimate, unknown>>
  const numbers = [0, low, expected, high, Number.MAX_VALUE]
  if (numbers.every((number, index) => index === 0 || Number(numbers[index - 1]) <= Number(number)))
    return value as Estimate
  throw new UserError(`${who}: costs() gave ${field} that are not numbers 0 <= low <= expected <= high`)
}
