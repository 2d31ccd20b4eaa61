import type { NamedRow, RowDiff, RunDiff } from './diff-runs.ts'
import type { DiffSide } from './pair-rows.ts'
import type { Change, QuestionChange } from './question-changes.ts'
import { questionTexts, type QuestionTexts, type Wanted } from './question-texts.ts'

/** A question with what both rows made of it. */
export interface QuestionDetail extends QuestionChange {
  readonly texts: { readonly before: QuestionTexts; readonly after: QuestionTexts }
}

/** The questions that a row got better or worse, regressed ones first, the greatest change first. */
export const changedQuestions = ({ questions }: RowDiff): readonly QuestionChange[] =>
  shown.flatMap((wanted) => questions.filter(({ change }) => change === wanted).sort((a, b) => sizeOf(b) - sizeOf(a)))

/** The chosen questions of every row with their texts, in the order chosen. Reads the trials and scores of both runs once more. */
export async function detailed(
  { rows, scorer }: RunDiff,
  [before, after]: readonly [before: DiffSide, after: DiffSide],
  choose: (row: RowDiff) => readonly QuestionChange[],
): Promise<readonly (readonly QuestionDetail[])[]> {
  const chosen = rows.map((row) => ({ row, questions: choose(row) }))
  const wantedOf = (idOf: (row: RowDiff) => NamedRow): Wanted => {
    const wanted = new Map<string, Set<string>>()
    for (const { row, questions } of chosen) {
      const { id } = idOf(row)
      wanted.set(id, new Set([...(wanted.get(id) ?? []), ...questions.map((question) => question.id)]))
    }
    return wanted
  }
  const old = await questionTexts(
    before,
    wantedOf((row) => row.before),
    scorer,
  )
  const now = await questionTexts(
    after,
    wantedOf((row) => row.after),
    scorer,
  )
  return chosen.map(({ row, questions }) =>
    questions.flatMap((question) => {
      const texts = { before: old(row.before.id, question.id), after: now(row.after.id, question.id) }
      return texts.before && texts.after ? [{ ...question, texts: { before: texts.before, after: texts.after } }] : []
    }),
  )
}

const shown: readonly Change[] = ['regressed', 'failedNow', 'fixed', 'failedBefore']

const sizeOf = ({ before, after }: QuestionChange): number => Math.abs((after ?? 0) - (before ?? 0))
