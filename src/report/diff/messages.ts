import { groupBy } from '../../basics/collections.ts'
import type { Reference } from '../../types.ts'
import { formatCount, listing, plural, present, questionsIn } from '../../text/amounts.ts'
import { alpha } from '../compare/compare-pair.ts'
import { listDifferences } from '../differences.ts'
import { signedPoints, toPoints } from '../render/columns.ts'
import { messagesOf, type NoteText } from '../render/rows.ts'
import { pText } from '../render/notes-on-runs.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { countTexts, describeOutcome } from '../show/messages.ts'
import type { ShownTrial } from '../show/read-questions.ts'
import type { RowDiff, RowTest, RunDiff } from './diff-runs.ts'
import { changeNames, type Change } from './question-changes.ts'

/** Questions by change, one line per row. Rare changes have a column only where they occur. */
export function changesTable({ rows }: RunDiff): TextTable {
  const always: readonly Change[] = ['regressed', 'fixed', 'stillFailing', 'unchanged']
  const sometimes: readonly Change[] = ['failedNow', 'failedBefore', 'notScored']
  const occurs = (change: Change) => rows.some(({ counts }) => counts[change] > 0)
  const changes = [...always, ...sometimes.filter(occurs)]
  return tableOf(rows, [
    { title: 'row', cell: ({ name }) => name },
    { title: 'before', cell: ({ test }) => (test ? toPoints(test.means.before) : '–') },
    { title: 'after', cell: ({ test }) => (test ? toPoints(test.means.after) : '–') },
    ...changes.map((change) => ({ title: changeNames[change], cell: ({ counts }: RowDiff) => counts[change] })),
  ])
}

/** One line per row: verdict and statistics. */
export function testLines({ rows }: RunDiff): readonly string[] {
  const isOpen = rows.some(({ verdict }) => verdict === 'no difference shown')
  return present(
    perRow(rows, (row) => `${describeTest(row, rows.length)}.`),
    isOpen && 'No difference shown does not mean equal: the interval contains the plausible differences.',
  )
}

/** A line per text, after the names of the rows that share it. */
function perRow(rows: readonly RowDiff[], textOf: (row: RowDiff) => string) {
  const groups = [...groupBy(rows, textOf)].filter(([text]) => text !== '')
  return groups.map(([text, members]) => {
    const names =
      members.length > 1 && members.length === rows.length ? 'all rows' : members.map(({ name }) => name).join(', ')
    return `${names}: ${text}`
  })
}

/** The verdict on a row, its change and test, and the loss that the margin of the gate concerns. */
function describeTest({ verdict, reason, test }: RowDiff, rows: number) {
  const title = verdict === 'none' ? `no verdict: ${reason}` : verdict
  if (!test) return title
  const { difference, low, high } = test
  const interval = low === null || high === null ? '' : ` (95 % interval ${signedPoints(low)} to ${signedPoints(high)})`
  const change = `change ${signedPoints(difference)} points${interval} on ${questionsIn(test)}`
  return present(
    title,
    verdict === 'none' ? change : `${change}, ${describeP(test, rows)}`,
    test.lost && describeLoss(test.lost),
  ).join('; ')
}

function describeP({ test, p, pAdjusted }: RowTest, rows: number) {
  const name = { t: 't test', McNemar: "McNemar's exact test", 'sign flips': 'paired sign flips' }[test]
  const correction = test === 't' ? 'Holm' : 'Westfall–Young'
  const corrected = rows > 1 ? `, p ${pText(pAdjusted)} corrected over ${rows} rows (${correction})` : ''
  return `p ${pText(p)} (${name})${corrected}`
}

function describeLoss({ p, largest, margin, needed: questions }: NonNullable<RowTest['lost']>) {
  if (p === null || largest === null || questions === null) return undefined
  const limit = largest > 0 ? `a loss of up to ${toPoints(largest)} points is plausible` : 'no loss is plausible'
  const loss = `p ${pText(p)} for a loss of ${toPoints(margin)} or more`
  const count = formatCount(questions)
  return `${limit} (${loss}); about ${count} questions would show that a row did not change (80 % power)`
}

/** Notes below a diff, one line each. */
export const diffNotes = (diff: RunDiff): readonly string[] => messagesOf(notes, diff)

const notes: readonly NoteText<RunDiff>[] = [
  ({ documents }) => {
    if (documents === undefined) return false
    if (documents === null) return 'The files of the dataset differ. A run does not record its documents.'
    const changes = Object.entries(documents).flatMap(([change, names]) =>
      names.length === 0 ? [] : [`${plural(names.length, 'document')} ${change} (${listing(names)})`],
    )
    const list = changes.join(', ') || 'no document changed'
    return `The files of the dataset differ: ${list}. Questions of equal text and reference are compared.`
  },
  ({ synthetic }) => synthetic.map((note) => `${note}.`),
  ({ differences }) => differences.length > 0 && `The runs differ in: ${listDifferences(differences)}.`,
  ({ incomparable }) => incomparable.map((reason) => `The scores cannot be compared: ${reason}.`),
  ({ unfinished }) => unfinished.map((run) => `${run} is incomplete: run its config again to resume it.`),
  ({ onlyBefore }) => onlyBefore.length > 0 && `Only before: ${onlyBefore.join(', ')}.`,
  ({ onlyAfter }) => onlyAfter.length > 0 && `Only after: ${onlyAfter.join(', ')}.`,
  ({ notScored }) => notScored.length > 0 && `Rows without a score: ${notScored.join(', ')}.`,
  ({ rows }) => perRow(rows, describeRow),
]

const describeRow = (row: RowDiff) =>
  present(
    row.differences.length > 0 && `differs in: ${listDifferences(row.differences)}`,
    row.missing.length > 0 && describeMissing(row),
    row.evidenceGone.length > 0 && countOf(row.evidenceGone, 'without their evidence in the second run'),
    row.onlyAfter > 0 && `${plural(row.onlyAfter, 'question')} only in the second run`,
  )
    .map((note) => `${note}.`)
    .join(' ')

/** Such as `6 questions not in the second run: 3, 4, …`. */
const describeMissing = ({ missing }: RowDiff) =>
  Object.entries(missingReasons)
    .flatMap(([why, reason]) => {
      const ids = missing.flatMap((question) => (question.why === why ? [question.id] : []))
      return ids.length === 0 ? [] : [countOf(ids, reason)]
    })
    .join('; ')

const missingReasons = {
  notAsked: 'not in the second run, or with another text or reference',
  noScore: 'without a score in the second run',
} as const

const countOf = (ids: readonly string[], remark: string) =>
  `${plural(ids.length, 'question')} ${remark}: ${listing(ids)}`

/** Outcomes of a row over its repeats, equal ones once with their count, and why scores of the scorer are missing. */
export function outcomeLines(
  trials: readonly Omit<ShownTrial, 'context'>[],
  reference: Reference,
  scorer: string,
): readonly string[] {
  const texts = trials.map((trial) => `${trial.answer ? '' : 'failed: '}${describeOutcome(trial, reference)}`)
  const scores = trials.flatMap((trial) => trial.scores.filter((score) => score.scorer === scorer))
  const reasons = new Set(scores.flatMap(({ failure, skipped }) => failure?.message ?? skipped ?? []))
  return [...countTexts(texts), ...Array.from(reasons, (reason) => `no score: ${reason}`)]
}

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
export function gateOf(diff: RunDiff, acceptMissing = false): Gate {
  const { rows, incomparable, unfinished: incompleteRuns, margin } = diff
  const rowsWith = (outcome: Gate['outcome']) => {
    const matches = rows.filter((row) => outcomeOf(row, margin) === outcome)
    return perRow(matches, (row) => describeTest(row, rows.length))
  }
  const failed = perRow(rows, ({ counts: { failedNow } }) =>
    failedNow === 0 ? '' : `${plural(failedNow, 'question')} failed in the second run only`,
  )
  const missing = perRow(rows, describeMissing)
  const passes = present(
    rowsWith('passed'),
    margin === null && noMargin,
    missing.map((text) => `accepted: ${text}`),
  )
  const causes: readonly (readonly [outcome: Gate['outcome'], causes: readonly string[]])[] = [
    ['worse', rowsWith('worse')],
    ['no verdict', incomparable],
    ['incomplete', incompleteRuns.map((run) => `${run} is incomplete; run its config again to resume it`)],
    ['incomplete', failed],
    ['missing', acceptMissing || missing.length === 0 ? [] : [...missing, '--accept-missing ignores them']],
    ['no verdict', rowsWith('no verdict')],
    ['undecided', rowsWith('undecided')],
  ]
  const [outcome, reasons] = causes.find(([, texts]) => texts.length > 0) ?? ['passed', passes]
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
