import type { DiffSide } from '../gather/outcomes.ts'
import { readQuestions } from '../show/read-questions.ts'
import type { RowDiff, RunDiff } from './diff-runs.ts'
import type { Change, QuestionChange } from './question-changes.ts'

/** A question with the outcomes of a row by repeat, and why scores failed or were skipped, without duplicates. */
export type QuestionTexts = NonNullable<ReturnType<Awaited<ReturnType<typeof readTexts>>>>

export interface QuestionDetail extends QuestionChange {
  readonly texts: Readonly<Record<'before' | 'after', QuestionTexts>>
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
  const ids = questions.map(({ id }) => id)
  const idsAfter = questions.map(({ id, afterId = id }) => afterId)
  const old = await readTexts(before, new Set(rows.map((row) => row.before.id)), ids, scorer)
  const now = await readTexts(after, new Set(rows.map((row) => row.after.id)), idsAfter, scorer)
  return selection.map(({ row, questions: selectedQuestions }) =>
    selectedQuestions.flatMap((question) => {
      const first = old(row.before.id, question.id)
      const second = now(row.after.id, question.afterId ?? question.id)
      return first && second ? [{ ...question, texts: { before: first, after: second } }] : []
    }),
  )
}

/** Texts of a row and question; undefined where there is no trial. `stopped`: what ended the context. */
async function readTexts(run: DiffSide, rows: ReadonlySet<string>, ids: readonly string[], scorer: string) {
  const methods = run.manifest.methods.filter(({ id }) => rows.has(id))
  const questions = await readQuestions(run, methods, [...new Set(ids)], false)
  const byId = new Map(questions.map((question) => [question.question.id, question]))
  return (row: string, name: string) => {
    const match = byId.get(name)
    const trials = match?.rows[methods.findIndex(({ id }) => id === row)]?.trials ?? []
    if (!match || trials.length === 0) return undefined
    const scores = trials.flatMap((trial) => trial.scores.filter((score) => score.scorer === scorer))
    const withoutScore = scores.flatMap(({ failure, skipped }) => failure?.message ?? skipped ?? [])
    return {
      question: match.question,
      repeats: trials.map(({ repeat, stopped, answer, failure }) => ({
        repeat,
        stopped,
        ...(answer && { answer }),
        ...(failure && { failure }),
      })),
      withoutScore: [...new Set(withoutScore)],
    }
  }
}
