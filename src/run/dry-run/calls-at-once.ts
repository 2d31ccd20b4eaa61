import type { Phase } from '../../types.ts'
import type { Prepared } from '../prepare/prepare.ts'

/** Calls that are made at the same time at most, in each phase. */
export type AtOnce = Readonly<Record<Phase, Readonly<Record<'complete' | 'embed', number>>>>

/** Calls at the same time: a question, or an answer to be judged, mostly waits for one call at a time. */
export function callsAtOnce({ models, plan: { concurrency } }: Prepared): AtOnce {
  const limitsOf = (phase: 'retrieve' | 'answer' | 'judge') => {
    const { complete, embed } = models.atOnce(phase)
    return { complete: Math.min(complete, concurrency), embed: Math.min(embed, concurrency) }
  }
  const ofTrials = { retrieve: limitsOf('retrieve'), answer: limitsOf('answer'), judge: limitsOf('judge') }
  return { index: models.atOnce('index'), ...ofTrials }
}
