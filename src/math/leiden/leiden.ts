import { buildGraph, type SparseGraph, connectedComponents } from '../graph.ts'
import { shuffle } from '../random.ts'
import { sum } from '../statistics/descriptive.ts'
import { exp } from '../portable.ts'

/**
 * Communities of high modularity, each connected, by the Leiden algorithm (Traag, Waltman and van Eck 2019), repeated
 * until modularity stops improving or `iterations` are done. Gives the community number of each node, by first
 * occurrence. Throws RangeError for a directed graph.
 */
export function leiden(graph: SparseGraph, options: LeidenOptions): Uint32Array {
  if (graph.directed) throw new RangeError('Leiden is for undirected graphs')
  const { random, iterations = Infinity } = options
  let best: Uint32Array = Uint32Array.from(graph.degrees.keys())
  let quality = modularity(graph, best)
  for (let run = 0; run < iterations; run++) {
    const partition = connectedParts(graph, improve(graph, best, random))
    const newQuality = modularity(graph, partition)
    // NaN without edges
    if (!(newQuality > quality + 1e-12)) return best
    best = partition
    quality = newQuality
  }
  return best
}

/** One run from a partition: move, refine, aggregate, and again on the aggregate graph. */
function improve(graph: SparseGraph, start: Uint32Array, random: () => number): Uint32Array {
  let level = graph
  let membership = start.slice()
  /** Of each node of the graph, the node of the level that holds it. */
  let holder = Uint32Array.from(graph.degrees.keys())
  for (;;) {
    moveNodes(level, membership, random)
    const { membership: parts, count } = refine(level, membership, random)
    if (count === level.nodes) return holder.map((node) => membership[node]!)
    const ofParts = new Uint32Array(count)
    parts.forEach((part, node) => (ofParts[part] = membership[node]!))
    level = aggregate(level, parts, count)
    membership = renumber(ofParts).membership
    holder = holder.map((node) => parts[node]!)
  }
}

export interface LeidenOptions {
  /** The only source of randomness, in [0, 1). */
  readonly random: () => number
  /** Maximum number of runs, each from the previous partition. */
  readonly iterations?: number
}

/**
 * Splits communities into well-connected parts: from singletons, each well-connected node joins a well-connected part
 * at random, with probability proportional to exp(gain / θ) (Algorithm A.2, RefinePartition).
 */
function refine(graph: SparseGraph, membership: Uint32Array, random: () => number) {
  const { nodes, degrees } = graph
  const scale = 1 / sum(degrees)
  const weightsTo = neighbourWeights(graph)
  const parts = Uint32Array.from(degrees.keys())
  const communityDegrees = new Float64Array(nodes)
  membership.forEach((community, node) => (communityDegrees[community]! += degrees[node]!))
  /** Per part: the sum of its degrees, and the weight between it and the rest of its community. */
  const inside = degrees.slice()
  const outward = outwardWeights(graph, membership)
  const hasJoined = new Uint8Array(nodes)
  const candidates = new Uint32Array(nodes + 1)
  const gains = new Float64Array(nodes + 1)
  const isWellConnected = (part: number, community: number) =>
    outward[part]! >= scale * inside[part]! * (communityDegrees[community]! - inside[part]!)
  for (const node of shuffle([...parts], random)) {
    const community = membership[node]!
    if (hasJoined[node] || !isWellConnected(node, community)) continue
    const { adjacent, count, total } = weightsTo(node, parts, membership)
    let choices = 1
    candidates[0] = node
    gains[0] = 0
    for (let k = 0; k < count; k++) {
      const part = adjacent[k]!
      const gain = total[part]! - scale * degrees[node]! * inside[part]!
      if (gain < 0 || !isWellConnected(part, community)) continue
      candidates[choices] = part
      gains[choices++] = gain
    }
    const part = candidates[draw(gains, choices, random)]!
    if (part === node) continue
    parts[node] = part
    hasJoined[node] = hasJoined[part] = 1
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

/** θ, in the unit of the weights (graspologic-native's default). */
const randomness = 0.001

/** Draws an index below `count` with probability proportional to exp(gain / θ). Overwrites the gains. */
function draw(gains: Float64Array, count: number, random: () => number): number {
  let most = 0
  for (let k = 0; k < count; k++) most = Math.max(most, gains[k]!)
  let all = 0
  for (let k = 0; k < count; k++) all += gains[k] = exp((gains[k]! - most) / randomness)
  let remainder = random() * all
  for (let k = 0; k < count; k++) {
    if ((remainder -= gains[k]!) < 0) return k
  }
  // by rounding
  return count - 1
}

/**
 * Moves nodes, in place, to the neighbouring or empty community of largest modularity gain, until no move improves it;
 * a move queues the neighbours again (Algorithm A.2, MoveNodesFast).
 */
function moveNodes(graph: SparseGraph, membership: Uint32Array, random: () => number): void {
  const { nodes, offsets, targets, degrees } = graph
  const scale = 1 / sum(degrees)
  const weightsTo = neighbourWeights(graph)
  const { inside, members, empty } = tally(graph, membership)
  const queue = shuffle([...degrees.keys()], random)
  const waiting = new Uint8Array(nodes).fill(1)
  for (let turn = 0; turn < queue.length; turn++) {
    const node = queue[turn]!
    waiting[node] = 0
    const home = membership[node]!
    const degree = degrees[node]!
    const { adjacent, count, total } = weightsTo(node, membership)
    inside[home]! -= degree
    let best = home
    let most = total[home]! - scale * degree * inside[home]!
    // gains within rounding would move a node back and forth for ever
    const least = 1e-12 * degree
    for (let k = 0; k < count; k++) {
      const community = adjacent[k]!
      const gain = total[community]! - scale * degree * inside[community]!
      if (gain <= most + least) continue
      best = community
      most = gain
    }
    // a singleton gains nothing from another empty community
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

/** Per community its degree sum and size, and the unused community numbers. */
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

/** Communities adjacent to a node: the first `count` of `adjacent`, and the weight of the edges to each in `total`. */
interface NeighbourWeights {
  readonly adjacent: Uint32Array
  count: number
  readonly total: Float64Array
}

/**
 * Sums the edge weights from a node to each adjacent community, without its self-loop; the result object is reused.
 * With `within`, counts only neighbours with the node's number there.
 */
function neighbourWeights({ nodes, offsets, targets, weights }: SparseGraph) {
  const result: NeighbourWeights = { adjacent: new Uint32Array(nodes), count: 0, total: new Float64Array(nodes) }
  const { adjacent, total } = result
  return (node: number, membership: Uint32Array, within?: Uint32Array): NeighbourWeights => {
    for (let k = 0; k < result.count; k++) total[adjacent[k]!] = 0
    let count = 0
    const end = offsets[node + 1]!
    for (let k = offsets[node]!; k < end; k++) {
      const target = targets[k]!
      const weight = weights[k]!
      if (target === node || weight === 0 || (within !== undefined && within[target] !== within[node])) continue
      const community = membership[target]!
      if (total[community] === 0) adjacent[count++] = community
      total[community]! += weight
    }
    result.count = count
    return result
  }
}

/** The aggregate graph of `count` parts: parallel edges add up, edges within a part become self-loops. */
function aggregate(graph: SparseGraph, parts: Uint32Array, count: number): SparseGraph {
  const { offsets, targets, weights, degrees } = graph
  const from = new Uint32Array(targets.length)
  parts.forEach((part, node) => from.fill(part, offsets[node], offsets[node + 1]))
  const sums = new Float64Array(count)
  parts.forEach((part, node) => (sums[part]! += degrees[node]!))
  // directed, since both entries of an edge are there
  const edges = { from, to: targets.map((target) => parts[target]!), weight: weights }
  return { ...buildGraph(count, edges, { directed: true }), directed: false, degrees: sums }
}

/** The same partition numbered from 0 by first occurrence, and the number of communities. */
function renumber(membership: Uint32Array) {
  const numbers = new Map<number, number>()
  for (const community of membership) {
    if (!numbers.has(community)) numbers.set(community, numbers.size)
  }
  return { membership: membership.map((community) => numbers.get(community)!), count: numbers.size }
}

/** Splits communities into their connected components, numbered by first occurrence. */
export const connectedParts = (graph: SparseGraph, membership: ArrayLike<number>): Uint32Array => {
  const { targets, weights } = graph
  return connectedComponents(graph, (node, k) => membership[targets[k]!] === membership[node] && weights[k] !== 0)
}

/**
 * Modularity Σ_c [L_c/m - γ·(d_c/2m)²] of a partition, `membership` the community of each node and γ the resolution
 * (Newman and Girvan; Reichardt and Bornholdt). NaN without edges. Throws RangeError for a directed graph or a
 * membership of another length.
 */
export function modularity(graph: SparseGraph, membership: ArrayLike<number>, resolution = 1): number {
  if (graph.directed) throw new RangeError('modularity is of undirected graphs')
  if (membership.length !== graph.nodes) throw new RangeError(`${membership.length} members for ${graph.nodes} nodes`)
  const degrees = new Map<number, number>()
  let inside = 0
  let all = 0
  for (let node = 0; node < graph.nodes; node++) {
    const community = membership[node]!
    for (let k = graph.offsets[node]!; k < graph.offsets[node + 1]!; k++) {
      if (membership[graph.targets[k]!] === community) inside += graph.weights[k]!
    }
    degrees.set(community, (degrees.get(community) ?? 0) + graph.degrees[node]!)
    all += graph.degrees[node]!
  }
  return inside / all - resolution * [...degrees.values()].reduce((total, degree) => total + (degree / all) ** 2, 0)
}
