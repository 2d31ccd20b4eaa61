import type { Trace } from '../../../types.ts'
import type { PageData } from '../page-format.ts'

export interface PageNode {
  readonly index: number
  readonly id: string
  readonly text: string
  readonly kind: number
  /** That of the level that is shown. */
  group: number
  readonly x: number
  readonly y: number
  readonly radius: number
  /** Which colour, from 1; 0: none. Where nothing is in a group, kinds have colours. */
  colour: number
  readonly data: Trace
}

export interface PageEdge {
  readonly from: PageNode
  readonly to: PageNode
  readonly weight: number
  readonly relation: string
}

/** What is found for a question, best first, and why; `text` stands in where the graph has no node. */
export interface SearchResult {
  readonly nodes: readonly PageNode[]
  readonly score: number
  readonly text: string
  readonly why: Trace
}

/** The graph, ready to be drawn. */
export interface Model {
  readonly nodes: readonly PageNode[]
  readonly edges: readonly PageEdge[]
  /** Weights at which the slider stops, ascending; each hides at least one edge more. */
  readonly stops: readonly number[]
  readonly edgesOf: (node: PageNode) => readonly PageEdge[]
}

/** Makes nodes and edges of the columns of a page. A node of a rare kind is drawn larger. */
export function model(data: PageData): Model {
  const { id, text, kind, group, x, y, data: values } = data.nodes
  const themed = group.some((one) => one > 0)
  const count = data.kinds.map((_, wanted) => kind.filter((one) => one === wanted).length)
  const nodes = id.map((name, index): PageNode => {
    const own = kind[index] ?? 0
    return {
      index,
      id: name,
      text: text[index] ?? '',
      kind: own,
      group: group[index] ?? 0,
      x: x[index] ?? 0,
      y: y[index] ?? 0,
      colour: themed ? (group[index] ?? 0) : own + 1,
      radius: 5 + 4 * (1 - (count[own] ?? 0) / id.length),
      data: values[index] ?? {},
    }
  })
  const around = new Map<PageNode, PageEdge[]>()
  const edges = data.edges.flatMap(([start = -1, end = -1, weight = 0, relation = -1]): PageEdge[] => {
    const from = nodes[start]
    const to = nodes[end]
    if (!from || !to) return []
    const edge = { from, to, weight, relation: data.relations[relation] ?? '' }
    for (const node of new Set([from, to])) {
      const own = around.get(node)
      if (own) own.push(edge)
      else around.set(node, [edge])
    }
    return [edge]
  })
  const levels = [...new Set(edges.map(({ weight }) => weight))].sort((a, b) => a - b)
  const mostStops = 200
  const every = Math.max(1, levels.length / mostStops)
  const stops = Array.from(
    { length: Math.min(levels.length, mostStops) },
    (_, stop) => levels[Math.floor(stop * every)] ?? 0,
  )
  return { nodes, edges, stops, edgesOf: (node) => around.get(node) ?? [] }
}

/** What is to be seen of the graph. Whoever changes it asks for a new painting. */
export interface View {
  selected: PageNode | null
  hovered: PageNode | null
  /** Edges that weigh less are hidden. */
  threshold: number
  /** Lit nodes with their rank from 1, or 0 where they have none; null: nothing is lit, nothing dimmed. */
  lit: ReadonlyMap<PageNode, number> | null
  evidence: ReadonlySet<PageNode>
}
