import type { Estimate, ExpectedUsage, Task } from '../../types.ts'
import { exactly, sumOf, times } from './estimate.ts'

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

/** The sum of usages. */
export const addExpected = (usages: readonly ExpectedUsage[]): ExpectedUsage =>
  usages.reduce(
    (sum, usage) => ({
      calls: sumOf(sum.calls, usage.calls),
      promptTokens: sumOf(sum.promptTokens, usage.promptTokens),
      completionTokens: sumOf(sum.completionTokens, usage.completionTokens),
      embeddedTokens: sumOf(sum.embeddedTokens, usage.embeddedTokens),
    }),
    noCalls,
  )

/** A usage so many times. */
export const timesUsage = (usage: ExpectedUsage, factor: number): ExpectedUsage => ({
  calls: times(usage.calls, factor),
  promptTokens: times(usage.promptTokens, factor),
  completionTokens: times(usage.completionTokens, factor),
  embeddedTokens: times(usage.embeddedTokens, factor),
})
