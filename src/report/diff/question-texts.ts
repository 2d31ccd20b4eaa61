import type { Reference } from '../../types.ts'
import type { DiffSide } from '../gather/outcomes.ts'
import { readQuestions, type ShownTrial } from '../show/read-questions.ts'
import type { RunDiff } from './diff-runs.ts'
import type { Change, QuestionChange } from './question-changes.ts'

/** A diff whose changed questions have their texts. */
export type DetailedDiff = Awaited<ReturnType<typeof withTexts>>

/** A question of a row; with its text, reference and the outcomes of the row in both runs where it has changed. */
export interface DetailedQuestion extends QuestionChange {
  readonly question?: string
  readonly reference?: Reference
  readonly outcomes?: Readonly<Record<'before' | 'after', QuestionOutcome>>
}

/** Outcomes of a question by repeat, and why scores failed or were skipped, without duplicates. */
export interface QuestionOutcome {
  readonly repeats: readonly Pick<ShownTrial, 'repeat' | 'stopped' | 'answer' | 'failure'>[]
  readonly withoutScore: readonly string[]
}

/** Reads trials and scores of both runs again. */
export async function withTexts({ rows, ...diff }: RunDiff, [before, after]: readonly [DiffSide, DiffSide]) {
  const changed = rows.flatMap(({ questions }) => questions.filter(({ change }) => change !== 'unchanged'))
  const idsOf = (side: 'before' | 'after') => rows.map((row) => row[side].id)
  const idsBefore = changed.map(({ id }) => id)
  const idsAfter = changed.map(({ id, afterId = id }) => afterId)
  const old = await readTexts(before, idsOf('before'), idsBefore, diff.scorer)
  const now = await readTexts(after, idsOf('after'), idsAfter, diff.scorer)
  const detailedRows = rows.map((row, index) => ({
    ...row,
    questions: row.questions.map((question): DetailedQuestion => {
      const first = old(index, question.id)
      const second = now(index, question.afterId ?? question.id)
      if (question.change === 'unchanged' || !first || !second) return question
      const { text, reference } = first.question
      const outcomes = { before: first.outcome, after: second.outcome }
      return { ...question, question: text, reference, outcomes }
    }),
  }))
  return { ...diff, rows: detailedRows }
}

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

/** Questions that changed, regressed ones first, then by size of the change. */
export const changedQuestions = (questions: readonly DetailedQuestion[]): readonly DetailedQuestion[] =>
  visibleChanges.flatMap((kind) =>
    questions.filter(({ change }) => change === kind).sort((a, b) => sizeOf(b) - sizeOf(a)),
  )

const visibleChanges: readonly Change[] = ['regressed', 'failedNow', 'fixed', 'failedBefore']

const sizeOf = ({ before, after }: DetailedQuestion) => Math.abs((after ?? 0) - (before ?? 0))
