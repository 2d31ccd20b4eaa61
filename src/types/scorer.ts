import type { ScorerColumn } from '../records/entries.ts'
import type { ContextPassage, RankedPassage } from '../records/passage.ts'
import type { Kind, Question } from '../records/question.ts'
import type { Answer, EvidencePlace } from '../records/lines.ts'
import type { PlugInFields } from './dataset.ts'
import type { Method } from './method.ts'
import type { AnyTask, Models } from './model.ts'

/** The input of a scorer. `relevant`: all chunks with evidence; `ranked`: false without a ranking. */
export interface ScorerInput {
  readonly question: Question
  readonly context: readonly ContextPassage[]
  /** Empty where the run has no answers: then only scorers that read none run. */
  readonly answer: Answer
  /** In runs without answers: the ranking to the depth of the budget, context first. */
  readonly ranking?: readonly RankedPassage[]
  readonly relevant?: readonly string[]
  /** The grades of these chunks, in their order; absent where all are 1. */
  readonly grades?: readonly number[]
  readonly ranked?: false
  /** For scorers that need them; constant over a run. */
  readonly references?: readonly string[]
  /** For scorers that need it; the answer of a failed trial is empty. */
  readonly outcome?: Outcome
  /** For scorers that need them. */
  readonly opponents?: readonly Opponent[]
}

/** Another system's answer in the same repeat; absent where its trial has none. */
export interface Opponent {
  readonly row: string
  readonly answer?: Answer
}

/** The rating of an answer: the mean over judge runs, by the scorer's label. */
export interface RatedScore {
  readonly scorer: string
  readonly value: number
}

/**
 * The outcome of a trial. `scores`: of rating scorers, in config order. `oracle`: those of the oracle's answer, and its
 * text; absent without one, or where the method answers itself. `evidence`: absent in trials of earlier versions.
 * `deep`: whether the ranking beyond the budget is known.
 */
export interface Outcome {
  readonly failed?: true
  readonly context?: Method['context']
  readonly isOracle?: true
  readonly scores: readonly RatedScore[]
  readonly oracle?: { readonly scores: readonly RatedScore[]; readonly answer: string }
  readonly evidence?: readonly EvidencePlace[]
  readonly deep: boolean
}

/**
 * Inputs besides the trial: token vectors, the reference texts of all questions, the answers of rows by name or of
 * `all` comparable ones, or the `outcome` (then it runs after other scorers, and for failed trials too). Changes of
 * these invalidate scores.
 */
export interface ScorerNeeds {
  readonly tokens?: boolean
  readonly references?: boolean
  readonly outcome?: boolean
  readonly opponents?: 'all' | readonly string[]
}

/** Scores of one answer, by metric; `subsets` are added to the question's tags; `parts` are details for readers. */
export interface Scored {
  readonly metrics: Readonly<Record<string, number>>
  readonly subsets?: readonly string[]
  readonly parts?: Readonly<Record<string, unknown>>
}

/** Scores, or the reason why the scorer does not apply. */
export type Score = Scored | { readonly skipped: string }

// declared as a method so that a scorer may name the type of its own options
interface ColumnsByOptions<O> {
  columns(options: O): readonly ScorerColumn[]
}

/** A scorer. Changes of its numbers raise `version`. */
export interface Scorer<O = unknown, I = unknown> extends PlugInFields<O, I> {
  readonly version: number
  readonly source: string
  readonly kinds: readonly Kind[]
  /** Whether it uses a model, and so may run several times per answer. */
  readonly judge?: true
  /** Every task that it may run, as in `Method`. */
  readonly tasks?: readonly AnyTask[]
  /** Metric ranges, by name up to `@`; default 0 to 1. Scores outside are failures. */
  readonly ranges?: Readonly<Record<string, readonly [least: number, greatest: number]>>
  /** Not a default scorer; a list: not for these kinds. */
  readonly onRequest?: true | readonly Kind[]
  /** It scores contexts alone; a run with only such scorers produces no answers. */
  readonly readsAnswer?: false
  /** The metric of correctness, from 0 to 1. */
  readonly rates?: string
  needs?(options: O): ScorerNeeds
  /** A note below a table on how its numbers are made; optional. */
  note?(
    options: NoInfer<O>,
    models: { readonly embedder: string; readonly isJudgeOffline: boolean },
  ): string | undefined
  /** Options for a question language (ISO 639-1), where defaults depend on it. */
  forLanguage?(options: NoInfer<O>, language: string): NoInfer<O>
  /** Table columns in order, or a function of the options. */
  readonly columns: readonly ScorerColumn[] | ColumnsByOptions<O>['columns']
  score(input: ScorerInput, models: Models, options: O): Promise<Score>
}
