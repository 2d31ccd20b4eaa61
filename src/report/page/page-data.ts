import type { Message, Question } from '../../types.ts'
import type { Change } from '../diff/question-changes.ts'
import type { ShownTrial } from '../show/read-questions.ts'

/** What the page's script reads at once; details of questions are in parts. */
export interface PageData {
  readonly rows: readonly PageRow[]
  readonly metrics: readonly PageMetric[]
  readonly questions: readonly ListedQuestion[]
  /** Rows compared between two runs; empty for one run. */
  readonly changes: readonly { readonly name: string }[]
  /** Questions per part. */
  readonly perPart: number
  /** Addresses of the pages of parts; absent if the parts are in this page. */
  readonly files?: readonly string[]
  readonly firstPart: number
  /** Address of the main page; absent in the main page. */
  readonly home?: string
}

/** A row of one run. `reference`: not compared; `closedBook`: answers without context. */
export interface PageRow {
  readonly name: string
  readonly reference?: true
  readonly closedBook?: true
  /** Graph pages of the row; addresses are relative to the main page. */
  readonly graphs?: readonly { readonly corpus: string; readonly address: string }[]
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

/** A question with the trials of every row. */
export interface PartQuestion {
  /** Absent if texts are omitted. */
  readonly question?: Question
  readonly rows: readonly (readonly PartTrial[])[]
  /** The prompt with `contextMark`, and without context; null if this version's prompt differs. */
  readonly prompts: { readonly filled: readonly Message[]; readonly empty: readonly Message[] } | null
}

/** `ended`: why the context ended; `prompted`: whether a model received the run's prompt. */
export interface PartTrial extends ShownTrial {
  readonly ended: string
  readonly prompted: boolean
}

/** Stands for the context in a prompt; unlikely in any dataset. */
export const contextMark = '\u2063the context\u2063'
