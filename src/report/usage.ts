import type { Usage } from '../types.ts'

/** The sum of two usages. */
export const addUsage = (a: Usage | undefined, b: Usage): Usage => ({
  calls: (a?.calls ?? 0) + b.calls,
  promptTokens: (a?.promptTokens ?? 0) + b.promptTokens,
  completionTokens: (a?.completionTokens ?? 0) + b.completionTokens,
  embeddedTokens: (a?.embeddedTokens ?? 0) + b.embeddedTokens,
  estimated: (a?.estimated ?? 0) + b.estimated,
})
