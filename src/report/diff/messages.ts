import { countEach, groupBy } from '../../basics/collections.ts'
import type { Stop } from '../../records.ts'
import type { Answer, Question, Reference } from '../../types.ts'
import { listing, plural, present, questionsIn } from '../../text/amounts.ts'
import { toPoints } from '../render/columns.ts'
import { messagesOf, type NoteText } from '../render/note.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { readQuestions, type ShownTrial } from '../show/read-questions.ts'
import { whyEmpty } from '../show/messages.ts'
import type { RowDiff, RunDiff, RowTest, Verdict, NamedRow } from './diff-runs.ts'
import type { DiffSide } from '../gather/outcomes.ts'
import { changeNames, type Change, type QuestionChange, type TouchedQuestion } from './question-changes.ts'
import { listDifferences } from '../differences.ts'

/** Questions by change, one line per row. Rare changes have a column only where they occur. */
export function changesTable({ rows }: RunDiff): TextTable {
  const always: readonly Change[] = ['regressed', 'fixed', 'stillFailing', 'unchanged']
  const sometimes: readonly Change[] = ['failedNow', 'failedBefore', 'notScored']
  const changes = [...always, ...sometimes.filter((change) => rows.some(({ counts }) => counts[change] > 0))]
  return tableOf(rows, [
    { title: 'row', cell: ({ name }) => name },
    { title: 'before', cell: ({ test }) => (test ? toPoints(test.means.before) : '–') },
    { title: 'after', cell: ({ test }) => (test ? toPoints(test.means.after) : '–') },
    ...changes.map((change) => ({ title: changeNames[change], cell: ({ counts }: RowDiff) => counts[change] })),
  ])
}

export function changeSentence({ rows }: RunDiff): string {
  const labels = [
    ['worse', 'Worse'],
    ['better', 'Better'],
    ['no difference shown', 'No difference shown'],
    ['none', 'No verdict'],
  ] as const
  const parts = labels.flatMap(([verdict, words]) => {
    const names = rows.flatMap((row) => (row.verdict === verdict ? [row.name] : []))
    const nameList = names.length > maxNames ? plural(names.length, 'row') : names.join(', ')
    return present(names.length > 0 && `${words}: ${nameList}.`)
  })
  return parts.join(' ')
}

/** Longer lists show a count. */
const maxNames = 3

/** One line per row: verdict and statistics. */
export function testLines({ rows }: RunDiff): readonly string[] {
  const isOpen = rows.some(({ verdict }) => verdict === 'no difference shown')
  return present(
    perRow(rows, (row) => testText(row, rows.length)),
    isOpen && 'No difference shown does not mean equal: the interval contains the plausible differences.',
  )
}

/** A line per text, after the names of the rows that share it. */
export function perRow(rows: readonly RowDiff[], textOf: (row: RowDiff) => string): readonly string[] {
  const groups = [...groupBy(rows, textOf)].filter(([text]) => text !== '')
  return groups.map(([text, members]) => {
    const names =
      members.length > 1 && members.length === rows.length ? 'all rows' : members.map(({ name }) => name).join(', ')
    return `${names}: ${text}`
  })
}

function testText({ verdict, reason, test }: RowDiff, rows: number): string {
  const words = verdict === 'none' ? `no verdict: ${reason ?? ''}` : verdict
  return `${words}${test ? `; ${figuresOf(test, verdict, rows)}` : ''}.`
}

function figuresOf(
  { difference, low, high, simultaneous, questions, clusters, test, p, pAdjusted, luck: indexVariance }: RowTest,
  verdict: Verdict,
  rows: number,
): string {
  const withSign = (value: number): string => `${value < 0 ? '−' : '+'}${toPoints(Math.abs(value))}`
  const together =
    rows > 1 && simultaneous.low !== null && simultaneous.high !== null
      ? `; ${withSign(simultaneous.low)} to ${withSign(simultaneous.high)} simultaneous over rows`
      : ''
  const interval =
    low === null || high === null ? '' : ` (95 % interval ${withSign(low)} to ${withSign(high)}${together})`
  const byT = test === 't'
  const correctionName = byT ? 'Holm' : 'Westfall–Young'
  const correctionText = rows > 1 ? `, ${probability(pAdjusted)} corrected over ${rows} rows (${correctionName})` : ''
  const name = byT ? 't test' : test === 'McNemar' ? "McNemar's exact test" : 'paired sign flips'
  const varianceText = indexVariance
    ? indexVariance.deviation === null
      ? `; the error lacks the variance between ${plural(indexVariance.indexes, 'index', 'indexes')} (needs 3)`
      : `; the error includes the variance between ${indexVariance.indexes} indexes`
    : ''
  const testText = verdict === 'none' ? '' : `, ${probability(p)} (${name})${correctionText}${varianceText}`
  return `change ${withSign(difference)} points${interval} on ${questionsIn({ questions, clusters })}${testText}`
}

const probability = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${p.toFixed(4)}`)

/** Notes below a diff, one line each. */
export const diffNotes = (diff: RunDiff): readonly string[] => messagesOf(notes, diff)

const notes: readonly NoteText<RunDiff>[] = [
  ({ documents }) => documentsNote(documents),
  ({ synthetic }) => synthetic.map((note) => `${note}.`),
  ({ differences }) => differences.length > 0 && `The runs differ in: ${listDifferences(differences)}.`,
  ({ incomparable }) => incomparable.map((reason) => `The scores cannot be compared: ${reason}.`),
  ({ unfinished }) => unfinished.map((run) => `${run} is incomplete: run its config again to resume it.`),
  ({ onlyBefore }) => rowsNote('Only before', onlyBefore),
  ({ onlyAfter }) => rowsNote('Only after', onlyAfter),
  ({ notScored }) => rowsNote('No common question with a score', notScored),
  ({ rows }) => perRow(rows, rowNotes),
]

function documentsNote(documents: RunDiff['documents']): readonly string[] {
  if (documents === undefined) return []
  if (documents === null) return ['The files of the dataset differ. A run does not record its documents.']
  const parts = Object.entries(documents).flatMap(([change, names]) =>
    names.length === 0 ? [] : [`${plural(names.length, 'document')} ${change} (${listing(names)})`],
  )
  const summary = parts.length === 0 ? 'no document changed' : parts.join(', ')
  return [`The files of the dataset differ: ${summary}. Questions of equal text and reference are compared.`]
}

/** Such as `leave.md was edited (evidence), old.md was removed`. */
export const documentWords = (documents: QuestionChange['documents'] = []): string =>
  documents
    .map(({ document, change, evidence }) => `${document} was ${change}${evidence ? ' (evidence)' : ''}`)
    .join(', ')

const rowsNote = (label: string, names: readonly string[]): string | false =>
  names.length > 0 && `${label}: ${names.join(', ')}.`

function rowNotes(row: RowDiff): string {
  const notes = present(
    row.differences.length > 0 && `differs in: ${listDifferences(row.differences)}`,
    row.missing.length > 0 && missingWords(row),
    row.evidenceGone.length > 0 &&
      `${plural(row.evidenceGone.length, 'question')} without their evidence in the second run: ${listing(row.evidenceGone.map(touchedWords))}`,
    row.onlyAfter > 0 && `${plural(row.onlyAfter, 'question')} only in the second run`,
    row.partlyFailed > 0 && `${plural(row.partlyFailed, 'question')} scored from a part of their repeats or judge runs`,
  )
  return notes.map((note) => `${note}.`).join(' ')
}

/** Such as `6 questions are not in the second run: 3 (leave.md was edited (evidence)), 4`. */
export function missingWords({ missing }: Pick<RowDiff, 'missing'>): string {
  const reasons = [
    ['notAsked', 'not in the second run'],
    ['changed', 'with another text or reference in the second run'],
    ['noScore', 'without a score in the second run'],
  ] as const
  const parts = reasons.flatMap(([reason, words]) => {
    const matches = missing.filter(({ why }) => why === reason)
    return present(
      matches.length > 0 && `${plural(matches.length, 'question')} ${words}: ${listing(matches.map(touchedWords))}`,
    )
  })
  return parts.join('; ')
}

const touchedWords = ({ id, documents }: TouchedQuestion): string =>
  documents.length === 0 ? id : `${id} (${documentWords(documents)})`

export const formatScore = (score: number | null): string => (score === null ? '–' : String(Number(score.toFixed(3))))

/** Answers of a row over its repeats, equal ones once with their count, and why scores are missing. */
export function outcomeLines({ question, repeats, withoutScore }: QuestionTexts): readonly string[] {
  const texts = repeats.map(({ answer, failure = '', stopped }) =>
    answer ? formatAnswer(answer, question.reference, stopped) : `failed: ${failure}`,
  )
  return [
    ...Array.from(countEach(texts), ([text, count]) =>
      repeats.length > 1 ? `${text} (${count} of ${repeats.length})` : text,
    ),
    ...withoutScore.map((reason) => `no score: ${reason}`),
  ]
}

function formatAnswer({ text, choice, canned }: Answer, reference: Reference, stopped: Stop): string {
  if (canned) return `${text === '' ? 'no answer' : text} (${whyEmpty(stopped)})`
  if (reference.kind !== 'choice') return text === '' ? 'an empty answer' : text
  return choice == null ? `no option could be read from: ${text}` : option(reference, choice)
}

const option = ({ options }: Extract<Reference, { kind: 'choice' }>, index: number): string =>
  `${index + 1}. ${options[index] ?? ''}`

/** Outcomes of a row by repeat, and why scores failed or were skipped, without duplicates. */
interface QuestionTexts {
  readonly question: Question
  readonly repeats: readonly RepeatTexts[]
  readonly withoutScore: readonly string[]
}

/** Either `answer` or `failure`; `stopped`: what ended the context. */
interface RepeatTexts extends Pick<ShownTrial, 'repeat' | 'stopped' | 'answer'> {
  readonly failure?: string
}

export interface QuestionDetail extends QuestionChange {
  readonly texts: { readonly before: QuestionTexts; readonly after: QuestionTexts }
}

/** Questions that changed, regressed ones first, then by size of the change. */
export const changedQuestions = ({ questions }: RowDiff): readonly QuestionChange[] =>
  visibleChanges.flatMap((kind) =>
    questions.filter(({ change }) => change === kind).sort((a, b) => sizeOf(b) - sizeOf(a)),
  )

const visibleChanges: readonly Change[] = ['regressed', 'failedNow', 'fixed', 'failedBefore']

const sizeOf = ({ before, after }: QuestionChange): number => Math.abs((after ?? 0) - (before ?? 0))

/** Selected questions of every row with their texts. Reads trials and scores again. */
export async function questionDetails(
  { rows, scorer }: RunDiff,
  [before, after]: readonly [before: DiffSide, after: DiffSide],
  choose: (row: RowDiff) => readonly QuestionChange[],
): Promise<readonly (readonly QuestionDetail[])[]> {
  const selection = rows.map((row) => ({ row, questions: choose(row) }))
  const idsOf = (id: (question: QuestionChange) => string): readonly string[] => [
    ...new Set(selection.flatMap(({ questions }) => questions.map(id))),
  ]
  const idAfter = ({ id, afterId = id }: QuestionChange): string => afterId
  const rowsOf = (side: 'before' | 'after') => rows.map((row) => row[side])
  const idsBefore = idsOf(({ id }) => id)
  const old = await textsIn(before, rowsOf('before'), idsBefore, scorer)
  const now = await textsIn(after, rowsOf('after'), idsOf(idAfter), scorer)
  return selection.map(({ row, questions }) =>
    questions.flatMap((question) => {
      const texts = { before: old(row.before, question.id), after: now(row.after, idAfter(question)) }
      return texts.before && texts.after ? [{ ...question, texts: { before: texts.before, after: texts.after } }] : []
    }),
  )
}

/** Texts of a row and question; undefined where there is no trial. */
async function textsIn(
  run: DiffSide,
  rows: readonly NamedRow[],
  ids: readonly string[],
  scorer: string,
): Promise<(row: NamedRow, question: string) => QuestionTexts | undefined> {
  const methods = run.manifest.methods.filter(({ id }) => rows.some((row) => row.id === id))
  const questions = await readQuestions(run, methods, ids, false)
  const byId = new Map(questions.map((question) => [question.question.id, question]))
  return ({ id }, name) => {
    const match = byId.get(name)
    const trials = match?.rows[methods.findIndex((method) => method.id === id)]?.trials
    if (!match || !trials || trials.length === 0) return undefined
    const reasons = trials.flatMap(({ scores }) =>
      scores.flatMap(({ scorer: by, failure, skipped }) => (by === scorer ? (failure?.message ?? skipped ?? []) : [])),
    )
    return { question: match.question, repeats: trials.map(repeatTexts), withoutScore: [...new Set(reasons)] }
  }
}

const repeatTexts = ({ repeat, stopped, answer, failure }: ShownTrial): RepeatTexts => ({
  repeat,
  stopped,
  ...(answer ? { answer } : { failure: failure?.message ?? '' }),
})
