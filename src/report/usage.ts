import type { Usage } from '../types.ts'

/** The sum of two usages, field by field. */
export function addUsage(a: Usage = noUsage, b: Usage): Usage {
  const sum: Record<string, number> = { ...a }
  for (const [field, value] of Object.entries({ ...b })) sum[field] = (sum[field] ?? 0) + value
  return { ...noUsage, ...sum }
}

/** Nothing spent. */
export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
