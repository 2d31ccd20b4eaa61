import { defaultSeed, type Limits } from '../../config/index.ts'
import { lendModels, type Meter, type OpenedModels } from '../../models/index.ts'
import type { AnswersWanted, Budget, Models, Phase } from '../../types.ts'
import type { Profile } from '../profile.ts'
import type { JobCalls } from './call-counts.ts'

/** What every trial of a run shares. */
export interface Conditions {
  readonly models: OpenedModels
  readonly budget: Budget
  readonly style: AnswersWanted
  readonly seed: number
  readonly limits: Limits
  readonly ended?: AbortSignal
  readonly profile?: Profile
  readonly onUsage?: JobCalls['onUsage']
  /** Whether the lines of indexes keep their calls. */
  readonly keepsCalls?: boolean
}

/** What calls are made under. */
export interface CallConditions extends Pick<Conditions, 'seed' | 'onUsage' | 'keepsCalls'> {
  readonly models: Pick<OpenedModels, 'scope'>
}

/** What an index is built under. */
export interface IndexConditions extends Pick<
  Conditions,
  'seed' | 'limits' | 'ended' | 'profile' | 'onUsage' | 'keepsCalls'
> {
  readonly models: Pick<OpenedModels, 'scope' | 'sent'>
}

/** Whose calls these are: a method on a corpus in a repeat, and a question of it where it is not the index. */
export interface Caller {
  readonly method: string
  readonly corpus: string
  readonly repeat: number
  readonly question?: string
}

/** Gives the metered and seeded models to one phase of one caller; equal calls of several indexes are one call. */
export function withModels<T>(
  { models, seed, onUsage }: CallConditions,
  phase: Exclude<Phase, 'judge'>,
  { method, corpus, repeat, question }: Caller,
  meter: Meter,
  work: (models: Models) => Promise<T>,
): Promise<T> {
  const isIndex = question === undefined
  const asked = isIndex ? (repeat > 0 ? [repeat] : []) : [question, repeat]
  const scope = models.scope({
    phase,
    sample: isIndex ? 0 : repeat,
    seed: [seed, phase, method, corpus, ...asked],
    usualSeeds: seed === defaultSeed && repeat === 0,
    meter,
    ...(onUsage && { onUsage: (more) => onUsage(phase, more) }),
  })
  return lendModels(scope, `${phase}()`, work)
}
