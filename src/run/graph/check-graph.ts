import type { Graph } from '../../types.ts'

/** The graph that a method keeps, or an Error that says what is wrong with it: a method may be a stranger's. */
export function checkGraph(graph: Graph, method: string): Graph {
  const { nodes, edges, groups = [], levels = [], notes = [], spectrum = [] } = graph
  const lost = nodes.findIndex(({ id, kind, text }) => [id, kind, text].some((word) => typeof word !== 'string'))
  if (lost >= 0) throw new Error(`${method} returned a graph whose node ${lost + 1} has no id, no kind or no text`)
  const isNode = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < nodes.length
  const loose = edges.findIndex(({ from, to, weight }) => !isNode(from) || !isNode(to) || !Number.isFinite(weight))
  const edge = edges[loose]
  if (edge) {
    throw new Error(
      `${method} returned a graph whose edge ${loose + 1}, from ${edge.from} to ${edge.to} with weight ${edge.weight}, is not valid (number of nodes: ${nodes.length})`,
    )
  }
  if ([...groups, ...notes].some((words) => typeof words !== 'string'))
    throw new Error(`${method} returned a graph in which the name of a group or a note is not text`)
  const uneven = levels.find((level) => level.groups.length !== nodes.length || !level.groups.every(Number.isInteger))
  if (uneven)
    throw new Error(`${method} returned a graph whose level "${uneven.name}" has no whole number for each of its nodes`)
  if (!spectrum.every(Number.isFinite))
    throw new Error(`${method} returned a graph whose spectrum has values that are not numbers`)
  return graph
}
