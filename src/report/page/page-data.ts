import type { Change } from '../diff/question-changes.ts'

/** Questions per part. */
export const perPart = 50

/** What the page's script reads at once; details of questions are HTML, a list in each part. */
export interface PageData {
  readonly rows: readonly PageRow[]
  readonly metrics: readonly PageMetric[]
  readonly questions: readonly ListedQuestion[]
  /** Rows compared between two runs; empty for one run. */
  readonly changes: readonly { readonly name: string }[]
}

/** A row of one run. */
export interface PageRow {
  readonly name: string
  /** Whether it is not compared. */
  readonly isReference: boolean
  /** Whether it answers without context. */
  readonly isClosedBook: boolean
}

/** Why there is no score: a failure, the scorer skipped it, or there is no trial. */
export type NoScore = 'failed' | 'declined' | 'not asked'

/** `right`: the least score that counts as right, half of the range; null without a range. */
export interface PageMetric {
  readonly scorer: string
  readonly metric: string
  readonly name: string
  readonly right: number | null
  readonly range: readonly [number, number]
}

export interface ListedQuestion {
  readonly id: string
  /** Empty if texts are omitted. */
  readonly text: string
  /** By metric, then row. */
  readonly scores: readonly (readonly (number | NoScore)[])[]
  /** By compared row; null if not compared. */
  readonly changes: readonly (Change | null)[]
}
