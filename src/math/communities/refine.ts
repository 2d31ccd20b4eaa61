import type { SparseGraph } from '../graph.ts'
import { shuffle } from '../random.ts'
import { sum } from '../statistics/sum.ts'
import type { LeidenOptions } from './options.ts'
import { neighbourWeights } from './neighbour-weights.ts'
import { renumber } from './renumber.ts'

/**
 * The parts of each community that hold together: beginning with every node alone, those that are well connected to the rest of
 * their community join a well-connected part at random, with a chance that grows as exp(gain / θ) (Algorithm A.2, RefinePartition).
 */
export function refine(graph: SparseGraph, membership: Uint32Array, options: Required<LeidenOptions>) {
  const { nodes, degrees } = graph
  const { random, resolution, randomness } = options
  const scale = resolution / sum(degrees)
  const weightsTo = neighbourWeights(graph)
  const parts = Uint32Array.from(degrees.keys())
  const whole = new Float64Array(nodes)
  membership.forEach((community, node) => (whole[community]! += degrees[node]!))
  /** Of each part the sum of its degrees, and the weight between it and the rest of its community. */
  const inside = degrees.slice()
  const outward = outwardWeights(graph, membership)
  const joined = new Uint8Array(nodes)
  const wellConnected = (part: number, community: number) =>
    outward[part]! >= scale * inside[part]! * (whole[community]! - inside[part]!)
  for (const node of shuffle([...parts], random)) {
    const community = membership[node]!
    if (joined[node] || !wellConnected(node, community)) continue
    const { met, total } = weightsTo(node, parts, (target) => membership[target] === community)
    const gains = met
      .map((part) => ({ part, gain: total[part]! - scale * degrees[node]! * inside[part]! }))
      .filter(({ part, gain }) => gain >= 0 && wellConnected(part, community))
    const part = draw([{ part: node, gain: 0 }, ...gains], randomness, random)
    if (part === node) continue
    parts[node] = part
    joined[node] = joined[part] = 1
    inside[part]! += degrees[node]!
    outward[part]! += outward[node]! - 2 * total[part]!
  }
  return renumber(parts)
}

function outwardWeights({ nodes, offsets, targets, weights }: SparseGraph, membership: Uint32Array): Float64Array {
  const outward = new Float64Array(nodes)
  for (let node = 0; node < nodes; node++) {
    for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
      const target = targets[k]!
      if (target !== node && membership[target] === membership[node]) outward[node]! += weights[k]!
    }
  }
  return outward
}

function draw(choices: readonly { part: number; gain: number }[], randomness: number, random: () => number): number {
  const most = Math.max(...choices.map(({ gain }) => gain))
  const chances = choices.map(({ gain }) => Math.exp((gain - most) / randomness))
  let left = random() * sum(chances)
  // -1, where rounding leaves a rest, is the last
  return choices.at(chances.findIndex((chance) => (left -= chance) < 0))!.part
}
