import { deflateRawSync } from 'node:zlib'
import type { Drawing, Graph, Lookup, LookupPassage, Trace } from '../../types.ts'

/** What a page shows, in columns. */
export interface PageData {
  readonly method: string
  readonly kinds: readonly string[]
  readonly relations: readonly string[]
  readonly groups: readonly string[]
  readonly nodes: {
    readonly id: readonly string[]
    readonly text: readonly string[]
    /** Indices into `kinds`. */
    readonly kind: readonly number[]
    /** Counted from 1 in `groups`; 0: none. */
    readonly group: readonly number[]
    readonly x: readonly number[]
    readonly y: readonly number[]
    readonly data: readonly Trace[]
  }
  /** From, to, weight, and an index into `relations` where the edge has a kind; heaviest first. */
  readonly edges: readonly (readonly [from: number, to: number, weight: number, relation?: number])[]
  /** Divisions of the nodes into groups, of which one is shown at a time. */
  readonly levels?: readonly { readonly name: string; readonly group: readonly number[] }[]
  readonly lookups: readonly Lookup[]
}

/** A place of the layout, or of a screen in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Edges of a page: more cannot be told apart. */
const mostEdges = 10_000

/** Letters that questions may take. */
const mostOfLookups = 120_000

/** What a page carries: every node, the heaviest edges, 10,000 at most, and as many questions as fit. */
export function pageData({ method, graph, lookups }: Drawing, points: readonly Point[]): PageData {
  const { nodes, edges } = graph
  const kinds = [...new Set(nodes.map(({ kind }) => kind))]
  const relations = [...new Set(edges.flatMap(({ kind }) => kind ?? []))]
  return {
    method,
    kinds,
    relations,
    groups: graph.groups ?? [],
    nodes: {
      id: nodes.map(({ id }) => id),
      text: nodes.map(({ text }) => text),
      kind: nodes.map(({ kind }) => kinds.indexOf(kind)),
      group: nodes.map(({ group = 0 }) => group),
      x: points.map(({ x }) => Math.round(x)),
      y: points.map(({ y }) => Math.round(y)),
      data: nodes.map(({ data = {} }) =>
        Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)])),
      ),
    },
    edges: byWeight(edges, relations).slice(0, mostEdges),
    ...(graph.levels && { levels: graph.levels.map(({ name, groups }) => ({ name, group: groups })) }),
    lookups: fitting(lookups.map((lookup) => ({ ...lookup, found: lookup.found.map(beginning) }))),
  }
}

/** The data as they stand in a page: JSON, deflated, in base 64. Without texts a page stays below 400 kB. */
export const packed = (data: PageData): string => deflateRawSync(JSON.stringify(data), { level: 9 }).toString('base64')

/** Edges as a page has them: heaviest first, of equal weight by relation and by ends. */
const byWeight = (edges: Graph['edges'], relations: readonly string[]): PageData['edges'] =>
  edges
    .map(({ from, to, weight, kind }) => ({
      from,
      to,
      weight: Number(weight.toPrecision(3)),
      relation: kind === undefined ? -1 : relations.indexOf(kind),
    }))
    .sort((a, b) => b.weight - a.weight || a.relation - b.relation || a.from - b.from || a.to - b.to)
    .map(({ from, to, weight, relation }) => (relation < 0 ? [from, to, weight] : [from, to, weight, relation]))

/** As many questions as fit, the own ones before all; they keep their order. */
function fitting(lookups: readonly Lookup[]): readonly Lookup[] {
  let left = mostOfLookups
  const size = ({ found, evidence }: Lookup): number =>
    JSON.stringify([found.map(({ nodes, score, why }) => [score, nodes, why]), evidence]).length
  const kept = new Set(
    [...lookups].sort((a, b) => Number(b.own) - Number(a.own)).filter((lookup) => (left -= size(lookup)) >= 0),
  )
  return lookups.filter((lookup) => kept.has(lookup))
}

/** A passage that is no node with the beginning of its text, and of why it was found what fits a line. */
const beginning = ({ text, score, nodes, why }: LookupPassage): LookupPassage => ({
  nodes,
  score: short(score),
  ...(text !== undefined && { text: text.slice(0, 200) }),
  ...(why && {
    why: Object.fromEntries(
      Object.entries(why).flatMap(([name, value]) => (Array.isArray(value) ? [] : [[name, short(value)] as const])),
    ),
  }),
})

const short = <T>(value: T): T | number =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
