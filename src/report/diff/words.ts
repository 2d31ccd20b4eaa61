import { countEach } from '../../basics/collections.ts'
import type { Stop } from '../../records.ts'
import type { Answer, Question, Reference } from '../../types.ts'
import { listing, plural, present, questionsIn } from '../../text/amounts.ts'
import { toPoints } from '../render/columns.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { readQuestions, type ShownTrial } from '../show/read-questions.ts'
import { whyEmpty } from '../show/messages.ts'
import type { RowDiff, RunDiff, RowTest, Verdict, NamedRow } from './diff-runs.ts'
import type { DiffSide } from './read-run.ts'
import { changeNames, type Change, type QuestionChange, type TouchedQuestion } from './question-changes.ts'
import { listed } from './run-differences.ts'

/** Questions by change, a row a pair; what happened in no row and is no plain outcome has no column. */
export function changesGrid({ rows }: RunDiff): TextTable {
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

/** What is concluded in one sentence. */
export function changeSentence({ rows }: RunDiff): string {
  const said = [
    ['worse', 'Worse'],
    ['better', 'Better'],
    ['no difference shown', 'No difference shown'],
    ['none', 'No verdict'],
  ] as const
  const parts = said.flatMap(([verdict, words]) => {
    const names = rows.flatMap((row) => (row.verdict === verdict ? [row.name] : []))
    const shown = names.length > mostNamed ? plural(names.length, 'row') : names.join(', ')
    return present(names.length > 0 && `${words}: ${shown}.`)
  })
  return parts.join(' ')
}

/** More rows than these are counted. */
const mostNamed = 3

/** What is concluded of every row, with the figures that it rests on. */
export function testLines({ rows }: RunDiff): readonly string[] {
  const isOpen = rows.some(({ verdict }) => verdict === 'no difference shown')
  return present(
    rows.map((row) => testLine(row, rows.length)),
    isOpen &&
      'No difference shown does not mean equal: the interval says which differences remain plausible, where there is one.',
  )
}

function testLine({ name, verdict, reason, test }: RowDiff, rows: number): string {
  const words = verdict === 'none' ? `no verdict: ${reason ?? ''}` : verdict
  return `${name}: ${words}${test ? `; ${figuresOf(test, verdict, rows)}` : ''}.`
}

function figuresOf(
  { difference, low, high, simultaneous, questions, clusters, test, p, pAdjusted, luck }: RowTest,
  verdict: Verdict,
  rows: number,
): string {
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${toPoints(Math.abs(value))}`
  const together =
    rows > 1 && simultaneous.low !== null && simultaneous.high !== null
      ? `; ${signed(simultaneous.low)} to ${signed(simultaneous.high)} together with the other rows`
      : ''
  const interval = low === null || high === null ? '' : ` (95 % interval ${signed(low)} to ${signed(high)}${together})`
  const byT = test === 't'
  const correction = byT ? 'Holm' : 'Westfall–Young'
  const corrected = rows > 1 ? `, ${probability(pAdjusted)} corrected over ${rows} rows (${correction})` : ''
  const name = byT ? 't test' : test === 'McNemar' ? "McNemar's exact test" : 'paired sign flips'
  const lucky = luck
    ? luck.deviation === null
      ? `; the luck of ${plural(luck.indexes, 'index', 'indexes')} is not in the error: that takes three`
      : `; with the luck of ${luck.indexes} indexes in the error`
    : ''
  const tested = verdict === 'none' ? '' : `, ${probability(p)} (${name})${corrected}${lucky}`
  return `after minus before ${signed(difference)} points${interval} on ${questionsIn({ questions, clusters })}${tested}`
}

const probability = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${p.toFixed(4)}`)

/** What a reader of the figures must know, a line each. */
export function diffNotes({
  synthetic,
  differences,
  incomparable,
  unfinished,
  documents,
  rows,
  ...left
}: RunDiff): readonly string[] {
  return present(
    documentsNote(documents),
    synthetic.map((note) => `${note}.`),
    differences.length > 0 && `The runs differ in: ${listed(differences)}.`,
    incomparable.map((reason) => `The scores cannot be compared: ${reason}.`),
    unfinished.map((run) => `${run} has not ended: run its config again to resume.`),
    rowsNote('Only before', left.onlyBefore),
    rowsNote('Only after', left.onlyAfter),
    rowsNote('Without a common question that has a score', left.notScored),
    rows.flatMap(rowNotes),
  )
}

function documentsNote(documents: RunDiff['documents']): readonly string[] {
  if (documents === undefined) return []
  if (documents === null)
    return ['The files of the dataset differ; a run does not hold which documents it read, so that none can be named.']
  const parts = Object.entries(documents).flatMap(([change, names]) =>
    names.length === 0 ? [] : [`${plural(names.length, 'document')} ${change} (${listing(names)})`],
  )
  const found = parts.length === 0 ? 'no document changed' : parts.join(', ')
  return [`The files of the dataset differ: ${found}. Questions of equal text and reference are compared.`]
}

/** `leave.md was edited (evidence), old.md was removed`. */
export const documentWords = (documents: QuestionChange['documents'] = []): string =>
  documents
    .map(({ document, change, evidence }) => `${document} was ${change}${evidence ? ' (evidence)' : ''}`)
    .join(', ')

const rowsNote = (what: string, names: readonly string[]): readonly string[] =>
  names.length > 0 ? [`${what}: ${names.join(', ')}.`] : []

function rowNotes(row: RowDiff): readonly string[] {
  const notes = present(
    row.differences.length > 0 && `differs in: ${listed(row.differences)}`,
    row.missing.length > 0 && missingWords(row),
    row.evidenceGone.length > 0 &&
      `${plural(row.evidenceGone.length, 'question')} compared whose evidence is gone: ${listing(row.evidenceGone.map(touchedWords))}`,
    row.onlyAfter > 0 && `${plural(row.onlyAfter, 'question')} asked after only`,
    row.partlyFailed > 0 &&
      `${plural(row.partlyFailed, 'question')} scored without the repeats or judge runs that failed`,
  )
  return notes.length > 0 ? [`${row.name}: ${notes.join('; ')}.`] : []
}

/** `6 questions are not in the second run: 3 (leave.md was edited (evidence)), 4`, for each reason. */
export function missingWords({ missing }: Pick<RowDiff, 'missing'>): string {
  const reasons = [
    ['notAsked', 'not in the second run'],
    ['changed', 'with another text or reference in the second run'],
    ['noScore', 'with a score before and none now'],
  ] as const
  const parts = reasons.flatMap(([reason, words]) => {
    const found = missing.filter(({ why }) => why === reason)
    return present(
      found.length > 0 && `${plural(found.length, 'question')} ${words}: ${listing(found.map(touchedWords))}`,
    )
  })
  return parts.join('; ')
}

const touchedWords = ({ id, documents }: TouchedQuestion): string =>
  documents.length === 0 ? id : `${id} (${documentWords(documents)})`

/** A score of a question, or a dash. */
export const scoreShown = (score: number | null): string => (score === null ? '–' : String(Number(score.toFixed(3))))

/** What a row answered in its repeats, equal outcomes once with their number, and why there is no score. */
export function outcomeLines({ question, repeats, withoutScore }: QuestionTexts): readonly string[] {
  const texts = repeats.map(({ answer, failure = '', stopped }) =>
    answer ? answerShown(answer, question.reference, stopped) : `failed: ${failure}`,
  )
  return [
    ...Array.from(countEach(texts), ([text, count]) =>
      repeats.length > 1 ? `${text} (${count} of ${repeats.length})` : text,
    ),
    ...withoutScore.map((reason) => `no score: ${reason}`),
  ]
}

function answerShown({ text, choice, canned }: Answer, reference: Reference, stopped: Stop): string {
  if (canned) return `${text === '' ? 'no answer' : text} (${whyEmpty(stopped)})`
  if (reference.kind !== 'choice') return text === '' ? 'an empty answer' : text
  return choice == null ? `no option could be read from: ${text}` : option(reference, choice)
}

const option = ({ options }: Extract<Reference, { kind: 'choice' }>, index: number): string =>
  `${index + 1}. ${options[index] ?? ''}`

/** What a row made of a question: an outcome a repeat, and why scores failed or were declined, each reason once. */
interface QuestionTexts {
  readonly question: Question
  readonly repeats: readonly RepeatTexts[]
  readonly withoutScore: readonly string[]
}

/** Exactly one of `answer` and `failure`; `stopped` is what ended the context. */
interface RepeatTexts extends Pick<ShownTrial, 'repeat' | 'stopped' | 'answer'> {
  readonly failure?: string
}

/** A question with what both rows made of it. */
export interface QuestionDetail extends QuestionChange {
  readonly texts: { readonly before: QuestionTexts; readonly after: QuestionTexts }
}

/** The questions that a row got better or worse, regressed ones first, the greatest change first. */
export const changedQuestions = ({ questions }: RowDiff): readonly QuestionChange[] =>
  shown.flatMap((wanted) => questions.filter(({ change }) => change === wanted).sort((a, b) => sizeOf(b) - sizeOf(a)))

const shown: readonly Change[] = ['regressed', 'failedNow', 'fixed', 'failedBefore']

const sizeOf = ({ before, after }: QuestionChange): number => Math.abs((after ?? 0) - (before ?? 0))

/** The chosen questions of every row with their texts. Reads the trials and scores of both runs once more. */
export async function detailed(
  { rows, scorer }: RunDiff,
  [before, after]: readonly [before: DiffSide, after: DiffSide],
  choose: (row: RowDiff) => readonly QuestionChange[],
): Promise<readonly (readonly QuestionDetail[])[]> {
  const chosen = rows.map((row) => ({ row, questions: choose(row) }))
  const idsOf = (id: (question: QuestionChange) => string): readonly string[] => [
    ...new Set(chosen.flatMap(({ questions }) => questions.map(id))),
  ]
  const idAfter = ({ id, afterId = id }: QuestionChange): string => afterId
  const rowsOf = (side: 'before' | 'after') => rows.map((row) => row[side])
  const idsBefore = idsOf(({ id }) => id)
  const old = await textsIn(before, rowsOf('before'), idsBefore, scorer)
  const now = await textsIn(after, rowsOf('after'), idsOf(idAfter), scorer)
  return chosen.map(({ row, questions }) =>
    questions.flatMap((question) => {
      const texts = { before: old(row.before, question.id), after: now(row.after, idAfter(question)) }
      return texts.before && texts.after ? [{ ...question, texts: { before: texts.before, after: texts.after } }] : []
    }),
  )
}

/** What rows of a run made of questions; undefined where a row was not asked. */
async function textsIn(
  run: DiffSide,
  rows: readonly NamedRow[],
  ids: readonly string[],
  scorer: string,
): Promise<(row: NamedRow, question: string) => QuestionTexts | undefined> {
  const methods = run.manifest.methods.filter(({ id }) => rows.some((row) => row.id === id))
  const found = await readQuestions(run, methods, ids, false)
  const byId = new Map(found.map((one) => [one.question.id, one]))
  return ({ id }, name) => {
    const one = byId.get(name)
    const trials = one?.rows[methods.findIndex((method) => method.id === id)]?.trials
    if (!one || !trials || trials.length === 0) return undefined
    const reasons = trials.flatMap(({ scores }) =>
      scores.flatMap(({ scorer: by, failure, skipped }) => (by === scorer ? (failure?.message ?? skipped ?? []) : [])),
    )
    return { question: one.question, repeats: trials.map(repeatTexts), withoutScore: [...new Set(reasons)] }
  }
}

const repeatTexts = ({ repeat, stopped, answer, failure }: ShownTrial): RepeatTexts => ({
  repeat,
  stopped,
  ...(answer ? { answer } : { failure: failure?.message ?? '' }),
})
