import type { GraphHealth } from '../records/index-line.ts'
import type { FlatData } from '../records/parts.ts'

/**
 * Why a passage was chosen: flat JSON in the trial. `fallback`, on the first passage: why the question was answered
 * otherwise than the method intends, counted below a table. `nodes`: ids of nodes of the graph that the passage was
 * made of.
 */
export type Trace = FlatData

/**
 * A graph to be drawn. Group 0, or none, is no group; `groups` names the others, group 1 first. `notes`: sentences
 * below its spectrum. `leftOut`: edges that are too weak to be drawn.
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
  /** Divisions of the nodes into `groups`, of which a page shows one at a time; the group of each node, or 0. */
  readonly levels?: readonly { readonly name: string; readonly groups: readonly number[] }[]
  readonly leftOut?: number
  readonly spectrum?: readonly number[]
  readonly notes?: readonly string[]
}

/** A passage that a question brought. `nodes`: those that it is, or is made of; `text`: where there is none. */
export interface LookupPassage {
  readonly nodes: readonly number[]
  readonly score: number
  readonly text?: string
  readonly why?: Trace
}

/** What one question would retrieve, best first. `own`: not of the dataset. `evidence`: nodes of its evidence. */
export interface Lookup {
  readonly question: string
  readonly own: boolean
  readonly found: readonly LookupPassage[]
  readonly evidence?: readonly number[]
}

/** The graph of one corpus by one method, with questions asked of it. `failed`: questions that no answer came to. */
export interface Drawing {
  readonly method: string
  readonly corpus: string
  readonly graph: Graph
  readonly health: GraphHealth
  readonly lookups: readonly Lookup[]
  readonly failed: number
}
