import { deflateRawSync } from 'node:zlib'
import { itemAt } from '../../basics/collections.ts'
import type { Drawing, Graph, LookupPassage } from '../../types.ts'

/** A place of the layout, or of a screen in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** What a page carries: the nodes with their places, the edges heaviest first, and the questions. */
export interface PageData extends Pick<Drawing, 'method' | 'lookups'>, Pick<Graph, 'edges' | 'groups' | 'levels'> {
  readonly nodes: readonly (Graph['nodes'][number] & Point)[]
}

/** Edges of a page: more cannot be told apart. */
const mostEdges = 10_000

/** Every node, the heaviest edges, 10,000 at most, and every question. */
export const pageData = ({ method, graph, lookups }: Drawing, points: readonly Point[]): PageData => ({
  method,
  nodes: graph.nodes.map((node, index) => {
    const { x, y } = itemAt(points, index)
    return { ...node, x: Math.round(x), y: Math.round(y) }
  }),
  edges: [...graph.edges].sort((a, b) => b.weight - a.weight).slice(0, mostEdges),
  ...(graph.groups && { groups: graph.groups }),
  ...(graph.levels && { levels: graph.levels }),
  lookups: lookups.map((lookup) => ({ ...lookup, found: lookup.found.map(abridgePassage) })),
})

/** The data as they stand in a page: JSON, deflated, in base 64. */
export const packData = (data: PageData): string =>
  deflateRawSync(JSON.stringify(data, roundFraction), { level: 9 }).toString('base64')

/** Four digits of a fraction are more than a page shows. */
const roundFraction = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

/** A passage with the beginning of its text, and of why it was retrieved what fits a line. */
const abridgePassage = ({ text, why, ...passage }: LookupPassage): LookupPassage => ({
  ...passage,
  ...(text !== undefined && { text: text.slice(0, 200) }),
  ...(why && { why: Object.fromEntries(Object.entries(why).filter(([, value]) => !Array.isArray(value))) }),
})
