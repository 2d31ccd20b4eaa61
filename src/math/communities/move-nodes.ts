import type { SparseGraph } from '../graph.ts'
import { shuffle } from '../random.ts'
import { sum } from '../statistics/sum.ts'
import type { LeidenOptions } from './options.ts'
import { neighbourWeights } from './neighbour-weights.ts'

/**
 * Moves nodes, in place, to the community of a neighbour, or to one of their own, where the modularity gains most, until none
 * gains by moving; after a move its neighbours are looked at again (Algorithm A.2, MoveNodesFast).
 */
export function moveNodes(
  graph: SparseGraph,
  membership: Uint32Array,
  { random, resolution }: Required<Omit<LeidenOptions, 'iterations'>>,
): void {
  const { nodes, offsets, targets, degrees } = graph
  const scale = resolution / sum(degrees)
  const weightsTo = neighbourWeights(graph)
  const { inside, members, empty } = tally(graph, membership)
  const queue = shuffle([...degrees.keys()], random)
  const waiting = new Uint8Array(nodes).fill(1)
  for (let turn = 0; turn < queue.length; turn++) {
    const node = queue[turn]!
    waiting[node] = 0
    const home = membership[node]!
    const degree = degrees[node]!
    const { met, count, total } = weightsTo(node, membership)
    inside[home]! -= degree
    let best = home
    let most = total[home]! - scale * degree * inside[home]!
    // what rounding alone makes larger would move to and fro for ever
    const least = 1e-12 * degree
    for (let k = 0; k < count; k++) {
      const community = met[k]!
      const gain = total[community]! - scale * degree * inside[community]!
      if (gain <= most + least) continue
      best = community
      most = gain
    }
    // alone already, a node has nothing to gain from another empty community
    if (members[home]! > 1 && most < -least) best = empty.at(-1)!
    inside[best]! += degree
    if (best === home) continue
    if (members[best] === 0) empty.pop()
    members[best]!++
    if (--members[home]! === 0) empty.push(home)
    membership[node] = best
    for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
      const target = targets[k]!
      if (waiting[target] || membership[target] === best) continue
      waiting[target] = 1
      queue.push(target)
    }
  }
}

/** Of each community the sum of its degrees and how many it has, and the numbers that no community bears. */
function tally({ nodes, degrees }: SparseGraph, membership: Uint32Array) {
  const inside = new Float64Array(nodes)
  const members = new Uint32Array(nodes)
  membership.forEach((community, node) => {
    inside[community]! += degrees[node]!
    members[community]!++
  })
  const empty = [...members.keys()].filter((community) => members[community] === 0).reverse()
  return { inside, members, empty }
}
