import type { Row } from '../../records.ts'
import type { Interval, TestedPair } from './compare-family.ts'
import type { Equivalence } from './t-tests.ts'

/** Pairwise differences of rows in one metric, each on the common questions of the pair. */
export interface RowComparison {
  readonly scorer: string
  readonly metric: string
  readonly alpha: number
  /** Letter of the baseline; null: all pairs are compared. */
  readonly baseline: string | null
  /** Equivalence margin as a fraction; null: equivalence is not tested. */
  readonly margin: number | null
  /** Of the pair with most questions. */
  readonly questions: number
  readonly clusters: number
  /** Questions of the pair with fewest. */
  readonly fewest: number
  /** Pairs without a common question; absent for none. */
  readonly apart?: number
  /** Rows left out because all their scores failed; absent for none. */
  readonly unscored?: readonly string[]
  /** Rows with too few human labels, where labels decide; absent for none. */
  readonly unlabelled?: readonly string[]
  readonly rows: readonly ComparedRow[]
  /** The pairs tested: the family of the correction. */
  readonly pairs: readonly Pair[]
  /** Smallest corrected p that a pair can reach; above alpha nothing can be concluded. */
  readonly smallestP: number
  /** Minimum detectable difference (80 % power, corrected): median over pairs; null where unknown. */
  readonly smallestDifference: number | null
}

export interface ComparedRow extends Row {
  readonly letter: string
  /** Over all questions with a score. */
  readonly mean: number
  readonly questions: number
  /** Letters of the rows that this row is significantly better than. */
  readonly better: readonly string[]
}

/** `a` minus `b`; `b` is the baseline where there is one. */
export interface Pair extends TestedPair, DifferenceBounds {
  readonly a: string
  readonly b: string
  readonly equivalence?: Equivalence
  /** The judge's own difference, where labels correct it. win, tie, loss and bounds are the judge's. */
  readonly labels?: { readonly questions: number; readonly judge: Interval & { readonly difference: number } }
}

/** The difference if all failed questions counted against `a`, and if all counted for it. */
export interface DifferenceBounds {
  readonly least: number
  readonly greatest: number
}

/** The letter of the significantly worse row, where `letter` is the better one. */
export function betterThan(
  letter: string,
  { a, b, difference, pAdjusted }: Pick<Pair, 'a' | 'b' | 'difference' | 'pAdjusted'>,
  level: number,
): readonly string[] {
  if (pAdjusted > level) return []
  if (letter === a && difference > 0) return [b]
  return letter === b && difference < 0 ? [a] : []
}
