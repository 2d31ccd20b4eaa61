import type { Failure, TrialLine } from '../../records.ts'
import type { Usage } from '../../types.ts'

/** Trials of a row of which none has brought a usable reply, before no more are asked. */
const mostUnusable = 20

/** What came of a trial: nothing is said of the row where no model was asked, or could not be. */
type Outcome = 'usable' | 'neutral' | Failure

/**
 * Asks no more than `mostUnusable` jobs of a group, which is a row or a judge, until one has a usable reply.
 * `answered`: groups that have one.
 */
export function firstJobs<J>(
  groupOf: (job: J) => { readonly id: string; readonly whose: string },
  answered: ReadonlySet<string>,
) {
  const gates = new Map<string, Gate>()
  const entered = new Map<J, ReturnType<Gate['enter']>>()
  const gateOf = (job: J): Gate => {
    const { id, whose } = groupOf(job)
    const gate = gates.get(id) ?? gateOfFirst(answered.has(id), whose)
    gates.set(id, gate)
    return gate
  }
  return {
    /** Enters a job, in order, once; resolves when it may begin, or with the failure of the first ones of its group. */
    enter(job: J): Promise<Failure | undefined> {
      const one = entered.get(job) ?? gateOf(job).enter()
      entered.set(job, one)
      return one.begun
    },
    /** Says what came of a job; nothing of one that was not entered. */
    end(job: J, outcome: Outcome): void {
      const one = entered.get(job)
      entered.delete(job)
      if (one) gateOf(job).end(one.place, outcome)
    },
  }
}

/** What is learnt of a row's models from a trial. */
export const outcomeOf = ({ failure, usage }: TrialLine): Outcome =>
  failure?.phase === 'index' ? 'neutral' : outcomeWith(failure, Object.values(usage))

/** What is learnt of a model from a failure, or from what was asked without one. */
export function outcomeWith(failure: Failure | undefined, usage: readonly Usage[]): Outcome {
  if (failure) return unusable.has(failure.kind) ? failure : 'neutral'
  return usage.some(({ calls, embeddingCalls = 0 }) => calls > embeddingCalls) ? 'usable' : 'neutral'
}

const unusable = new Set(['reply', 'refused'])

type Gate = ReturnType<typeof gateOfFirst>

/** Lets in no more than `mostUnusable` until one has brought a usable reply. `whose`: its name in messages. */
function gateOfFirst(isOpen: boolean, whose: string) {
  /** Failures of what was let in, while nothing is decided. */
  const outcomes = new Map<number, Failure>()
  const waiting: ((failure: Failure | undefined) => void)[] = []
  let decided: { readonly failure: Failure | undefined } | undefined = isOpen ? { failure: undefined } : undefined
  let entered = 0
  /** How many were let in of which something may be learnt. */
  let open = 0
  const decide = (failure: Failure | undefined): void => {
    decided = { failure }
    for (const go of waiting.splice(0)) go(failure)
  }
  const letIn = (go: (failure: undefined) => void): void => {
    open++
    go(undefined)
  }
  return {
    enter() {
      const place = entered++
      const begun = new Promise<Failure | undefined>((go) => {
        if (decided) go(decided.failure)
        else if (open < mostUnusable) letIn(go)
        else waiting.push(go)
      })
      return { place, begun }
    },
    end(place: number, outcome: Outcome): void {
      if (decided) return
      if (outcome === 'usable') decide(undefined)
      else if (outcome === 'neutral') {
        open--
        const next = waiting.shift()
        if (next) letIn(next)
      } else {
        outcomes.set(place, outcome)
        if (outcomes.size === mostUnusable) decide(notAsked(outcomes, whose))
      }
    },
  }
}

/** The failure of what comes after those, with the reason of the first of them. */
function notAsked(outcomes: ReadonlyMap<number, Failure>, whose: string): Failure {
  const first = outcomes.get(Math.min(...outcomes.keys()))
  if (!first) throw new Error(`nothing of ${whose} has failed`)
  const { phase, kind, message } = first
  return {
    phase,
    kind,
    message: `not asked, since the first ${mostUnusable} replies of ${whose} were refused or could not be read: ${message}`,
  }
}
