import type { Row } from '../../records.ts'
import type { IndexVariance } from '../table/estimate.ts'
import type { Interval, TestedPair } from './compare-family.ts'
import type { Equivalence } from './t-tests.ts'

/** Which rows of a table differ in one metric, every pair on the questions that both have a score for. */
export interface RowComparison {
  readonly scorer: string
  readonly metric: string
  readonly alpha: number
  /** Letter of the row that every other row is compared with; null: all pairs are compared. */
  readonly baseline: string | null
  /** As published tables have it. */
  readonly alternative: 'two-sided'
  /** Rows within it count as the same, as a fraction; null where sameness is not tested. */
  readonly margin: number | null
  /** Of the pair with most questions: the questions, and their clusters. */
  readonly questions: number
  readonly clusters: number
  /** Questions of the pair with fewest. */
  readonly fewest: number
  /** Pairs without a question that both rows have a score for; absent where there is none. */
  readonly apart?: number
  /** Rows that would be compared if not every score of them had failed; absent where there is none. */
  readonly unscored?: readonly string[]
  /** Rows with too few human labels, where labels decide; absent where there is none. */
  readonly unlabelled?: readonly string[]
  readonly rows: readonly ComparedRow[]
  /** Those that are tested: the family of the correction. */
  readonly pairs: readonly Pair[]
  /** The smallest p that a pair could have after the correction; above alpha nothing can be concluded. */
  readonly smallestP: number
  /** The true difference that earns a letter with a power of .8, corrected; the median over pairs, null: not known. */
  readonly smallestDifference: number | null
}

export interface ComparedRow extends Row {
  readonly letter: string
  /** On all questions that it has a score for, and how many these are. */
  readonly mean: number
  readonly questions: number
  /** Letters of the rows that it is better than, after the correction. */
  readonly better: readonly string[]
}

/** The difference of two rows, `a` minus `b`; `b` is the baseline where there is one. */
export interface Pair extends TestedPair, DifferenceBounds {
  readonly a: string
  readonly b: string
  /** That both rows have a score for, with the means on these. */
  readonly questions: number
  readonly clusters: number
  readonly means: { readonly a: number; readonly b: number }
  readonly equivalence?: Equivalence
  /** Of a pair of which a row has several indexes: how much a mean difference varies between them. */
  readonly luck?: IndexVariance
  /**
   * Where labels correct the judge: their questions and its own difference; won, tied, lost and bounds are the judge's.
   */
  readonly labels?: { readonly questions: number; readonly judge: Interval & { readonly difference: number } }
}

/** The difference if every question that failed lessened it most, and if each raised it most. */
export interface DifferenceBounds {
  readonly least: number
  readonly greatest: number
}

/** The letter of the row that this one is better than in a pair, where the pair differs. */
export function betterThan(
  letter: string,
  { a, b, difference, pAdjusted }: Pick<Pair, 'a' | 'b' | 'difference' | 'pAdjusted'>,
  level: number,
): readonly string[] {
  if (pAdjusted > level) return []
  if (letter === a && difference > 0) return [b]
  return letter === b && difference < 0 ? [a] : []
}
