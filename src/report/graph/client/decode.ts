import type { Lookup, Trace } from '../../../types.ts'
import type { countOn } from './count-on.ts'
import type { PageData } from './model.ts'
import type { readIntegers } from './read-integers.ts'

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

/** The data of a page in columns. */
export function decodePage(
  { nodes, edges, lookups, levels, ...rest }: EncodedPage,
  count: typeof countOn,
  read: typeof readIntegers,
): PageData {
  const repeat = (runs: readonly number[]): number[] =>
    runs.flatMap((value, at) => (at % 2 === 0 ? new Array<number>(runs[at + 1] ?? 0).fill(value) : []))
  const walk = (steps: readonly number[]): number[] => {
    let at = 0
    return steps.map((step) => (at += step))
  }
  let value = 0
  const dataOf = (shape: number): Trace =>
    Object.fromEntries((nodes.shapes[shape] ?? []).map((name) => [name, nodes.values[value++] ?? null]))

  const from = walk(read(edges.from))
  const to = read(edges.to)
  let edge = 0
  const edgeOf = (weight: number, relation: number): number[] => {
    const start = from[edge] ?? 0
    const end = start + (to[edge++] ?? 0)
    return relation < 0 ? [start, end, weight] : [start, end, weight, relation]
  }

  const lookupOf = ([question, own, found, evidence]: EncodedPage['lookups'][number]): Lookup => ({
    question,
    own: own === 1,
    found: found.map(([score, ...what]) => {
      const [text] = what.filter((one) => typeof one === 'string')
      const places = what.filter((one) => typeof one === 'number')
      const [why] = what.filter((one) => typeof one === 'object')
      return { nodes: places, score: Number(score), ...(text !== undefined && { text }), ...(why && { why }) }
    }),
    ...(evidence !== undefined && { evidence: walk(read(evidence)) }),
  })

  return {
    ...rest,
    ...(levels && { levels: levels.map(([name, group]) => ({ name, group: read(group) })) }),
    nodes: {
      text: nodes.text,
      id: nodes.id.flatMap(([first, number = 0, length = 1]) =>
        length === 1 ? [first] : Array.from({ length }, (_, by) => count(first, number, by)),
      ),
      kind: repeat(read(nodes.kind)),
      group: read(nodes.group),
      x: read(nodes.x),
      y: read(nodes.y),
      data: repeat(read(nodes.shape)).map(dataOf),
    },
    edges: edges.runs.flatMap(([weight, relation, length]) => Array.from({ length }, () => edgeOf(weight, relation))),
    lookups: lookups.map(lookupOf),
  }
}
