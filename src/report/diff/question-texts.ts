import { itemAt } from '../../basics/collections.ts'
import type { Reference } from '../../types.ts'
import type { DiffSide } from '../gather/outcomes.ts'
import { readQuestions, type ShownQuestion, type ShownTrial } from '../show/read-questions.ts'
import type { RunDiff } from './diff-runs.ts'
import type { Change, QuestionChange } from './question-changes.ts'

/** A diff whose changed questions have their texts. */
export type DetailedDiff = Awaited<ReturnType<typeof withTexts>>

/** A question of a row; with its text, reference and the row's trials of both runs where it has changed. */
export interface DetailedQuestion extends QuestionChange {
  readonly question?: string
  readonly reference?: Reference
  readonly trials?: Readonly<Record<'before' | 'after', readonly Omit<ShownTrial, 'context'>[]>>
}

/** Reads trials and scores of both runs again. */
export async function withTexts({ rows, ...diff }: RunDiff, [before, after]: readonly [DiffSide, DiffSide]) {
  const changes = rows.flatMap(({ questions }) => questions.filter(({ change }) => change !== 'unchanged'))
  const idsOf = (side: 'before' | 'after') => rows.map((row) => row[side].id)
  const idsBefore = changes.map(({ id }) => id)
  const idsAfter = changes.map(({ id, afterId = id }) => afterId)
  const old = await readTexts(before, idsOf('before'), idsBefore)
  const now = await readTexts(after, idsOf('after'), idsAfter)
  const detailedRows = rows.map((row, index) => ({
    ...row,
    questions: row.questions.map((question): DetailedQuestion => {
      const first = old.get(question.id)
      const second = now.get(question.afterId ?? question.id)
      if (question.change === 'unchanged' || !first || !second) return question
      const { text, reference } = first.question
      const trialsIn = ({ rows: shownRows }: ShownQuestion) =>
        itemAt(shownRows, index).trials.map(({ context: _context, ...trial }) => trial)
      const trials = { before: trialsIn(first), after: trialsIn(second) }
      return { ...question, question: text, reference, trials }
    }),
  }))
  return { ...diff, rows: detailedRows }
}

/** Questions by id, with the trials of the rows. */
async function readTexts(run: DiffSide, rows: readonly string[], ids: readonly string[]) {
  const methods = rows.flatMap((row) => run.manifest.methods.find(({ id }) => id === row) ?? [])
  const questions = await readQuestions(run, methods, [...new Set(ids)], false)
  return new Map(questions.map((question) => [question.question.id, question]))
}

/** Questions that changed, regressed ones first, then by size of the change. */
export const changedQuestions = (questions: readonly DetailedQuestion[]): readonly DetailedQuestion[] =>
  visibleChanges.flatMap((kind) =>
    questions.filter(({ change }) => change === kind).sort((a, b) => sizeOf(b) - sizeOf(a)),
  )

const visibleChanges: readonly Change[] = ['regressed', 'failedNow', 'fixed', 'failedBefore']

const sizeOf = ({ before, after }: DetailedQuestion) => Math.abs((after ?? 0) - (before ?? 0))
