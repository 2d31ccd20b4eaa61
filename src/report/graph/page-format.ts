import type { Lookup, Trace } from '../../types.ts'

/** What a page shows, in columns. `kind` and the fourth number of an edge are indices into `kinds` and `relations`, `group` counts from 1 in `groups`; edges are [from, to, weight], heaviest first. */
export interface PageData {
  readonly method: string
  readonly kinds: readonly string[]
  readonly relations: readonly string[]
  readonly groups: readonly string[]
  readonly nodes: {
    readonly id: readonly string[]
    readonly text: readonly string[]
    readonly kind: readonly number[]
    readonly group: readonly number[]
    readonly x: readonly number[]
    readonly y: readonly number[]
    readonly data: readonly Trace[]
  }
  readonly edges: readonly (readonly number[])[]
  /** Divisions of the nodes into groups, of which one is shown at a time. */
  readonly levels?: readonly { readonly name: string; readonly group: readonly number[] }[]
  readonly lookups: readonly Lookup[]
}

/** The data of a page as they lie in it: a few bytes a node and an edge. A string of columns or edges is whole numbers (`readIntegers`). */
export interface EncodedPage extends Pick<PageData, 'method' | 'kinds' | 'relations' | 'groups'> {
  readonly nodes: {
    readonly text: readonly string[]
    /** Names that count on: the first, which of its numbers counts, and how many there are; a name alone is one. */
    readonly id: readonly (readonly [string] | readonly [string, number, number])[]
    /** A value and how often it follows itself, by turns; as is `shape`. */
    readonly kind: string
    readonly group: string
    readonly x: string
    readonly y: string
    /** The names of a node's data are one of these; the values of all nodes follow each other. */
    readonly shapes: readonly (readonly string[])[]
    readonly shape: string
    readonly values: readonly Trace[string][]
  }
  /** The names of levels, and the group of each node as a column. */
  readonly levels?: readonly (readonly [string, string])[]
  readonly edges: {
    /** A weight, a relation (-1: none), and how many edges have them. */
    readonly runs: readonly (readonly [number, number, number])[]
    /** How far from the `from` of the edge before. */
    readonly from: string
    /** How far from its own `from`. */
    readonly to: string
  }
  /** Question, own (1) or the dataset's (0), what was found as score, nodes, text and why, and the steps from one node of the evidence to the next. */
  readonly lookups: readonly (readonly [string, number, readonly (readonly (number | string | Trace)[])[], string?])[]
}
