import { alpha } from '../compare/compare-pair.ts'
import { formatCount, plural, present } from '../../text/amounts.ts'
import { points } from '../render/columns.ts'
import { pOf } from '../render/notes-on-runs.ts'
import type { RowDiff, RunDiff } from './diff-runs.ts'
import { missingWords } from './words.ts'

/**
 * `passed`: no row is worse by the margin, or without one no loss is shown. `worse`: one is shown to be. `missing`:
 * questions of the first run are missing in the second, and the others pass. `undecided`: neither can be told. `no
 * verdict`: a row has no test. `incomplete`: a run has not ended, or questions failed only now.
 */
export interface Gate {
  readonly outcome: 'passed' | 'worse' | 'missing' | 'undecided' | 'no verdict' | 'incomplete'
  /** In a line, with the questions that are missing and the number that it would take. */
  readonly reason: string
}

/** `acceptMissing`: the questions that both runs have decide alone. */
export function gateOf({ rows, incomparable, unfinished: [run], margin }: RunDiff, acceptMissing = false): Gate {
  const judged = rows.map((row) => ({ row, outcome: outcomeOf(row, margin) }))
  const those = (outcome: Gate['outcome']): readonly RowDiff[] =>
    judged.flatMap((one) => (one.outcome === outcome ? [one.row] : []))
  const worse = those('worse').map(figuresOf)
  const open = those('no verdict').map(({ name, reason = '' }) => `${name} has no verdict: ${reason}`)
  const untold = [...open, ...those('undecided').map(figuresOf)]
  const lacking = rows.filter(({ missing }) => missing.length > 0)
  const missing = lacking.map((row) => `${row.name}: ${missingWords(row)}`)
  const isMissing = lacking.length > 0 && !acceptMissing
  if (worse.length > 0) return { outcome: 'worse', reason: [...worse, ...missing].join('; ') }
  if (open[0] !== undefined && (incomparable.length > 0 || !isMissing))
    return { outcome: 'no verdict', reason: open[0] }
  if (run !== undefined)
    return { outcome: 'incomplete', reason: `${run} has not ended; run its config again to resume` }
  const failed = rows.find(({ counts }) => counts.failedNow > 0)
  if (failed) {
    const lost = plural(failed.counts.failedNow, 'question')
    return {
      outcome: 'incomplete',
      reason: [`${failed.name}: ${lost} with a score before failed now and cannot be tested`, ...missing].join('; '),
    }
  }
  const noMargin = 'no margin is given, so that only a loss that is shown is worse; --margin .03 excludes losses'
  return {
    outcome: untold.length > 0 ? 'undecided' : isMissing ? 'missing' : 'passed',
    reason: present(
      isMissing && [...missing, '--accept-missing compares the others alone'],
      margin === null && noMargin,
      untold.length > 0 ? untold : rows.map(figuresOf),
      !isMissing && missing.map((words) => `accepted: ${words}`),
    ).join('; '),
  }
}

function outcomeOf({ verdict, test }: RowDiff, margin: number | null): Gate['outcome'] {
  if (!test) return 'no verdict'
  if (margin === null) return verdict === 'none' ? 'no verdict' : verdict === 'worse' ? 'worse' : 'passed'
  if (test.win + test.loss === 0 || verdict === 'better') return 'passed'
  if ((test.lost?.p ?? 1) <= alpha) return 'passed'
  return verdict === 'worse' ? 'worse' : 'undecided'
}

function figuresOf({ name, test }: RowDiff): string {
  if (!test) return name
  const { difference, questions, win, loss, lost } = test
  if (win + loss === 0) return `${name}: no score of ${plural(questions, 'question')} differs`
  const gained = `${name}: after minus before ${points(difference)} points on ${plural(questions, 'question')}`
  if (!lost || lost.p === null || lost.largest === null) return gained
  const limit = lost.largest > 0 ? `a loss of up to ${points(lost.largest)} points is not excluded` : 'a gain is shown'
  const tested = `p ${pOf(lost.p)} for a loss of ${points(lost.margin)} or more`
  return `${gained}, ${limit} (${tested}); about ${formatCount(lost.needed ?? 0)} questions would tell a row that did not change (power 80 %)`
}
