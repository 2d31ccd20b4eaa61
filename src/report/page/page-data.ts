import type { Failure } from '../../records.ts'
import type { Answer, Message } from '../../types.ts'
import type { Change } from '../diff/question-changes.ts'
import type { ShownScore } from '../show/shown-question.ts'
import type { Labelled } from '../show/words.ts'

/** What the code of a report page reads at once; all else of a question stands in a part. */
export interface PageData {
  readonly rows: readonly PageRow[]
  readonly metrics: readonly PageMetric[]
  readonly questions: readonly ListedQuestion[]
  /** Rows of two runs; none where the page shows one run. */
  readonly changes: readonly RowChanges[]
  /** Questions in a part; the last may have fewer. */
  readonly perPart: number
  /** Addresses of the pages that hold the parts, one each; absent where the parts stand in this page. */
  readonly files?: readonly string[]
  readonly firstPart: number
  /** Address of the page of all questions; absent where this is it. */
  readonly home?: string
  readonly withoutTexts?: true
}

/** A row of one of the runs. `reference`: for orientation alone; `closedBook`: it answers without a context. */
export interface PageRow {
  readonly name: string
  readonly run: number
  readonly reference?: true
  readonly closedBook?: true
  readonly graphs?: readonly RowGraph[]
}

/** A page that shows what a row built of a corpus, and its address as seen from this one. */
export interface RowGraph {
  readonly corpus: string
  readonly address: string
}

/** Why there is no score: a trial or a score failed, the scorer declined, or the row was not asked. */
export type NoScore = 'failed' | 'declined' | 'not asked'

/** Scores by question and row. From `right` on, half of the range, an answer counts as right; null without a range. */
export interface PageMetric {
  readonly scorer: string
  readonly metric: string
  readonly name: string
  readonly right: number | null
  /** Least and greatest score. */
  readonly range: readonly [number, number]
  readonly scores: readonly (readonly (number | NoScore)[])[]
}

export interface ListedQuestion {
  readonly id: string
  /** Empty where texts are left out. */
  readonly text: string
}

/** A row before and after; `changes` by question, null where the two are not compared. */
export interface RowChanges {
  readonly name: string
  readonly changes: readonly (Change | null)[]
}

/** A number of questions with everything that is known of them. */
export interface PagePart {
  /** Every text of a passage once. */
  readonly texts: readonly string[]
  /** What methods ranked beyond the budget, each once. */
  readonly ranked: readonly RankedSource[]
  readonly questions: readonly PartQuestion[]
}

/** A passage beyond the budget. `head`: its kind and chunks; `text`: as in PartPassage, null also where not known. */
export interface RankedSource {
  readonly head: string
  readonly text: number | null
}

export interface PartQuestion {
  /** In which documents it is asked. */
  readonly corpus: string
  /** Of a multiple-choice question, in order; empty for others, and where texts are left out. */
  readonly options: readonly string[]
  readonly about: readonly Labelled[]
  /** What supports an answer, word for word; empty for a whole document. */
  readonly evidence: readonly string[]
  readonly rows: readonly (readonly PartTrial[])[]
  /** The prompt with `contextMark`, and without a context; null where this version has other words. */
  readonly prompts: Prompts | null
}

export interface Prompts {
  readonly filled: readonly Message[]
  readonly empty: readonly Message[]
}

/** Exactly one of `answer` and `failure`. */
export interface PartTrial {
  readonly repeat: number
  readonly answer?: Answer
  /** Why the answer is a fixed one, in words; absent where a model or the method gave it. */
  readonly fixed?: string
  readonly failure?: Failure
  readonly scores: readonly ShownScore[]
  readonly context: readonly PartPassage[]
  /** Numbers among the `ranked` of the part, in the order of their rank, which follows the context. */
  readonly beyond: readonly number[]
  /** Places in `beyond`, from 0, that hold evidence, and which. */
  readonly beyondEvidence: readonly (readonly [place: number, evidence: readonly number[]])[]
  readonly ended: string
  readonly cost: string
  /** Whether a model was asked with the prompt of the run. */
  readonly prompted: boolean
}

/** `text`: its number among the texts of the part; null where it is left out. */
export interface PartPassage {
  readonly text: number | null
  /** Where it comes from, its score, its tokens. */
  readonly head: string
  /** The evidence that it holds, from 0. */
  readonly evidence: readonly number[]
  readonly order?: number
  /** What the method says of its choice, a line each. */
  readonly why: readonly string[]
}

/** Stands in a prompt for the context: no text of a dataset is likely to hold it. */
export const contextMark = '\u2063the context\u2063'
