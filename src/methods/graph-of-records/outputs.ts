import { forward } from '../../math/gat/forward.ts'
import { messagesOf } from '../../math/gat/network.ts'
import type { RecordGraph } from './record-graph.ts'
import type { Weights } from './weights.ts'

/** The vectors of all nodes, one after another, in float64. */
export function featuresOf({ nodes }: Pick<RecordGraph, 'nodes'>): Float64Array {
  const dim = nodes[0]?.vector.length ?? 0
  const all = new Float64Array(nodes.length * dim)
  nodes.forEach(({ vector }, node) => all.set(vector, node * dim))
  return all
}

/** What the trained network makes of the vectors of a record graph, node by node. Throws Error where they are not as long as its own. */
export function outputsOf(graph: RecordGraph, { network, trainConfig }: Weights): readonly Float32Array[] {
  const { dim } = network
  const features = featuresOf(graph)
  if (features.length !== graph.nodes.length * dim)
    throw new Error(`the vectors have ${features.length / graph.nodes.length} numbers, and the weights take ${dim}`)
  const messages = messagesOf(graph.nodes.length, graph.edges, trainConfig)
  const { output } = forward(network, features, messages, 'running')
  return graph.nodes.map((_, node) => Float32Array.from(output.subarray(node * dim, (node + 1) * dim)))
}
