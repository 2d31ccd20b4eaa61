import type { SparseGraph } from '../graph.ts'
import { modularity } from './modularity.ts'
import { aggregate } from './aggregate.ts'
import { connectedParts } from './connected-parts.ts'
import { moveNodes } from './move-nodes.ts'
import { refine } from './refine.ts'
import { renumber } from './renumber.ts'
import type { LeidenOptions } from './options.ts'

/**
 * Communities of high modularity, each connected, by the Leiden algorithm (Traag, Waltman and van Eck 2019), repeated until
 * it gains nothing or `iterations` are done: of each node the number of its community, in the order in which they are met.
 * Throws RangeError for a directed graph.
 */
export function leiden(graph: SparseGraph, options: LeidenOptions): Uint32Array {
  if (graph.directed) throw new RangeError('Leiden is for undirected graphs')
  const { random, resolution = 1, randomness = 0.001, iterations = Infinity } = options
  let best: Uint32Array = Uint32Array.from(graph.degrees.keys())
  let quality = modularity(graph, best, resolution)
  for (let run = 0; run < iterations; run++) {
    const found = connectedParts(graph, improve(graph, best, { random, resolution, randomness }))
    const reached = modularity(graph, found, resolution)
    // without edges it is NaN, which is no gain either
    if (!(reached > quality + 1e-12)) return best
    best = found
    quality = reached
  }
  return best
}

/** One run of the algorithm from a division: move, refine, make a node of every refined part, and again from there. */
function improve(
  graph: SparseGraph,
  start: Uint32Array,
  options: Required<Omit<LeidenOptions, 'iterations'>>,
): Uint32Array {
  let level = graph
  let membership = start.slice()
  /** Of each node of the graph, the node of the level that holds it. */
  let holder = Uint32Array.from(graph.degrees.keys())
  for (;;) {
    moveNodes(level, membership, options)
    const { membership: parts, count } = refine(level, membership, options)
    if (count === level.nodes) return holder.map((node) => membership[node]!)
    const ofParts = new Uint32Array(count)
    parts.forEach((part, node) => (ofParts[part] = membership[node]!))
    level = aggregate(level, parts, count)
    membership = renumber(ofParts).membership
    holder = holder.map((node) => parts[node]!)
  }
}
