import { circuitBreaker, maxFailures } from './calls/circuit-breaker.ts'
import { memoise, once } from '../basics/memoise.ts'
import { ModelError } from '../errors.ts'
import { mulberry32, seedFrom } from '../math/random.ts'
import { listsByLetter } from '../tasks/answers.ts'
import type { Models, Phase, PromptTemplates } from '../types.ts'
import { isLost } from './cache/single-flight.ts'
import type { Caller, ModelClient } from './calls/client.ts'
import type { UsageCounter, PhaseUsage } from './usage-counter.ts'

/** Who makes the calls. `sample`: the repeat; `seed` starts the random stream; `usualSeeds`: seeds as requested. */
export interface Scope {
  readonly phase: Phase
  readonly sample: number
  readonly seed: readonly (string | number)[]
  readonly usualSeeds?: boolean
  readonly counter: UsageCounter
  readonly onUsage?: (more: Partial<PhaseUsage>) => void
}

/** The clients of a scope, and prompts in place of those of the tasks. */
interface ScopeModels {
  readonly completer: ModelClient
  readonly embedder: ModelClient
  readonly reranker?: ModelClient | undefined
  readonly templates: PromptTemplates
}

/** The models of one scope; every call is counted there. */
export function scopedModels({ completer, embedder, reranker, templates }: ScopeModels, scope: Scope): Models {
  const { phase, sample, seed, usualSeeds, counter: meter, onUsage } = scope
  const replies = completer.provider.replies ?? (listsByLetter(templates) ? 'letter' : undefined)
  const random = mulberry32(seedFrom(...seed))
  const count = (usage: Partial<PhaseUsage>): void => {
    meter.add(phase, usage)
    onUsage?.(usage)
  }
  const breakerOf = memoise((_task: string) => circuitBreaker<ModelError>())
  const caller: Caller = {
    sample,
    isIndex: phase === 'index',
    count,
    noteEmbeddingFailures: (messages) => meter.noteEmbeddingFailures(messages),
    inTurn(task, call) {
      const breaker = breakerOf(task)
      const callUnlessFailing = (failure: ModelError | undefined) => {
        if (failure) throw notAsked(task, failure)
        return call()
      }
      return breaker.run(
        breaker.reserve(1),
        callUnlessFailing,
        (result) => (isLost(result) && result.failure) || 'usable',
      )
    },
  }
  const countDraw = once(() => count({ draws: 1 }))
  return {
    countTokens: (text) => completer.tokenizer.count(text),
    random() {
      countDraw()
      return random()
    },
    seed(usual) {
      countDraw()
      return usualSeeds ? usual : seedFrom(...seed, 'seed', usual)
    },
    ...(replies && { replies }),
    run: (task, input) => completer.complete(task, input, caller),
    embed: (texts, role = 'document') => embedder.embed(texts, role, caller),
    embedTokens: (text) => embedder.embedTokens(text, caller),
    ...(reranker && { rerank: (question, texts) => reranker.rerank(question, texts, caller) }),
    tokenIds(text) {
      const ids = embedder.provider.tokenIds?.(text)
      if (ids) return ids
      count({ failed: 1 })
      throw new ModelError('refused', `the provider "${embedder.provider.name}" has no tokenizer`)
    },
  }
}

const notAsked = (task: string, cause: ModelError): ModelError =>
  new ModelError(
    'reply',
    `${task}: not asked, since the first ${maxFailures} replies were refused or could not be read: ${cause.message}`,
    { cause },
  )
