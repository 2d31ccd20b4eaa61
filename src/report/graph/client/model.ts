import { valueOf } from '../../../basics/collections.ts'
import { memoise } from '../../../basics/memoise.ts'
import { kindsOf, type PageData } from '../page-data.ts'

/** Number of group colours in the style sheet. */
export const themes = 24

export type PageNode = PageData['nodes'][number] & {
  readonly index: number
  /** By kind; also the colour in a graph without groups. */
  readonly shape: number
  readonly radius: number
  /** In the selected level; 0 for none. */
  group: number
}

export interface PageEdge {
  readonly from: PageNode
  readonly to: PageNode
  readonly weight: number
  readonly kind: string
}

/** The graph, and what the reader has chosen of it. After a change, request a repaint. */
export interface Scene {
  readonly nodes: readonly PageNode[]
  readonly isGrouped: boolean
  /** By descending weight; the first `shownEdges` are drawn. */
  readonly edges: readonly PageEdge[]
  readonly edgesOf: (node: PageNode) => readonly PageEdge[]
  shownEdges: number
  selection: PageNode | null
  pointedNode: PageNode | null
  /** Highlighted nodes with their rank from 1, or 0 without rank; null: no highlight. */
  lit: ReadonlyMap<PageNode, number> | null
  evidence: ReadonlySet<PageNode>
}

/** Nodes of rare kinds are larger. */
export function buildScene(data: PageData): Scene {
  const kinds = kindsOf(data.nodes)
  const shapes = [...kinds.keys()]
  const nodes = data.nodes.map((node, index): PageNode => {
    const radius = 5 + 4 * (1 - valueOf(kinds, node.kind) / data.nodes.length)
    return { group: 0, ...node, index, shape: shapes.indexOf(node.kind), radius }
  })
  const edgesOf = memoise((_node: PageNode): PageEdge[] => [])
  const edges = data.edges.flatMap(({ from, to, weight, kind = '' }): PageEdge[] => {
    const start = nodes[from]
    const end = nodes[to]
    if (!start || !end) return []
    const edge = { from: start, to: end, weight, kind }
    for (const node of new Set([start, end])) edgesOf(node).push(edge)
    return [edge]
  })
  const isGrouped = nodes.some(({ group }) => group > 0)
  const view = { selection: null, pointedNode: null, lit: null, evidence: new Set<PageNode>() }
  return { nodes, isGrouped, edges, edgesOf, shownEdges: edges.length, ...view }
}
