import type { SparseGraph } from '../graph.ts'
import { shuffle } from '../random.ts'
import { sum } from '../statistics/sum.ts'
import type { LeidenOptions } from './options.ts'
import { neighbourWeights } from './neighbour-weights.ts'
import { renumber } from './renumber.ts'
import { exp } from '../portable.ts'

/**
 * The parts of each community that hold together: beginning with every node alone, those that are well connected to the rest of
 * their community join a well-connected part at random, with a chance that grows as exp(gain / θ) (Algorithm A.2, RefinePartition).
 */
export function refine(
  graph: SparseGraph,
  membership: Uint32Array,
  options: Required<Omit<LeidenOptions, 'iterations'>>,
) {
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
  const parted = new Uint32Array(nodes + 1)
  const gains = new Float64Array(nodes + 1)
  const wellConnected = (part: number, community: number) =>
    outward[part]! >= scale * inside[part]! * (whole[community]! - inside[part]!)
  for (const node of shuffle([...parts], random)) {
    const community = membership[node]!
    if (joined[node] || !wellConnected(node, community)) continue
    const { met, count, total } = weightsTo(node, parts, membership)
    let choices = 1
    parted[0] = node
    gains[0] = 0
    for (let k = 0; k < count; k++) {
      const part = met[k]!
      const gain = total[part]! - scale * degrees[node]! * inside[part]!
      if (gain < 0 || !wellConnected(part, community)) continue
      parted[choices] = part
      gains[choices++] = gain
    }
    const part = parted[draw(gains, choices, randomness, random)]!
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

/** One of the first `count` gains, by its place: the chance of each grows as exp(gain / randomness). Writes over the gains. */
function draw(gains: Float64Array, count: number, randomness: number, random: () => number): number {
  let most = 0
  for (let k = 0; k < count; k++) most = Math.max(most, gains[k]!)
  let all = 0
  for (let k = 0; k < count; k++) all += gains[k] = exp((gains[k]! - most) / randomness)
  let left = random() * all
  for (let k = 0; k < count; k++) if ((left -= gains[k]!) < 0) return k
  // where rounding leaves a rest, it is the last
  return count - 1
}
