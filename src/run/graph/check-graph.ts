import type { Graph } from '../types.ts'

/** The graph that a method keeps, or an Error that says what is wrong with it: a method may be a stranger's. */
export function checkGraph(graph: Graph, method: string): Graph {
  const { nodes, edges, groups = [], facts = [], spectrum = [] } = graph
  const lost = nodes.findIndex(({ id, kind, text }) => [id, kind, text].some((word) => typeof word !== 'string'))
  if (lost >= 0) throw new Error(`${method} drew a node (number ${lost + 1}) without an id, a kind or a text`)
  const isNode = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < nodes.length
  const loose = edges.findIndex(({ from, to, weight }) => !isNode(from) || !isNode(to) || !Number.isFinite(weight))
  const edge = edges[loose]
  if (edge) {
    throw new Error(
      `${method} drew an edge (number ${loose + 1}) from ${edge.from} to ${edge.to} of weight ${edge.weight}, with ${nodes.length} nodes`,
    )
  }
  if ([...groups, ...facts].some((words) => typeof words !== 'string'))
    throw new Error(`${method} drew a graph of which a group's name or a fact is no text`)
  if (!spectrum.every(Number.isFinite)) throw new Error(`${method} drew a spectrum with values that are no numbers`)
  return graph
}
