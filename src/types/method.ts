import type { Budget } from '../records/entries.ts'
import type { FlatData } from '../records/parts.ts'
import type { TextSpan } from '../records/passage.ts'
import type { Evidence, Roles, Turn } from '../records/question.ts'
import type { PlugInFields } from './dataset.ts'
import type { Graph, Trace } from './graph.ts'
import type { AnyTask, Models } from './model.ts'

/** Default of `semantic`: the percentile of neighbour distances above which to split. */
export const usualPercentile = 95

/**
 * A window of a document. `start` and `end` are UTF-16 offsets into its text; `position` counts from 0 within it.
 * `lead`: length of the section path in front of `text`; absent without one.
 */
export interface Chunk {
  readonly id: string
  readonly documentId: string
  readonly position: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly tokens: number
  readonly lead?: number
}

/**
 * A question without its reference; `evidence` only for methods with `sees: 'evidence'`. The run removes documents of
 * `excludedIds` from the ranking, and requests as many more passages: methods may ignore them.
 */
export interface Query {
  readonly id: string
  readonly text: string
  readonly options?: readonly string[]
  readonly history?: readonly Turn[]
  readonly roles?: Roles
  readonly evidence?: readonly Evidence[]
  readonly excludedIds?: readonly string[]
}

/**
 * A text for the answerer, made of the chunks `from`; a higher `score` is better. `spans`: the literal quotes of a
 * passage of kind `chunk` that is not whole chunks: it is credited with their evidence; summaries have none. `order`:
 * its position in the context, lowest first; by rank by default.
 */
export interface Passage {
  readonly text: string
  readonly score: number
  readonly from: readonly string[]
  readonly kind: 'chunk' | 'summary' | 'facts'
  readonly spans?: readonly TextSpan[]
  readonly order?: number
  readonly why?: Trace
}

/** Facts about an index for the manifest. */
export type IndexStats = FlatData

/** A searchable form of the chunks of one corpus. */
export interface Index {
  /** The method's own context limits, in addition to the budget; trials record which one applied. */
  readonly limits?: Partial<Budget>
  /**
   * Rankings for fewer passages are prefixes of longer ones, at no extra call. A run then requests at least 50, to see
   * whether evidence was ranked too low.
   */
  readonly nested?: boolean
  /** Built-in methods that answer themselves: contexts are those of the answers, exempt from the budget. */
  readonly isExemptFromBudget?: true
  /**
   * Passages in rank order, best first, once per question. `budget`: the most passages and tokens of the context, to
   * which the run cuts them; surplus passages cost nothing. `models`: valid until the promise settles, counted as
   * retrieval of this question; those of `index` are no longer valid here.
   */
  retrieve(query: Query, budget: Budget, models: Models): Promise<readonly Passage[]>
  graph?(): Graph
  stats?(): IndexStats
  /** Counts of losses and deviations, in the plural: `{'replies that could not be read': 3}`. */
  warnings?(): Readonly<Record<string, number>>
  /** The method's own answer from the passages within the budget; see `answers`. */
  answer?(query: Query, passages: readonly Passage[], models: Models): Promise<string>
  /** Maximum concurrent questions; default: the run's concurrency. */
  readonly concurrency?: number
  /** Whether its external process has ended after failing a question: the index is then rebuilt. */
  hasEnded?(): boolean
  /** Ends external processes. Called after the last question. */
  close?(): Promise<void>
}

/**
 * The costly, shareable part of an index. Systems with the same `name` and equal values of `options` share it; each is
 * charged its full cost. In a plug-in file it must be structured data (plain objects, lists, Maps, Sets, typed arrays,
 * texts, numbers).
 */
export interface Preparation<O = unknown, P = unknown> {
  readonly name: string
  /** The options it depends on, without those of retrieval alone. */
  readonly options: readonly string[]
  make(chunks: readonly Chunk[], models: Models, options: O): Promise<P>
}

/** Model requirements of a method: token vectors, a reranker, or the embedder of its vector file. */
export interface Requirements {
  /** Its contexts have no ranking and are not scored, as with `ranks` of a method. */
  readonly ranks?: false
  /** Vectors of single tokens. */
  readonly tokens?: true
  /** A model in `models.rerank`. */
  readonly rerank?: true
  readonly vectors?: {
    readonly file: string
    readonly dimensions: number
    readonly embedder: { readonly provider: string; readonly model: string; readonly digest: string } | null
  }
}

/** A component of a composite method, with its options. */
export interface Part {
  readonly method: Method
  readonly options: unknown
}

// declared as methods so that a method may name the type of its own options
interface ByOptions<O> {
  tasks(options: O): readonly AnyTask[]
  over(parts: readonly Part[]): Pick<Method<O>, 'tasks' | 'index'>
}

/** A retrieval method. `O`: its options; `P`: what it prepares; `I`: the config's input for its options. */
export interface Method<O = unknown, P = unknown, I = unknown> extends PlugInFields<O, I> {
  /** Publication; absent for a baseline. */
  readonly paper?: string
  readonly sees?: 'evidence'
  /** Every task that it may run, or a function of the options: runs whose model cannot do one are rejected at once. */
  readonly tasks?: readonly AnyTask[] | ByOptions<O>['tasks']
  /** A reference method: without context (`none`), outside the budget (`unlimited`), or chosen by evidence. */
  readonly context?: 'none' | 'unlimited' | 'evidence'
  /** It does not rank: the order of passages has no meaning, and an empty context is no retrieval failure. */
  readonly ranks?: false
  /** Built-in methods: options shared by all variants, such as a pool of questions. */
  shares?(variants: readonly O[]): Partial<O>
  /** Built-in methods: the options that affect results, without others such as an address. */
  identity?(options: O): unknown
  /** Built-in methods: tries the server of the options. Throws UserError where it is unusable. */
  reach?(options: O): Promise<void>
  /** Whether it answers by `answer` of its index: not comparable with the run's answerer. */
  answers?(options: O): boolean
  /** Built-in methods that run a user's program: its files. Throws UserError where it is missing. */
  program?(options: O): Promise<readonly string[]>
  /** Built-in methods: model requirements. Throws UserError for a malformed file. */
  requires?(options: O): Promise<Requirements>
  readonly prepares?: Preparation<NoInfer<O>, P>
  /** Built-in composite methods: the method for its components (option `of`), in order. */
  readonly over?: ByOptions<O>['over']
  /**
   * `preparation`: the result of `prepares` for the same chunks and equal options; built here where absent. Randomness
   * comes from `models.random()` and `models.seed()` alone: an index that used neither while being built serves every
   * repeat; others are rebuilt per repeat with other numbers.
   */
  index(chunks: readonly Chunk[], models: Models, options: O, preparation?: P): Promise<Index>
}
