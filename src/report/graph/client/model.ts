import { countEach, valueOf } from '../../../basics/collections.ts'
import { memoise } from '../../../basics/memoise.ts'
import type { Trace } from '../../../types.ts'
import type { PageData, Point } from '../page-data.ts'

export interface PageNode extends Point {
  readonly index: number
  readonly id: string
  readonly text: string
  readonly kind: string
  readonly data: Trace
  /** By kind. */
  readonly shape: number
  readonly radius: number
  /** In the selected level. */
  group: number
  /** Colour number from 1, 0 for none: the group, or the kind in a graph without groups. */
  colour: number
}

export interface PageEdge {
  readonly from: PageNode
  readonly to: PageNode
  readonly weight: number
  readonly kind: string
}

export interface Model {
  readonly nodes: readonly PageNode[]
  /** By descending weight. */
  readonly edges: readonly PageEdge[]
  readonly edgesOf: (node: PageNode) => readonly PageEdge[]
}

/** Nodes and edges from page data. Nodes of rare kinds are larger. */
export function buildModel(data: PageData): Model {
  const isGrouped = data.nodes.some(({ group = 0 }) => group > 0)
  const kinds = countEach(data.nodes.map(({ kind }) => kind))
  const shapes = new Map([...kinds.keys()].map((kind, shape) => [kind, shape]))
  const nodes = data.nodes.map((node, index): PageNode => {
    const { kind, group = 0 } = node
    const shape = valueOf(shapes, kind)
    return {
      data: {},
      ...node,
      index,
      shape,
      group,
      colour: isGrouped ? group : shape + 1,
      radius: 5 + 4 * (1 - valueOf(kinds, kind) / data.nodes.length),
    }
  })
  const edgesOf = memoise((_node: PageNode): PageEdge[] => [])
  const edges = data.edges.flatMap(({ from, to, weight, kind = '' }): PageEdge[] => {
    const [start, end] = [nodes[from], nodes[to]]
    if (!start || !end) return []
    const edge = { from: start, to: end, weight, kind }
    for (const node of new Set([start, end])) edgesOf(node).push(edge)
    return [edge]
  })
  return { nodes, edges, edgesOf }
}

/** A retrieved passage; `text` is set if the graph has no node for it. */
export interface SearchResult {
  readonly nodes: readonly PageNode[]
  readonly score: number
  readonly text?: string
  readonly why?: Trace
}

/** Highlights results with their ranks, and marks evidence with rings. */
export type Light = (caption: string, results: readonly SearchResult[], evidence: readonly PageNode[]) => void

/** View state. After a change, request a repaint. */
export interface View {
  selection: PageNode | null
  pointedNode: PageNode | null
  threshold: number
  /** Highlighted nodes with their rank from 1, or 0 without rank; null: no highlight. */
  lit: ReadonlyMap<PageNode, number> | null
  evidence: ReadonlySet<PageNode>
}
