export { fromBytes, toBytes, type Cache } from './cache/cache.ts'
export type { SharedCall, SharedCalls, Permit } from './cache/single-flight.ts'
export { inMemoryCache, notingCache, openCache } from './cache/open-cache.ts'
export { readCallFile, writeCallFile } from './cache/call-file.ts'
export { createUsageCounter, zeroSentUsage, type UsageCounter, type PhaseUsage } from './usage-counter.ts'
export { abilityOf, awaitRoles, openModels, type ModelRequest, type OpenedModels } from './open-models.ts'
export {
  defineProvider,
  type Completion,
  type CompletionRequest,
  type Embeddings,
  type OpenContext,
  type Provider,
  type ProviderKind,
} from './provider.ts'
export { providers } from './providers/index.ts'
export { circuitBreaker, maxFailures, type CircuitBreaker, type WorkOutcome } from './calls/circuit-breaker.ts'
export { limitUsage, type UsageLimiter, type UsageLimits } from './calls/usage-limit.ts'
export { tryModel, type Finding, type ModelFindings, type TryRequest } from './try-model.ts'
