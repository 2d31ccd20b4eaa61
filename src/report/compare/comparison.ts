import type { Alternative } from '../../math/statistics/descriptive.ts'
import type { Row } from '../../records.ts'
import type { Difference } from './compare-pair.ts'

/** Which rows of a table differ in one metric, on the questions that all of them have a score for. */
export interface RowComparison {
  readonly scorer: string
  readonly metric: string
  readonly alpha: number
  /** Letter of the row that every other row is compared with; null: all pairs are compared. */
  readonly baseline: string | null
  /** Of a row against the baseline. */
  readonly alternative: Alternative
  /** Rows within it count as the same, as a fraction; null where sameness is not tested. */
  readonly margin: number | null
  /** Questions that every row has a score for, and their clusters. */
  readonly questions: number
  readonly clusters: number
  /** Questions that not every row has a score for, those that failed in all of them among them. */
  readonly dropped: number
  /** Rows that would be compared if not every score of them had failed; absent where there is none. */
  readonly unscored?: readonly string[]
  readonly rows: readonly ComparedRow[]
  /** Those that are tested: the family of Holm's correction. */
  readonly pairs: readonly Pair[]
  /** The smallest p that a pair could have after Holm's correction; above alpha nothing can be concluded. */
  readonly smallestP: number
  /** The median over pairs of the true difference that one test at alpha detects with a power of .8; null where no error is known. */
  readonly smallestDifference: number | null
}

export interface ComparedRow extends Row {
  readonly letter: string
  /** On the compared questions. */
  readonly mean: number
  /** Letters of the rows that it is better than, after Holm's correction. */
  readonly better: readonly string[]
}

/** The difference of two rows, `a` minus `b`; `b` is the baseline where there is one. */
export interface Pair extends Difference, DifferenceBounds {
  readonly a: string
  readonly b: string
  readonly pAdjusted: number
  /** The test of sameness (TOST), and its p after Holm's correction of the same family; null where the pair gives no error. */
  readonly equivalence?: { readonly p: number | null; readonly pAdjusted: number | null }
}

/** The difference if every question that failed in one row had the score that lessens it most, and if each had the one that raises it most. */
interface DifferenceBounds {
  readonly least: number
  readonly greatest: number
}

/** A row's scores by question, and the questions of which one failed. */
export interface RowScores {
  readonly scores: ReadonlyMap<number, number>
  readonly failed: ReadonlySet<number>
}

/**
 * Bounds of the mean of a - b over the compared questions and those that failed in one of the two rows, whose scores may be anything from
 * `least` to `greatest`. What a scorer declined is no failure, and is left out.
 */
export function differenceBounds(
  a: RowScores,
  b: RowScores,
  compared: readonly number[],
  [least, greatest]: readonly [number, number],
): DifferenceBounds {
  const wasAsked = ({ scores, failed }: RowScores, question: number): boolean =>
    scores.has(question) || failed.has(question)
  const lost = [...new Set([...a.failed, ...b.failed])].filter(
    (question) => !(a.scores.has(question) && b.scores.has(question)) && wasAsked(a, question) && wasAsked(b, question),
  )
  const questions = [...compared, ...lost]
  const mean = (ofA: number, ofB: number): number =>
    questions.reduce((sum, one) => sum + (a.scores.get(one) ?? ofA) - (b.scores.get(one) ?? ofB), 0) / questions.length
  return { least: mean(least, greatest), greatest: mean(greatest, least) }
}
