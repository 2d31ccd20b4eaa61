import { valueOf } from '../../../basics/collections.ts'
import { kindsOf, type PageData } from '../page-data.ts'

/** Number of group colours in the style sheet. */
export const themes = 24

/** `shape`: by kind; also the colour in a graph without groups. `group`: in the selected level; 0 for none. */
export type PageNode = PageData['nodes'][number] & {
  readonly index: number
  readonly shape: number
  readonly radius: number
  group: number
}

/** The graph, and what the reader has chosen of it. After a change, request a repaint. */
export interface Scene {
  readonly nodes: readonly PageNode[]
  readonly isGrouped: boolean
  /** By descending weight, with indices of nodes; the first `shownEdges` are drawn. */
  readonly edges: PageData['edges']
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
  const view = { selection: null, pointedNode: null, lit: null, evidence: new Set<PageNode>() }
  const { edges } = data
  return { nodes, isGrouped: nodes.some(({ group }) => group > 0), edges, shownEdges: edges.length, ...view }
}

/** The edges of a node, heaviest first. */
export const edgesOf = ({ edges }: Scene, { index }: PageNode): PageData['edges'] =>
  edges.filter(({ from, to }) => from === index || to === index)
