import type { Failure, TrialLine } from '../../records.ts'

/** Trials of a row of which none has brought a usable reply, before no more are asked. */
const mostUnusable = 20

/** What came of a trial: nothing is said of the row where no model was asked, or could not be. */
type Outcome = 'usable' | 'neutral' | Failure

/** The trials of a run, by row; each is entered in the order of questions. */
export interface FirstTrials {
  /** Enters the next trial of a row; resolves when it may begin, with the failure of a row whose first trials were all in vain. */
  enter(row: string): { readonly place: number; readonly begun: Promise<Failure | undefined> }
  /** Says what came of a trial. */
  end(row: string, place: number, line: TrialLine): void
}

/**
 * Bounds what is paid for a row whose model cannot do its tasks: until a first trial has brought a usable reply, no
 * more than `mostUnusable` of the row are asked, however many may be asked at once. `answered`: rows of which a trial
 * is there already.
 */
export function firstTrials(answered: ReadonlySet<string>): FirstTrials {
  const rows = new Map<string, RowGate>()
  const gateOf = (row: string): RowGate => {
    const gate = rows.get(row) ?? rowGate(answered.has(row))
    rows.set(row, gate)
    return gate
  }
  return {
    enter: (row) => gateOf(row).enter(),
    end: (row, place, line) => gateOf(row).end(place, outcomeOf(line)),
  }
}

function outcomeOf({ failure, usage }: TrialLine): Outcome {
  if (failure) return failure.phase !== 'index' && unusable.has(failure.kind) ? failure : 'neutral'
  const calls = Object.values(usage).reduce((sum, { calls: all, embeddingCalls = 0 }) => sum + all - embeddingCalls, 0)
  return calls > 0 ? 'usable' : 'neutral'
}

const unusable = new Set(['reply', 'refused'])

interface RowGate {
  enter: () => ReturnType<FirstTrials['enter']>
  end: (place: number, outcome: Outcome) => void
}

function rowGate(isOpen: boolean): RowGate {
  /** Of the trials that were let in, while nothing is decided. */
  const outcomes = new Map<number, Failure>()
  const waiting: ((failure: Failure | undefined) => void)[] = []
  let decided: { readonly failure: Failure | undefined } | undefined = isOpen ? { failure: undefined } : undefined
  let entered = 0
  /** Trials that were let in and of which something may be learnt. */
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
    end(place, outcome) {
      if (decided) return
      if (outcome === 'usable') decide(undefined)
      else if (outcome === 'neutral') {
        open--
        const next = waiting.shift()
        if (next) letIn(next)
      } else {
        outcomes.set(place, outcome)
        if (outcomes.size === mostUnusable) decide(notAsked(outcomes))
      }
    },
  }
}

/** The failure of the trials after those, with the reason of the first of them. */
function notAsked(outcomes: ReadonlyMap<number, Failure>): Failure {
  const first = outcomes.get(Math.min(...outcomes.keys()))
  if (!first) throw new Error('no trial of the row has failed')
  const { phase, kind, message } = first
  return {
    phase,
    kind,
    message: `not asked, since the first ${mostUnusable} replies of the row were refused or could not be read: ${message}`,
  }
}
