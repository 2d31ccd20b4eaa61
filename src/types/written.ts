import type { ZodType } from 'zod'
import type { Models } from './asked.ts'
import type { Kind, Question } from './read.ts'
import type { Passage } from './searched.ts'

/** `choice` is the 0-based option read from the reply, null when none could be read. `canned` answers cost no call. */
export interface Answer {
  readonly text: string
  readonly choice?: number | null
  readonly canned?: true
}

/** A passage as the answerer saw it. `evidence`: indices of the question's evidence that it overlaps. `paragraphs`: keys of the document paragraphs that it touches. */
export interface ContextPassage extends Passage {
  readonly tokens: number
  readonly documents: readonly string[]
  readonly evidence?: readonly number[]
  readonly paragraphs?: readonly string[]
}

/** A question with what a method and the answerer made of it: all that a scorer sees. `relevant`: ids of all chunks that overlap the evidence. */
export interface Asked {
  readonly question: Question
  readonly context: readonly ContextPassage[]
  readonly answer: Answer
  readonly relevant?: readonly string[]
}

/** Numbers for one answer, by metric; `subsets` join the question's tags in the tables; `parts` are kept for the reader. */
export interface Scored {
  readonly metrics: Readonly<Record<string, number>>
  readonly subsets?: readonly string[]
  readonly parts?: Readonly<Record<string, unknown>>
}

/** A scorer may decline a question that it does not apply to, and says why. */
export type Score = Scored | { readonly skipped: string }

/** A judge of answers. A change of numbers raises `version`. */
export interface Scorer<O = unknown> {
  readonly name: string
  readonly version: number
  /** One sentence: what it measures. */
  readonly summary: string
  readonly source: string
  readonly kinds: readonly Kind[]
  readonly options: ZodType<O>
  /** Whether it asks a model, and so may be run several times on one answer. */
  readonly judge?: true
  /** Left out where a config names no scorers. */
  readonly onRequest?: true
  /** What a table shows of it, in order; subset `all` where none is named. Everything else is in table.json. */
  readonly columns: readonly { readonly metric: string; readonly subset?: string; readonly label?: string }[]
  score(asked: Asked, models: Models, options: O): Promise<Score>
}

/** Where tokens are spent. A paper's "index" column is `index`, its "query" column `retrieve` + `answer`. */
export type Phase = 'index' | 'retrieve' | 'answer' | 'judge'

/**
 * Tokens and calls, cached ones counted as if made. `estimated` calls were counted by our tokenizer. What replies lacked is absent where
 * there is nothing to say.
 */
export interface Usage {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly embeddedTokens: number
  readonly estimated: number
  /** Replies that ended at the token limit. */
  readonly cut?: number
  /** Replies that had to be mended, or asked for once more, before they could be read. */
  readonly repaired?: number
  /** Replies read without the items that did not fit, and the number of those items. */
  readonly partial?: number
  readonly skippedItems?: number
}
