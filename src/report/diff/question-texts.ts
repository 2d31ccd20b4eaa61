import type { DiffSide } from '../gather/outcomes.ts'
import { readQuestions } from '../show/read-questions.ts'
import type { RowDiff, RunDiff } from './diff-runs.ts'
import type { Change, QuestionChange } from './question-changes.ts'

/** A changed question with its text and reference, and the outcomes of the row in both runs. */
export type QuestionDetail = Awaited<ReturnType<typeof questionDetails>>[number][number]

/** Outcomes of a question by repeat, and why scores failed or were skipped, without duplicates. */
export type QuestionOutcome = QuestionDetail['outcomes']['before']

/** Questions that changed, regressed ones first, then by size of the change. */
export const changedQuestions = <Q extends QuestionChange>({
  questions,
}: {
  readonly questions: readonly Q[]
}): readonly Q[] =>
  visibleChanges.flatMap((kind) =>
    questions.filter(({ change }) => change === kind).sort((a, b) => sizeOf(b) - sizeOf(a)),
  )

const visibleChanges: readonly Change[] = ['regressed', 'failedNow', 'fixed', 'failedBefore']

const sizeOf = ({ before, after }: QuestionChange) => Math.abs((after ?? 0) - (before ?? 0))

/** Selected questions of every row with their texts. Reads trials and scores again. */
export async function questionDetails(
  { rows, scorer }: RunDiff,
  [before, after]: readonly [before: DiffSide, after: DiffSide],
  choose: (row: RowDiff) => readonly QuestionChange[],
) {
  const selections = rows.map(choose)
  const changes = selections.flat()
  const idsOf = (side: 'before' | 'after') => rows.map((row) => row[side].id)
  const old = await readTexts(before, idsOf('before'), changes.map(idBefore), scorer)
  const now = await readTexts(after, idsOf('after'), changes.map(idAfter), scorer)
  return selections.map((questions, row) =>
    questions.flatMap((change) => {
      const first = old(row, idBefore(change))
      const second = now(row, idAfter(change))
      if (!first || !second) return []
      const { text, reference } = first.question
      const outcomes = { before: first.outcome, after: second.outcome }
      return [{ ...change, question: text, reference, outcomes }]
    }),
  )
}

const idBefore = ({ id }: QuestionChange) => id

const idAfter = ({ id, afterId = id }: QuestionChange) => afterId

/** Texts of a question in the row at an index; undefined where there is no trial. `stopped`: what ended the context. */
async function readTexts(run: DiffSide, rows: readonly string[], ids: readonly string[], scorer: string) {
  const methods = rows.flatMap((row) => run.manifest.methods.find(({ id }) => id === row) ?? [])
  const questions = await readQuestions(run, methods, [...new Set(ids)], false)
  const byId = new Map(questions.map((question) => [question.question.id, question]))
  return (row: number, id: string) => {
    const match = byId.get(id)
    const trials = match?.rows[row]?.trials ?? []
    if (!match || trials.length === 0) return undefined
    const scores = trials.flatMap((trial) => trial.scores.filter((score) => score.scorer === scorer))
    const withoutScore = new Set(scores.flatMap(({ failure, skipped }) => failure?.message ?? skipped ?? []))
    const repeats = trials.map(({ repeat, stopped, answer, failure }) => ({
      repeat,
      stopped,
      ...(answer && { answer }),
      ...(failure && { failure }),
    }))
    return { question: match.question, outcome: { repeats, withoutScore: [...withoutScore] } }
  }
}
