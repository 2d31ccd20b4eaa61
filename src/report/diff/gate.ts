import { alpha } from '../compare/compare-pair.ts'
import { formatCount, plural, present } from '../../text/amounts.ts'
import { toPoints } from '../render/columns.ts'
import { pText } from '../render/notes-on-runs.ts'
import type { RowDiff, RunDiff } from './diff-runs.ts'
import { missingWords, perRow } from './messages.ts'

/**
 * `passed`: no row is worse by the margin (without one: significantly worse). `worse`: one is. `missing`: questions of
 * the first run are missing in the second, the rest passes. `undecided`: too little data. `no verdict`: a row has no
 * test. `incomplete`: a run has not ended, or questions failed only in the second run.
 */
export interface Gate {
  readonly outcome: 'passed' | 'worse' | 'missing' | 'undecided' | 'no verdict' | 'incomplete'
  /** One line, with missing questions and the required number. */
  readonly reason: string
}

/** `acceptMissing`: decide by the common questions. */
export function gateOf({ rows, incomparable, unfinished: [run], margin }: RunDiff, acceptMissing = false): Gate {
  const outcomes = rows.map((row) => ({ row, outcome: outcomeOf(row, margin) }))
  const rowsWith = (outcome: Gate['outcome']): readonly RowDiff[] =>
    outcomes.flatMap((entry) => (entry.outcome === outcome ? [entry.row] : []))
  const worse = rowsWith('worse').map(figuresOf)
  const verdictReasons = rowsWith('no verdict').map(({ name, reason = '' }) => `${name} has no verdict: ${reason}`)
  const openRows = [...verdictReasons, ...rowsWith('undecided').map(figuresOf)]
  const incompleteRows = rows.filter(({ missing }) => missing.length > 0)
  const missing = perRow(rows, missingWords)
  const isMissing = incompleteRows.length > 0 && !acceptMissing
  if (worse.length > 0) return { outcome: 'worse', reason: [...worse, ...missing].join('; ') }
  if (verdictReasons[0] !== undefined && (incomparable.length > 0 || !isMissing))
    return { outcome: 'no verdict', reason: verdictReasons[0] }
  if (run !== undefined)
    return { outcome: 'incomplete', reason: `${run} is incomplete; run its config again to resume it` }
  const failed = rows.find(({ counts }) => counts.failedNow > 0)
  if (failed) {
    const failedQuestions = plural(failed.counts.failedNow, 'question')
    return {
      outcome: 'incomplete',
      reason: [`${failed.name}: ${failedQuestions} failed in the second run only`, ...missing].join('; '),
    }
  }
  const noMargin =
    'without a margin only a significant loss fails; --margin .03 requires that larger losses are excluded'
  return {
    outcome: openRows.length > 0 ? 'undecided' : isMissing ? 'missing' : 'passed',
    reason: present(
      isMissing && [...missing, '--accept-missing ignores them'],
      margin === null && noMargin,
      openRows.length > 0 ? openRows : rows.map(figuresOf),
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
  const { difference, questions, win, loss, lost: lossTest } = test
  if (win + loss === 0) return `${name}: no score of ${plural(questions, 'question')} differs`
  const change = `${name}: change ${toPoints(difference)} points on ${plural(questions, 'question')}`
  if (!lossTest || lossTest.p === null || lossTest.largest === null) return change
  const limit =
    lossTest.largest > 0 ? `a loss of up to ${toPoints(lossTest.largest)} points is plausible` : 'no loss is plausible'
  const testText = `p ${pText(lossTest.p)} for a loss of ${toPoints(lossTest.margin)} or more`
  return `${change}, ${limit} (${testText}); about ${formatCount(lossTest.needed ?? 0)} questions would show that a row did not change (80 % power)`
}
