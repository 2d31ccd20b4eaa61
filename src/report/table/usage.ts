import { addFields } from '../../basics/add-fields.ts'
import type { Usage } from '../../types.ts'

/** Nothing spent. */
export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }

/** The sum of two usages, field by field. */
export const addUsage = (a: Usage = noUsage, b: Usage): Usage => ({ ...noUsage, ...addFields({ ...a }, { ...b }) })
