import { alpha } from '../compare/compare-pair.ts'
import { plural, present } from '../../text/amounts.ts'
import type { RowDiff, RunDiff } from './diff-runs.ts'
import { describeMissing, describeTest, perRow } from './messages.ts'

/**
 * `passed`: no row is worse by the margin (without one: significantly worse). `worse`: one is. `missing`: questions of
 * the first run are missing in the second. `undecided`: too little data. `no verdict`: a row has no test. `incomplete`:
 * a run has not ended, or questions failed only in the second run.
 */
export interface Gate {
  readonly outcome: 'passed' | 'worse' | 'missing' | 'undecided' | 'no verdict' | 'incomplete'
  /** One line. */
  readonly reason: string
}

/** The first outcome with a cause. `acceptMissing`: decide by the common questions. */
export function gateOf({ rows, incomparable, unfinished, margin }: RunDiff, acceptMissing = false): Gate {
  const rowsWith = (outcome: Gate['outcome']): readonly string[] => {
    const matches = rows.filter((row) => outcomeOf(row, margin) === outcome)
    return perRow(matches, (row) => describeTest(row, rows.length))
  }
  const failed = perRow(rows, ({ counts: { failedNow } }) =>
    failedNow === 0 ? '' : `${plural(failedNow, 'question')} failed in the second run only`,
  )
  const missing = perRow(rows, describeMissing)
  const passed = present(
    rowsWith('passed'),
    margin === null && noMargin,
    missing.map((text) => `accepted: ${text}`),
  )
  const causes: readonly (readonly [outcome: Gate['outcome'], causes: readonly string[]])[] = [
    ['worse', rowsWith('worse')],
    ['no verdict', incomparable],
    ['incomplete', unfinished.map((run) => `${run} is incomplete; run its config again to resume it`)],
    ['incomplete', failed],
    ['missing', acceptMissing || missing.length === 0 ? [] : [...missing, '--accept-missing ignores them']],
    ['no verdict', rowsWith('no verdict')],
    ['undecided', rowsWith('undecided')],
  ]
  const [outcome, reasons] = causes.find(([, texts]) => texts.length > 0) ?? ['passed', passed]
  return { outcome, reason: reasons.join('; ') }
}

const noMargin = 'without a margin only a significant loss fails; --margin .03 requires that larger losses are excluded'

function outcomeOf({ verdict, test }: RowDiff, margin: number | null): Gate['outcome'] {
  if (!test) return 'no verdict'
  if (margin === null) return verdict === 'none' ? 'no verdict' : verdict === 'worse' ? 'worse' : 'passed'
  const isUnchanged = test.win + test.loss === 0
  if (isUnchanged || verdict === 'better' || (test.lost?.p ?? 1) <= alpha) return 'passed'
  return verdict === 'worse' ? 'worse' : 'undecided'
}
