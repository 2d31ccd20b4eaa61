export type { Cache } from './cache/cache.ts'
export { openCache } from './cache/open-cache.ts'
export { fromBytes, toBytes } from './cache/entry-bytes.ts'
export type { SharedCall, SharedCalls, Permit } from './cache/shared-calls.ts'
export { inMemoryCache } from './cache/in-memory-cache.ts'
export { notingCache } from './cache/noting-cache.ts'
export { exportCassette, importCassette } from './cache/cassette.ts'
export { createMeter, type Meter, type PhaseUsage } from './meter.ts'
export {
  beginModels,
  openModels,
  type ModelRole,
  type ModelsContext,
  type ModelRequest,
  type OpenedModels,
} from './open-models.ts'
export type { Reading } from './calls/reading.ts'
export {
  defineProvider,
  type Completion,
  type CompletionRequest,
  type Embeddings,
  type OpenContext,
  type Provider,
  type ProviderKind,
} from './provider.ts'
export { callOptions } from './call-options.ts'
export { providers } from './providers/index.ts'
export { spendingWithin, type Spending, type SpendingLimits } from './calls/spending.ts'
export type { Scope } from './scoped-models.ts'
