import { defaultSeed, type Plan } from '../../config/index.ts'
import type { UsageCounter, OpenedModels } from '../../models/index.ts'
import type { AnswersWanted, Budget, Models, Phase } from '../../types.ts'
import type { OnUsage } from '../progress.ts'

/** What every trial of a run shares. */
export interface RunContext {
  readonly models: OpenedModels
  readonly budget: Budget
  readonly style: AnswersWanted
  readonly seed: number
  readonly limits: Plan['limits']
  readonly signal?: AbortSignal
  readonly onUsage?: OnUsage
}

export type CallContext = Pick<RunContext, 'seed' | 'onUsage'> & {
  readonly models: Pick<OpenedModels, 'scope'>
}

export type IndexContext = Omit<RunContext, 'models' | 'budget' | 'style'> & {
  readonly models: Pick<OpenedModels, 'scope' | 'sentCalls'>
}

/**
 * Gives the metered and seeded models to one phase of a method on a corpus in a repeat, and of a question, if it is not
 * the index.
 */
export function withModels<T>(
  { models, seed, onUsage }: CallContext,
  phase: Exclude<Phase, 'judge'>,
  caller: { readonly method: string; readonly corpus: string; readonly repeat: number; readonly question?: string },
  usage: UsageCounter,
  work: (models: Models) => Promise<T>,
): Promise<T> {
  const { method, corpus, repeat, question } = caller
  const isIndex = question === undefined
  const seedParts = isIndex ? (repeat > 0 ? [repeat] : []) : [question, repeat]
  const scope = models.scope({
    phase,
    sample: isIndex ? 0 : repeat,
    seed: [seed, phase, method, corpus, ...seedParts],
    usualSeeds: seed === defaultSeed && repeat === 0,
    counter: usage,
    ...(onUsage && { onUsage: (more) => onUsage(phase, more) }),
  })
  return work(scope)
}
