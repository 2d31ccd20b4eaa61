import type { Question } from '../../types.ts'
import type { DiffSide } from '../gather/outcomes.ts'
import { readQuestions, type ShownTrial } from '../show/read-questions.ts'
import type { NamedRow, RowDiff, RunDiff } from './diff-runs.ts'
import type { Change, QuestionChange } from './question-changes.ts'

/** Outcomes of a row by repeat, and why scores failed or were skipped, without duplicates. */
export interface QuestionTexts {
  readonly question: Question
  /** Either `answer` or `failure`; `stopped`: what ended the context. */
  readonly repeats: readonly Pick<ShownTrial, 'repeat' | 'stopped' | 'answer' | 'failure'>[]
  readonly withoutScore: readonly string[]
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
  const questions = selection.flatMap((entry) => entry.questions)
  const idAfter = ({ id, afterId = id }: QuestionChange): string => afterId
  const old = await readTexts(
    before,
    rows.map((row) => row.before),
    questions.map(({ id }) => id),
    scorer,
  )
  const now = await readTexts(
    after,
    rows.map((row) => row.after),
    questions.map(idAfter),
    scorer,
  )
  return selection.map(({ row, questions: selectedQuestions }) =>
    selectedQuestions.flatMap((question) => {
      const first = old(row.before, question.id)
      const second = now(row.after, idAfter(question))
      return first && second ? [{ ...question, texts: { before: first, after: second } }] : []
    }),
  )
}

/** Texts of a row and question; undefined where there is no trial. */
async function readTexts(
  run: DiffSide,
  rows: readonly NamedRow[],
  ids: readonly string[],
  scorer: string,
): Promise<(row: NamedRow, question: string) => QuestionTexts | undefined> {
  const methods = run.manifest.methods.filter(({ id }) => rows.some((row) => row.id === id))
  const questions = await readQuestions(run, methods, [...new Set(ids)], false)
  const byId = new Map(questions.map((question) => [question.question.id, question]))
  return ({ id }, name) => {
    const match = byId.get(name)
    const trials = match?.rows[methods.findIndex((method) => method.id === id)]?.trials ?? []
    if (!match || trials.length === 0) return undefined
    const scores = trials.flatMap((trial) => trial.scores.filter((score) => score.scorer === scorer))
    return {
      question: match.question,
      repeats: trials.map(({ repeat, stopped, answer, failure }) => ({
        repeat,
        stopped,
        ...(answer && { answer }),
        ...(failure && { failure }),
      })),
      withoutScore: [...new Set(scores.flatMap(({ failure, skipped }) => failure?.message ?? skipped ?? []))],
    }
  }
}
