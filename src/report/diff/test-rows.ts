import { holm } from '../../math/statistics/corrections.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { alpha, differenceOf, testOf, type Difference } from '../compare/compare-pair.ts'
import type { QuestionChange } from './question-changes.ts'
import type { KnownQuestion } from './read-run.ts'

/** The difference of two rows, after minus before, on the questions that both have a score for; without an error where no score differs. */
export interface RowTest extends Difference {
  readonly questions: number
  readonly clusters: number
  readonly means: { readonly before: number; readonly after: number }
  /** After Holm's correction over the compared rows. */
  readonly pAdjusted: number
  /** The least that it can be with so many clusters and rows. */
  readonly smallestP: number
}

/** `none`: nothing can be concluded, for the reason given. `no difference shown` does not mean equal. */
export type Verdict = 'worse' | 'better' | 'no difference shown' | 'none'

/** The test of every row, corrected over all of them; null for a row without a question that has both scores. */
export function testRows(
  rows: readonly (readonly QuestionChange[])[],
  questions: ReadonlyMap<string, KnownQuestion>,
  seed: number,
): readonly (RowTest | null)[] {
  const tests = rows.map((row) => testRow(row, questions, seed))
  const tested = tests.filter((one) => one !== null)
  const adjusted = holm(tested.map(({ p }) => p))
  // the least that each can be is where all are the least that they can be
  const smallest = holm(tested.map(({ smallestP }) => smallestP))
  return tests.map((one) => {
    if (!one) return null
    const place = tested.indexOf(one)
    return { ...one, pAdjusted: adjusted[place] ?? 1, smallestP: smallest[place] ?? 1 }
  })
}

/** What a test says. */
export function verdictOf({ difference, pAdjusted, smallestP }: RowTest): Verdict {
  if (smallestP > alpha) return 'none'
  if (pAdjusted > alpha || difference === 0) return 'no difference shown'
  return difference < 0 ? 'worse' : 'better'
}

function testRow(
  row: readonly QuestionChange[],
  questions: ReadonlyMap<string, KnownQuestion>,
  seed: number,
): Omit<RowTest, 'pAdjusted'> | null {
  const scored = row.flatMap(({ id, before, after }) =>
    before === null || after === null ? [] : [{ id, before, after }],
  )
  if (scored.length === 0) return null
  const clusters = scored.map(({ id }, index) => questions.get(id)?.cluster ?? index)
  const [before, after] = [scored.map((one) => one.before), scored.map((one) => one.after)]
  const { difference, smallestP } = differenceOf(after, before, { ...testOf([before, after], clusters), seed })
  // scores that are all equal do not say how far apart others would be
  const isEqual = difference.tie === scored.length
  return {
    ...difference,
    ...(isEqual && { error: null, low: null, high: null }),
    ...{ questions: scored.length, clusters: new Set(clusters).size, smallestP },
    means: { before: mean(before), after: mean(after) },
  }
}
