import { plural } from '../render/plural.ts'
import type { RunDiff } from './diff-runs.ts'

/** Whether a change may pass; `worse` and `passed` are conclusions, the others say why there is none. */
export interface Gate {
  readonly outcome: 'passed' | 'worse' | 'no verdict' | 'incomplete'
  /** Empty where it has passed. */
  readonly reason: string
}

/**
 * `worse` where a row is worse; else `no verdict` where a row has none, `incomplete` where a run has not ended or a row has a score of a
 * question before and a failure after; else `passed`, which does not mean equal.
 */
export function gateOf({ rows, unfinished: [run] }: RunDiff): Gate {
  const worse = rows.filter(({ verdict }) => verdict === 'worse').map(({ name }) => name)
  if (worse.length > 0) return { outcome: 'worse', reason: worse.join(', ') }
  const open = rows.find(({ verdict }) => verdict === 'none')
  if (open) return { outcome: 'no verdict', reason: `${open.name} has no verdict: ${open.reason ?? ''}` }
  if (run !== undefined)
    return { outcome: 'incomplete', reason: `${run} has not ended; run its config again to resume` }
  const failed = rows.find(({ counts }) => counts.failedNow > 0)
  if (!failed) return { outcome: 'passed', reason: '' }
  const lost = plural(failed.counts.failedNow, 'question')
  return {
    outcome: 'incomplete',
    reason: `${failed.name}: ${lost} with a score before failed now and cannot be tested`,
  }
}
