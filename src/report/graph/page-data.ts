import { countEach, itemAt, valueOf } from '../../basics/collections.ts'
import type { Drawing, Graph, LookupPassage } from '../../types.ts'

/** A point of the layout, or of the screen in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** More edges are indistinguishable on a screen. */
const mostEdges = 10_000

export type PageData = ReturnType<typeof pageData>

/** What the script of a page reads: nodes with coordinates, edges by descending weight, beginnings of passages. */
export function pageData({ method, graph, lookups }: Drawing, points: readonly Point[]) {
  const { nodes, edges, groups = [], levels = [] } = graph
  const texts = new Map(nodes.map(({ id, text }) => [id, text]))
  const kinds = kindsOf(nodes)
  const shapes = [...kinds.keys()]
  return {
    method,
    nodes: nodes.map((node, index) => {
      const { x, y } = itemAt(points, index)
      const { kind } = node
      // nodes of rare kinds are larger
      const radius = Number((9 - (4 * valueOf(kinds, kind)) / nodes.length).toPrecision(4))
      return { group: 0, ...node, shape: shapes.indexOf(kind), radius, x: Math.round(x), y: Math.round(y) }
    }),
    edges: [...edges].sort((a, b) => b.weight - a.weight).slice(0, mostEdges),
    // the first words of the summary with the name of the group, else the name
    groups: groups.map((name) => firstWords(texts.get(name) ?? '', 48) || name),
    levels,
    lookups: lookups.map((lookup) => ({ ...lookup, found: lookup.found.map(abridgePassage) })),
  }
}

/** Keeps the beginning of the text, and trace values that are not lists. */
const abridgePassage = ({ text, why = {}, ...passage }: LookupPassage): LookupPassage => ({
  ...passage,
  ...(text !== undefined && { text: text.slice(0, 200) }),
  why: Object.fromEntries(Object.entries(why).filter(([, value]) => !Array.isArray(value))),
})

/** Whole words of a text, at most `limit` letters, with an ellipsis if more follow; a long first word is cut. */
export function firstWords(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= limit) return line
  const end = line.lastIndexOf(' ', limit - 1)
  return `${line.slice(0, end > 0 ? end : limit - 1).replace(/[\s,;:.]+$/, '')}…`
}

/** The kinds of nodes with their counts; the place of a kind decides its shape. */
export const kindsOf = (nodes: Graph['nodes']): ReadonlyMap<string, number> => countEach(nodes.map(({ kind }) => kind))

/** Shapes of nodes by kind. */
export const shapeMarks = ['●', '◆', '■', '▲'] as const
