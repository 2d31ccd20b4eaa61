import type { PageData } from '../page-data.ts'

/** Number of group colours in the style sheet. */
export const themes = 24

/** `shape`: by kind; also the colour in a graph without groups. `group`: in the selected level; 0 for none. */
export type PageNode = PageData['nodes'][number]

/** The graph, and what the reader has chosen of it. After a change, request a repaint. */
export interface Scene extends Pick<PageData, 'nodes' | 'edges'> {
  readonly isGrouped: boolean
  /** The first ones are drawn, which are the heaviest. */
  shownEdges: number
  selection: PageNode | null
  pointedNode: PageNode | null
  /** Highlighted nodes with their rank from 1, or 0 without rank; null: no highlight. */
  lit: ReadonlyMap<PageNode, number> | null
  evidence: ReadonlySet<PageNode>
}

export const buildScene = ({ nodes, edges }: PageData): Scene => ({
  nodes,
  edges,
  isGrouped: nodes.some(({ group }) => group > 0),
  shownEdges: edges.length,
  selection: null,
  pointedNode: null,
  lit: null,
  evidence: new Set(),
})

/** The edges of a node with the node at their other end, heaviest first. */
export function edgesOf({ nodes, edges }: Scene, node: PageNode) {
  const index = nodes.indexOf(node)
  return edges.flatMap((edge) => {
    const { from, to } = edge
    const end = nodes[from === index ? to : from]
    return end && (from === index || to === index) ? [{ ...edge, end }] : []
  })
}
