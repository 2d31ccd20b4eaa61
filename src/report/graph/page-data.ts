import { deflateRawSync } from 'node:zlib'
import { itemAt } from '../../basics/collections.ts'
import type { Drawing, Graph, LookupPassage } from '../../types.ts'

/** A point of the layout, or of the screen in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Data of a page: nodes with coordinates, edges by descending weight, questions. */
export interface PageData extends Pick<Drawing, 'method' | 'lookups'>, Pick<Graph, 'edges' | 'groups' | 'levels'> {
  readonly nodes: readonly (Graph['nodes'][number] & Point)[]
}

/** More edges are indistinguishable on a screen. */
const mostEdges = 10_000

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

/** JSON, deflated, in base 64. */
export const packData = (data: PageData): string =>
  deflateRawSync(JSON.stringify(data, roundFraction), { level: 9 }).toString('base64')

const roundFraction = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

/** Keeps the beginning of the text, and trace values that are not lists. */
const abridgePassage = ({ text, why, ...passage }: LookupPassage): LookupPassage => ({
  ...passage,
  ...(text !== undefined && { text: text.slice(0, 200) }),
  ...(why && { why: Object.fromEntries(Object.entries(why).filter(([, value]) => !Array.isArray(value))) }),
})
