import type { Estimate, ExpectedUsage, Task } from '../types.ts'

/** A number that is known. */
export const exactly = (value: number): Estimate => ({ low: value, expected: value, high: value })

/** A number between half and twice what is expected. */
export const around = (expected: number): Estimate => ({ low: expected / 2, expected, high: expected * 2 })

/** The sum of estimates; all may be low, or high, together. */
export const sumOf = (...estimates: readonly Estimate[]): Estimate => ({
  low: estimates.reduce((sum, { low }) => sum + low, 0),
  expected: estimates.reduce((sum, { expected }) => sum + expected, 0),
  high: estimates.reduce((sum, { high }) => sum + high, 0),
})

/** The product of an estimate and a factor, which may be one too. */
export function times(estimate: Estimate, factor: number | Estimate): Estimate {
  const by = typeof factor === 'number' ? exactly(factor) : factor
  return { low: estimate.low * by.low, expected: estimate.expected * by.expected, high: estimate.high * by.high }
}

const none = exactly(0)

/** No call. */
export const noCalls: ExpectedUsage = { calls: none, promptTokens: none, completionTokens: none, embeddedTokens: none }

/** What is expected of the calls of a task, in tokens. */
export interface ExpectedTask {
  readonly calls: Estimate
  /** Of all calls together, what their prompts hold besides the input that is given. */
  readonly texts: Estimate
  /** Of one call. */
  readonly reply: Estimate
}

/** Calls of a task: its prompt is rendered once, from an input without the texts that differ between calls. */
export function taskCalls<I, T>(
  task: Task<I, T>,
  input: I,
  { calls, texts, reply }: ExpectedTask,
  countTokens: (text: string) => number,
): ExpectedUsage {
  const prompt = task.prompt(input).messages.reduce((sum, { content }) => sum + countTokens(content), 0)
  return {
    ...noCalls,
    calls,
    promptTokens: sumOf(times(calls, prompt), texts),
    completionTokens: times(calls, reply),
  }
}

/** Calls of an embedder that are sent so many tokens together. */
export const embedCalls = (calls: Estimate, tokens: Estimate): ExpectedUsage => ({
  ...noCalls,
  calls,
  embeddedTokens: tokens,
})

/** Calls of a rerank model that are sent so many tokens together. */
export const rerankCalls = (calls: Estimate, tokens: Estimate): ExpectedUsage => ({
  ...noCalls,
  calls,
  promptTokens: tokens,
  rankedTokens: tokens,
})

/** The sum of usages. */
export const addExpected = (usages: readonly ExpectedUsage[]): ExpectedUsage =>
  usages.reduce(
    (sum, usage) => ({
      calls: sumOf(sum.calls, usage.calls),
      promptTokens: sumOf(sum.promptTokens, usage.promptTokens),
      completionTokens: sumOf(sum.completionTokens, usage.completionTokens),
      embeddedTokens: sumOf(sum.embeddedTokens, usage.embeddedTokens),
      ...((sum.rankedTokens ?? usage.rankedTokens) && {
        rankedTokens: sumOf(sum.rankedTokens ?? none, usage.rankedTokens ?? none),
      }),
    }),
    noCalls,
  )

/** A usage so many times. */
export const timesUsage = (usage: ExpectedUsage, factor: number | Estimate): ExpectedUsage => ({
  calls: times(usage.calls, factor),
  promptTokens: times(usage.promptTokens, factor),
  completionTokens: times(usage.completionTokens, factor),
  embeddedTokens: times(usage.embeddedTokens, factor),
  ...(usage.rankedTokens && { rankedTokens: times(usage.rankedTokens, factor) }),
})
