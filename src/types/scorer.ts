import type { ScorerColumn } from '../records/entries.ts'
import type { ContextPassage, RankedPassage } from '../records/passage.ts'
import type { Kind, Question } from '../records/question.ts'
import type { Answer, EvidencePlace } from '../records/trial.ts'
import type { PlugInFields } from './dataset.ts'
import type { Method } from './method.ts'
import type { AnyTask, Models } from './model.ts'

/** All that a scorer sees. `relevant`: all chunks that hold evidence; `ranked`: false without a ranking. */
export interface ScorerInput {
  readonly question: Question
  readonly context: readonly ContextPassage[]
  /** Empty where none was asked for: then only scorers that read no answer are asked. */
  readonly answer: Answer
  /** Where no answer was asked for: the ranking to the depth of the budget, the context first. */
  readonly ranking?: readonly RankedPassage[]
  readonly relevant?: readonly string[]
  /** The grades of these chunks, in their order; absent where all are 1. */
  readonly grades?: readonly number[]
  readonly ranked?: false
  /** For scorers that need them; the same list at every call of a run. */
  readonly references?: readonly string[]
  /** For scorers that need it; the answer is empty where the trial failed. */
  readonly outcome?: Outcome
  /** For scorers that need them; none where the answer's own row is the only one that is named. */
  readonly opponents?: readonly Opponent[]
}

/** What another row answered to the same question in the same repeat; no answer where its trial has none. */
export interface Opponent {
  readonly row: string
  readonly answer?: Answer
}

/** What a scorer that rates answers gave one: the mean of its judge runs, under the scorer's label. */
export interface RatedScore {
  readonly scorer: string
  readonly value: number
}

/**
 * What became of a trial. `scores`: of the scorers that rate answers, in the order of the config. `oracle`: those of
 * the oracle's answer, and its text; absent without one, or where the method answers itself. `evidence`: absent in
 * trials of an earlier version. `deep`: whether what was ranked beyond the budget is known.
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
 * What a scorer needs besides the trial: vectors of single tokens, the reference texts of all
 * questions, the answers of rows by their names in tables, or of `all` others that are compared, or the `outcome`, for
 * which it is asked after the others, and of failed trials too. Scores are made anew where any of these changed.
 */
export interface ScorerNeeds {
  readonly tokens?: boolean
  readonly references?: boolean
  readonly outcome?: boolean
  readonly opponents?: 'all' | readonly string[]
}

/** Numbers for one answer, by metric; `subsets` join the question's tags in tables; `parts` are for the reader. */
export interface Scored {
  readonly metrics: Readonly<Record<string, number>>
  readonly subsets?: readonly string[]
  readonly parts?: Readonly<Record<string, unknown>>
}

/** A scorer may decline a question that it does not apply to, and says why. */
export type Score = Scored | { readonly skipped: string }

// declared as a method so that a scorer may name the type of its own options
interface ColumnsByOptions<O> {
  columns(options: O): readonly ScorerColumn[]
}

/** A judge of answers. A change of numbers raises `version`. */
export interface Scorer<O = unknown, I = unknown> extends PlugInFields<O, I> {
  readonly version: number
  readonly source: string
  readonly kinds: readonly Kind[]
  /** Whether it asks a model, and so may be run several times on one answer. */
  readonly judge?: true
  /** Every task that it may run, as in `Method`. */
  readonly tasks?: readonly AnyTask[]
  /** Least and greatest value of a metric, by its name up to `@`; else 0 and 1. A score outside is a failure. */
  readonly ranges?: Readonly<Record<string, readonly [least: number, greatest: number]>>
  /** Whether its first column ranks the rows: a note below the table lists them, best first. */
  readonly ranks?: true
  /** Left out where a config names no scorers; a list: unless questions are of a kind that is not in it. */
  readonly onRequest?: true | readonly Kind[]
  /** Of a scorer of contexts alone: it reads no answer, and a run without other scorers asks for none. */
  readonly readsAnswer?: false
  /** The metric that says how right an answer is, from 0, wrong, to 1. */
  readonly rates?: string
  needs?(options: O): ScorerNeeds
  /** A sentence below a table on how its numbers are made with these options, and by which models; or none. */
  note?(
    options: NoInfer<O>,
    models: { readonly embedder: string; readonly isJudgeOffline: boolean },
  ): string | undefined
  /** The options for questions in a language (ISO 639-1), where one that is left at its default depends on it. */
  forLanguage?(options: NoInfer<O>, language: string): NoInfer<O>
  /** What a table shows of it, in order, or a function of the options that gives it. */
  readonly columns: readonly ScorerColumn[] | ColumnsByOptions<O>['columns']
  score(asked: ScorerInput, models: Models, options: O): Promise<Score>
}
