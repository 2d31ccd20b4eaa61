import type { Trace } from '../../../types.ts'
import type { PageData } from '../page-data.ts'

/** The data of a page, as `packed` wrote them. */
export async function unpacked(text: string): Promise<PageData> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return (await new Response(json).json()) as PageData
}

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
  readonly text?: string
  readonly why?: Trace
}

/** Lights what was found, numbered in order, and rings the evidence. */
export type Light = (caption: string, hits: readonly SearchResult[], evidence: readonly PageNode[]) => void

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
  const isGrouped = group.some((one) => one > 0)
  const count = data.kinds.map((_, wanted) => kind.filter((one) => one === wanted).length)
  const nodes = id.map((name, index): PageNode => {
    const own = { kind: at(kind, index), group: at(group, index) }
    return {
      index,
      id: name,
      text: at(text, index),
      x: at(x, index),
      y: at(y, index),
      ...own,
      colour: isGrouped ? own.group : own.kind + 1,
      radius: 5 + 4 * (1 - at(count, own.kind) / id.length),
      data: at(values, index),
    }
  })
  const around = new Map<PageNode, PageEdge[]>()
  const edges = data.edges.map(([start, end, weight, relation]): PageEdge => {
    const [from, to] = [at(nodes, start), at(nodes, end)]
    const edge = { from, to, weight, relation: relation === undefined ? '' : at(data.relations, relation) }
    for (const node of new Set([from, to])) {
      const own = around.get(node) ?? []
      around.set(node, own)
      own.push(edge)
    }
    return edge
  })
  const levels = [...new Set(edges.map(({ weight }) => weight))].sort((a, b) => a - b)
  const mostStops = 200
  const every = Math.max(1, levels.length / mostStops)
  const stops = Array.from({ length: Math.min(levels.length, mostStops) }, (_, stop) =>
    at(levels, Math.floor(stop * every)),
  )
  return { nodes, edges, stops, edgesOf: (node) => around.get(node) ?? [] }
}

/** Throws where a column of the page is too short. */
function at<T>(column: readonly T[], index: number): T {
  const value = column[index]
  if (value === undefined) throw new Error(`the page has no datum ${index}`)
  return value
}

/** What is to be seen of the graph. Whoever changes it asks for a new painting. */
export interface View {
  selected: PageNode | null
  hovered: PageNode | null
  threshold: number
  /** Lit nodes with their rank from 1, or 0 where they have none; null: nothing is lit, nothing dimmed. */
  lit: ReadonlyMap<PageNode, number> | null
  evidence: ReadonlySet<PageNode>
}
