import { countEach, valueOf } from '../../../basics/collections.ts'
import { memoise } from '../../../basics/memoise.ts'
import type { Trace } from '../../../types.ts'
import type { PageData, Point } from '../page-data.ts'

/** The data of a page, as `packed` wrote them. */
export async function unpackData(text: string): Promise<PageData> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return (await new Response(json).json()) as PageData
}

export interface PageNode extends Point {
  readonly index: number
  readonly id: string
  readonly text: string
  readonly kind: string
  readonly data: Trace
  /** By its kind. */
  readonly shape: number
  readonly radius: number
  /** That of the level that is shown. */
  group: number
  /** Which colour, from 1; 0: none. Where nothing is in a group, kinds have colours. */
  colour: number
}

export interface PageEdge {
  readonly from: PageNode
  readonly to: PageNode
  readonly weight: number
  readonly kind: string
}

/** The graph, ready to be drawn. */
export interface Model {
  readonly nodes: readonly PageNode[]
  /** Heaviest first. */
  readonly edges: readonly PageEdge[]
  readonly edgesOf: (node: PageNode) => readonly PageEdge[]
}

/** Nodes and edges of the data of a page. A node of a rare kind is drawn larger. */
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

/** A passage retrieved for a question; `text` stands in where the graph has no node. */
export interface SearchResult {
  readonly nodes: readonly PageNode[]
  readonly score: number
  readonly text?: string
  readonly why?: Trace
}

/** Lights the results, numbered in order, and rings the evidence. */
export type Light = (caption: string, results: readonly SearchResult[], evidence: readonly PageNode[]) => void

/** What is to be seen of the graph. Whoever changes it asks for a new painting. */
export interface View {
  selection: PageNode | null
  pointedNode: PageNode | null
  threshold: number
  /** Lit nodes with their rank from 1, or 0 where they have none; null: nothing is lit, nothing dimmed. */
  lit: ReadonlyMap<PageNode, number> | null
  evidence: ReadonlySet<PageNode>
}
