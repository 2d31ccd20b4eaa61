import type { AskedTask } from '../../../models/index.ts'
import type { ModelErrorKind } from '../../../errors.ts'
import type { Budget, Chunk, EmbedRole, Passage, Query, ScorerInput } from '../../../types.ts'

/** The kinds of plug-ins that a file may export. */
export type FileKind = 'method' | 'scorer' | 'dataset'

/** What a process of a plug-in is asked to do. The first request of all is `load`. */
export type Work =
  | { readonly op: 'load'; readonly file: string; readonly kind: FileKind }
  /** A function of the plug-in that returns at once, by its name. */
  | { readonly op: 'call'; readonly name: string; readonly args: readonly unknown[] }
  | { readonly op: 'parse'; readonly value: unknown }
  /** What `prepares` makes, as data. */
  | { readonly op: 'prepare'; readonly chunks: readonly Chunk[]; readonly options: unknown }
  | { readonly op: 'index'; readonly chunks: readonly Chunk[]; readonly options: unknown; readonly prepared?: unknown }
  | { readonly op: 'retrieve'; readonly query: Query; readonly budget: Budget }
  | { readonly op: 'answer'; readonly query: Query; readonly passages: readonly Passage[] }
  | { readonly op: 'close' }
  | { readonly op: 'score'; readonly asked: ScorerInput; readonly options: unknown; readonly label: string }
  | { readonly op: 'files'; readonly path: string; readonly options: unknown }
  /** Begins to read, and gives the next corpus, or none. */
  | { readonly op: 'corpora'; readonly path: string; readonly options: unknown }
  | { readonly op: 'next' }
  /** Of a task that the process has rendered. */
  | { readonly op: 'read'; readonly task: number; readonly reply: string }
  | { readonly op: 'standIn'; readonly task: number }

/** A request by its number, and whether its models score passages. */
export type Request = Work & { readonly id: number; readonly reranks?: true }

/** What came of a call to models, for the request that made it. */
export interface ModelReply {
  readonly call: number
  readonly value?: unknown
  readonly error?: ModelFailure
}

/** An error of a call to models; `number` stands for the error itself where it has a kind. */
export interface ModelFailure {
  readonly number?: number
  readonly message: string
  readonly model?: { readonly kind: ModelErrorKind; readonly raw?: string }
}

/** What a process says: what came of a request, a call to models that it makes, or an error outside every request. */
export type Said =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: Failure }
  | ({ readonly call: number; readonly of: number } & ModelCall)
  | { readonly late: string }

export type ModelCall =
  | { readonly ask: 'run'; readonly task: RenderedTask }
  | { readonly ask: 'embed'; readonly texts: readonly string[]; readonly role: EmbedRole | undefined }
  | { readonly ask: 'embedTokens'; readonly text: string; readonly layer: number | undefined }
  | { readonly ask: 'rerank'; readonly question: string; readonly texts: readonly string[] }

/** A task as the process has rendered it; `number` is its name there. */
export type RenderedTask = Omit<AskedTask, 'standIn' | 'read'> & { readonly number: number; readonly stands: boolean }

/** Why a request failed. `error`: the number of an error of a call to models. `mend`: a person can mend it. */
export interface Failure {
  readonly message: string
  readonly error?: number
  readonly mend?: true
}

/** What a process asks and waits for, a line of JSON on a pipe of its own. */
export interface AtOnce {
  readonly of: number
  readonly ask: 'random' | 'seed' | 'countTokens' | 'tokenIds' | 'replies'
  readonly given?: number | string
}

/** The pipe of these questions, as a process of a plug-in has it. */
export const atOnceFd = 4

/** A plug-in as its process describes it: fields that are data, names of fields that are functions, and its options. */
export interface Described {
  readonly data: Readonly<Record<string, unknown>>
  readonly functions: readonly string[]
  readonly options: {
    readonly schema: unknown
    readonly meta: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

/** A task that a plug-in names, as far as it is looked at before it is run. */
export interface NamedTask {
  readonly name: string
  readonly version: number
  readonly reply: 'text' | 'json'
  readonly stands: boolean
}

/** What `index()` returned, without its functions. */
export interface IndexMade {
  readonly limits?: Partial<Budget>
  readonly nested?: boolean
  readonly concurrency?: number
  readonly answers: boolean
  readonly closes: boolean
  readonly stats: Outcome
  readonly warnings: Outcome
  readonly graph?: Outcome
}

/** What a function gave, or why it failed. */
export type Outcome = { readonly value: unknown } | { readonly failed: string }
