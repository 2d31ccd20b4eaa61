import type { Budget } from '../records/entries.ts'
import type { FlatData } from '../records/parts.ts'
import type { TextSpan } from '../records/passage.ts'
import type { Evidence, Roles, Turn } from '../records/question.ts'
import type { PlugInFields } from './dataset.ts'
import type { Graph, Trace } from './graph.ts'
import type { AnyTask, Models } from './model.ts'

/** Where documents may be cut into chunks. */
export const cutBy = ['tokens', 'sentences', 'paragraphs', 'headings', 'recursive', 'semantic', 'none'] as const
export type CutBy = (typeof cutBy)[number]

/** With `semantic`, the distance of neighbouring sentences above which a text is cut, as a percentile of all. */
export const usualPercentile = 95

/**
 * A window of a document. `start` and `end` are UTF-16 offsets into its text; `position` counts from 0 within it.
 * `lead`: how much of `text` stands before the words of the document, the path of its section; absent without one.
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
 * What a method is asked, without the reference; `evidence` only where it declares `sees: 'evidence'`. The run leaves
 * documents of `excludedIds` out of the ranking, and asks for as many passages more: a method may ignore them.
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
 * A text for the answerer, made of the chunks `from`; a higher `score` is better. `spans`: what a passage of kind
 * `chunk` quotes, letter by letter, where that is not the whole chunks: it is credited with the evidence there, a
 * summary with none. `order`: where the answerer reads it in the context, lowest first; by rank where none is given.
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
  /** Limits of the method's own on a context: they hold beside the budget, and a trial says which one ended it. */
  readonly limits?: Partial<Budget>
  /**
   * Says that what it returns for fewer passages is the beginning of what it returns for more, at no further call. A
   * run then asks for 50 at least, so that it is known whether evidence was ranked too low.
   */
  readonly nested?: boolean
  /** Of a built-in method that answers itself: its contexts are what its answers were made of, whatever the budget. */
  readonly whole?: true
  /** Passages in rank order, best first. The runner cuts them to the budget; what is beyond it costs nothing. */
  retrieve(query: Query, budget: Budget, models: Models): Promise<readonly Passage[]>
  graph?(): Graph
  stats?(): IndexStats
  /** What was lost or done otherwise than asked, counted, in the plural: `{'replies that could not be read': 3}`. */
  warnings?(): Readonly<Record<string, number>>
  /** The method's own answer to a question, of the passages that fit the budget; see `answers`. */
  answer?(query: Query, passages: readonly Passage[], models: Models): Promise<string>
  /** The most questions that are to be under way in it at once; as many as the run asks where absent. */
  readonly concurrency?: number
  /** Whether what it runs on has ended, and has failed a question: it is built again before the next one. */
  ended?(): boolean
  /** Ends what it runs outside this process. Called once nothing more is asked of it. */
  close?(): Promise<void>
}

/**
 * The costly part of an index. Rows of a run whose parts have one name, and equal values of the options named here,
 * share one that is made once, and each is charged for it as if it had made it. The part of a method in a file goes
 * from one process to others: it is data (plain objects, lists, Maps, Sets, typed arrays, texts, numbers).
 */
export interface Preparation<O = unknown, P = unknown> {
  readonly name: string
  /** The options that the part depends on; those that only retrieval reads are not among them. */
  readonly options: readonly string[]
  make(chunks: readonly Chunk[], models: Models, options: O): Promise<P>
}

/** What a method needs of the models: vectors as long as its file's, by the embedder that it names; of tokens. */
export interface Requirements {
  /** What its options name has no ranking: its contexts are not scored, as with `ranks` of a method. */
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

/** A method that another one asks, with its options. */
export interface Part {
  readonly method: Method
  readonly options: unknown
}

// declared as methods so that a method may name the type of its own options
interface ByOptions<O> {
  tasks(options: O): readonly AnyTask[]
  over(parts: readonly Part[]): Pick<Method<O>, 'tasks' | 'index'>
}

/** A way to find passages. `O`: its options; `P`: what it prepares; `I`: its options as a config writes them. */
export interface Method<O = unknown, P = unknown, I = unknown> extends PlugInFields<O, I> {
  /** Where it was published; absent for a baseline. */
  readonly paper?: string
  readonly sees?: 'evidence'
  /** Every task that it may run, or a function of the options: a run whose model cannot do one is refused at once. */
  readonly tasks?: readonly AnyTask[] | ByOptions<O>['tasks']
  /** A reference row: without a context (`none`), outside the budget (`unlimited`), or chosen by the evidence. */
  readonly context?: 'none' | 'unlimited' | 'evidence'
  /** It does not search: the order of its passages means nothing, and an empty context is no failure to find one. */
  readonly ranks?: false
  /** Of a built-in method: options that all variants of a row share, such as a pool of questions. */
  shares?(variants: readonly O[]): Partial<O>
  /** Of a built-in method: its options as they tell results apart, where one of them does not, such as an address. */
  identity?(options: O): unknown
  /** Of a built-in method: the server of its options, with versions. Throws UserError where it is of no use. */
  reach?(options: O): Promise<string | undefined>
  /** Whether it answers by `answer` of its index: its rows are not compared with those of the run's answerer. */
  answers?(options: O): boolean
  /** Of a built-in method that runs a user's program: its files. Throws UserError where it is missing. */
  program?(options: O): Promise<readonly string[]>
  /** Of a built-in method: what it, or a file of it, needs of models. Throws UserError for a bad file. */
  requires?(options: O): Promise<Requirements>
  readonly prepares?: Preparation<NoInfer<O>, P>
  /** Of a built-in method that asks those of its option `of`: what it is with these, in their order. */
  readonly over?: ByOptions<O>['over']
  /**
   * `prepared`: what `prepares` has made of the same chunks, for options equal in all that it depends on; where absent,
   * it is made here. Chance comes from `models.random()` and `models.seed()` alone: an index that took neither by the
   * time it is returned serves every repeat of a run, any other is built anew for each repeat with other numbers.
   */
  index(chunks: readonly Chunk[], models: Models, options: O, prepared?: P): Promise<Index>
}
