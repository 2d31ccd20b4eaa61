import { countEach, itemAt, valueOf } from '../../basics/collections.ts'
import { firstWords } from './first-words.ts'
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
  ...(graph.groups && { groups: groupLabels(graph) }),
  ...(graph.levels && { levels: graph.levels }),
  lookups: lookups.map((lookup) => ({ ...lookup, found: lookup.found.map(abridgePassage) })),
})

/** Keeps the beginning of the text, and trace values that are not lists. */
const abridgePassage = ({ text, why, ...passage }: LookupPassage): LookupPassage => ({
  ...passage,
  ...(text !== undefined && { text: text.slice(0, 200) }),
  ...(why && { why: Object.fromEntries(Object.entries(why).filter(([, value]) => !Array.isArray(value))) }),
})

/** Names of groups: the first words of the summary with that id, with the id if two begin alike; else the name. */
export function groupLabels({ nodes, groups = [] }: Pick<Graph, 'nodes' | 'groups'>): readonly string[] {
  const texts = new Map(nodes.map(({ id, text }) => [id, text]))
  const labels = groups.map((name) => firstWords(texts.get(name) ?? '', 48) || name)
  const counts = countEach(labels)
  return labels.map((label, index) => {
    const name = itemAt(groups, index)
    return valueOf(counts, label) > 1 && label !== name ? `${label} (${name})` : label
  })
}
