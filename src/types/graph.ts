import type { GraphHealth } from '../records/lines.ts'
import type { FlatData } from '../records/parts.ts'

/**
 * Why a passage was chosen, as flat JSON in the trial. `fallback`, on the first passage: why the method fell back,
 * counted below a table. `nodes`: ids of the passage's graph nodes.
 */
export type Trace = FlatData

/**
 * A graph to draw. Group 0 or undefined is no group; `groups` names the others, group 1 first. `notes`: sentences below
 * its spectrum. `leftOut`: number of edges too weak to draw.
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
  /** Alternative groupings, one shown at a time; the group of each node, or 0. */
  readonly levels?: readonly { readonly name: string; readonly groups: readonly number[] }[]
  readonly leftOut?: number
  readonly spectrum?: readonly number[]
  readonly notes?: readonly string[]
}

/** A retrieved passage. `nodes`: its graph nodes; `text`: where it has none. */
export interface LookupPassage {
  readonly nodes: readonly number[]
  readonly score: number
  readonly text?: string
  readonly why?: Trace
}

/** The passages retrieved for a question, best first. `own`: not from the dataset. `evidence`: its evidence nodes. */
export interface Lookup {
  readonly question: string
  readonly own: boolean
  readonly found: readonly LookupPassage[]
  readonly evidence?: readonly number[]
}

/** The graph of one corpus by one method, with questions. `failed`: number of failed questions. */
export interface Drawing {
  readonly method: string
  readonly corpus: string
  readonly graph: Graph
  readonly health: GraphHealth
  readonly lookups: readonly Lookup[]
  readonly failed: number
}
