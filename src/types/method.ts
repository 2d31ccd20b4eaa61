import type { ZodType } from 'zod'
import type { Models } from './asked.ts'
import type { Evidence, Turn } from './read.ts'

/** A window of a document. `start` and `end` are UTF-16 offsets into its text; `position` counts from 0 within it. */
export interface Chunk {
  readonly id: string
  readonly documentId: string
  readonly position: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly tokens: number
}

/** What a method is asked. It never holds the reference; `evidence` only for a method that declares `sees: 'evidence'`. */
export interface Query {
  readonly id: string
  readonly text: string
  readonly options?: readonly string[]
  readonly history?: readonly Turn[]
  readonly evidence?: readonly Evidence[]
}

/**
 * Why a passage was chosen, in the method's own words: flat JSON, kept in the trial. `fallback`, on the first passage, says why the
 * question was answered otherwise than the method intends (`dense: no fact was found`); the notes under a table count it.
 */
export type Trace = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

/** A text for the answerer. `from` lists the ids of the chunks it was made of. A higher `score` is better. */
export interface Passage {
  readonly text: string
  readonly score: number
  readonly from: readonly string[]
  readonly kind: 'chunk' | 'summary' | 'facts'
  readonly why?: Trace
}

/** Limits on a context; both hold. */
export interface Budget {
  readonly passages: number
  readonly tokens: number
}

/**
 * A drawable graph: what `gembench graph` shows. Group 0, or none, is no group; `groups` names the others, group 1 first. `facts` are
 * whole sentences about the graph, shown below its spectrum: whose eigenvalues these are belongs there.
 */
export interface Graph {
  readonly nodes: readonly {
    readonly id: string
    readonly kind: string
    readonly text: string
    readonly group?: number
    readonly data?: Trace
  }[]
  readonly edges: readonly {
    readonly from: number
    readonly to: number
    readonly weight: number
    readonly kind?: string
  }[]
  readonly groups?: readonly string[]
  readonly spectrum?: readonly number[]
  readonly facts?: readonly string[]
}

/** A passage that a question brought. `nodes`: the nodes of the graph that it is, or is made of; none where the graph has no such node, and then `text` is there. */
export interface Found {
  readonly nodes: readonly number[]
  readonly score: number
  readonly text?: string
}

/** What one question would retrieve, best first. `own`: it is none of the dataset's. `evidence`: nodes of the chunks that overlap its evidence. */
export interface Lookup {
  readonly question: string
  readonly own: boolean
  readonly found: readonly Found[]
  readonly evidence?: readonly number[]
}

/** The graph of one corpus by one method, with questions asked of it. `failed`: questions that no answer came to. */
export interface Drawing {
  readonly method: string
  readonly corpus: string
  readonly graph: Graph
  readonly lookups: readonly Lookup[]
  readonly failed: number
}

/** Facts about an index for the manifest. A number `paperCalls`, calls as the method's paper counts them, stands beside ours under a table. */
export type IndexStats = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

/** A searchable form of the chunks of one corpus. */
export interface Index {
  /** Passages in rank order, best first. The runner cuts them to the budget; what is beyond it costs nothing. */
  retrieve(query: Query, budget: Budget, models: Models): Promise<readonly Passage[]>
  graph?(): Graph
  stats?(): IndexStats
  /** What was lost or done otherwise than asked, counted, in the plural: `{'replies that could not be read': 3}`. Zeros may stand. */
  losses?(): Readonly<Record<string, number>>
}

/** A way to find passages. */
export interface Method<O = unknown> {
  readonly name: string
  /** One sentence: what it does. */
  readonly summary: string
  /** Where it was published; absent for a baseline. */
  readonly paper?: string
  readonly options: ZodType<O>
  readonly sees?: 'evidence'
  /** A bracket of every table: asked without a context on purpose (`none`), or outside the budget (`unlimited`). */
  readonly context?: 'none' | 'unlimited'
  index(chunks: readonly Chunk[], models: Models, options: O): Promise<Index>
}
