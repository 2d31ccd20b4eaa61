import type { Chunk, Passage } from '../../types.ts'
import type { AssociationGraph, Labels } from './association-graph.ts'

/** A main idea of a message with the nodes that were collected for it, the start first, and the cosine of idea and start. */
export interface Collected {
  readonly idea: string
  readonly nodes: readonly number[]
  readonly cosine: number
}

/** One line of a context and the rows of the chunks that it was taken from. */
interface Line {
  readonly text: string
  readonly chunks: Iterable<number>
}

/** One passage for each idea, best start first, read in the order of the ideas; what an idea with a better start shows is not shown again. */
export function contextOf(
  graph: AssociationGraph,
  chunks: readonly Chunk[],
  collected: readonly Collected[],
  fallback?: string,
): readonly Passage[] {
  const shown = new Set<string>()
  return collected
    .map((one, order) => ({ ...one, order }))
    .sort((a, b) => b.cosine - a.cosine || a.order - b.order)
    .flatMap(({ idea, nodes, cosine, order }): readonly Passage[] => {
      const lines = linesOf(graph, nodes).filter(({ text }) => !shown.has(text))
      for (const { text } of lines) shown.add(text)
      if (lines.length === 0) return []
      const rows = [...new Set(lines.flatMap((line) => [...line.chunks]))].sort((a, b) => a - b)
      const why = { idea, start: textOf(graph, nodes[0]), nodes: nodes.map((node) => textOf(graph, node)) }
      const text = lines.map((line) => line.text).join('\n')
      return [{ text, score: cosine, from: rows.flatMap((row) => chunks[row]?.id ?? []), kind: 'facts', order, why }]
    })
    .map((passage, rank) =>
      rank === 0 && fallback !== undefined ? { ...passage, why: { ...passage.why, fallback } } : passage,
    )
}

/**
 * What collected nodes are to each other, each relation once, as the node that was collected first tells it; what is said of a node alone;
 * and by themselves the nodes of which nothing is said.
 */
export function linesOf(graph: AssociationGraph, nodes: readonly number[]): readonly Line[] {
  const between = nodes.flatMap((to, place) =>
    nodes
      .slice(0, place)
      .flatMap((from) => labelled(graph.edges[from]?.get(to), textOf(graph, from), ` ${textOf(graph, to)}`)),
  )
  const related = new Set(nodes.filter((node) => nodes.some((other) => graph.edges[node]?.has(other) === true)))
  const alone = nodes.flatMap((node) => {
    const own = labelled(graph.nodes[node]?.labels, textOf(graph, node), '')
    if (own.length > 0 || related.has(node)) return own
    return [{ text: textOf(graph, node), chunks: graph.nodes[node]?.chunks ?? [] }]
  })
  return [...between, ...alone]
}

const labelled = (labels: Labels | undefined, from: string, to: string): readonly Line[] =>
  Array.from(labels ?? [], ([label, chunks]) => ({ text: `${from} [${label}]${to}`, chunks }))

const textOf = ({ nodes }: AssociationGraph, node: number | undefined): string =>
  node === undefined ? '' : (nodes[node]?.text ?? '')
