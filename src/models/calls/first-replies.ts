import { ModelError } from '../../errors.ts'
import type { CacheEntry, CallResult } from '../cache/cache.ts'

/** Calls of a task of which none has brought a usable reply, before no more are made. */
export const mostUnusable = 20

/** Makes the calls of one scope. Throws ModelError where the task's first calls, in order, were all in vain. */
export type MakeInTurn = <R extends CallResult<CacheEntry>>(task: string, call: () => Promise<R>) => Promise<R>

/**
 * Bounds what is paid for a model that cannot do a task: until a first reply can be used, no more than `mostUnusable`
 * calls of the task are made, however many may be made at once; where all of them were refused or could not be read,
 * the later ones are lost without being made.
 */
export function firstReplies(): MakeInTurn {
  const tasks = new Map<string, FirstOfTask>()
  return async (task, call) => {
    const first = tasks.get(task) ?? firstOfTask()
    tasks.set(task, first)
    const place = first.begin()
    if (place >= mostUnusable) {
      const failure = await first.decided
      if (failure) throw notAsked(task, failure)
    }
    try {
      const made = await call()
      first.end(place, isLost(made.failure) ? made.failure : undefined)
      return made
    } catch (error) {
      first.end(place, undefined)
      throw error
    }
  }
}

const isLost = (failure: ModelError | undefined): failure is ModelError =>
  failure?.kind === 'reply' || failure?.kind === 'refused'

const notAsked = (task: string, cause: ModelError): ModelError =>
  new ModelError(
    'reply',
    `${task}: not asked, since the first ${mostUnusable} replies were refused or could not be read: ${cause.message}`,
    { cause },
  )

interface FirstOfTask {
  /** The place of a call in the order of calls. */
  begin(): number
  /** What came of a call: its failure where the reply is lost. */
  end(place: number, failure: ModelError | undefined): void
  /** The first failure where all first calls were in vain; undefined as soon as one was not. */
  readonly decided: Promise<ModelError | undefined>
}

function firstOfTask(): FirstOfTask {
  const failures = new Map<number, ModelError>()
  let decide = (_failure: ModelError | undefined): void => undefined
  const decided = new Promise<ModelError | undefined>((resolve) => (decide = resolve))
  let begun = 0
  return {
    begin: () => begun++,
    end(place, failure) {
      if (!failure) decide(undefined)
      else if (failures.set(place, failure).size === mostUnusable) decide(failures.get(0))
    },
    decided,
  }
}
