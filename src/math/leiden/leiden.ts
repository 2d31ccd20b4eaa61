import { type SparseGraph, transpose, connectedComponents } from '../graph.ts'
import { shuffle } from '../random.ts'
import { sum } from '../statistics/descriptive.ts'
import { exp } from '../portable.ts'

/**
 * Communities of high modularity, each connected, by the Leiden algorithm (Traag, Waltman and van Eck 2019), repeated
 * until it gains nothing or `iterations` are done: of each node the number of its community, in the order in which they
 * are met. Throws RangeError for a directed graph.
 */
export function leiden(graph: SparseGraph, options: LeidenOptions): Uint32Array {
  if (graph.directed) throw new RangeError('Leiden is for undirected graphs')
  const { random, iterations = Infinity } = options
  let best: Uint32Array = Uint32Array.from(graph.degrees.keys())
  let quality = modularity(graph, best)
  for (let run = 0; run < iterations; run++) {
    const found = connectedParts(graph, improve(graph, best, random))
    const reached = modularity(graph, found)
    // without edges it is NaN, which is no gain either
    if (!(reached > quality + 1e-12)) return best
    best = found
    quality = reached
  }
  return best
}

/** One run of the algorithm from a division: move, refine, make a node of every refined part, and again from there. */
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
  /** A stream of numbers in [0, 1), which alone decides what is left to chance. */
  readonly random: () => number
  /** Runs of the algorithm, each from the division before, at most; it ends earlier where a run gains nothing. */
  readonly iterations?: number
}

/**
 * The parts of each community that hold together: beginning with every node alone, those that are well connected to the
 * rest of their community join a well-connected part at random, with a chance that grows as exp(gain / θ) (Algorithm
 * A.2, RefinePartition).
 */
function refine(graph: SparseGraph, membership: Uint32Array, random: () => number) {
  const { nodes, degrees } = graph
  const scale = 1 / sum(degrees)
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
    const part = parted[draw(gains, choices, random)]!
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

/** θ, in the unit of the weights: how readily less than the best is taken (as graspologic-native has it). */
const randomness = 0.001

/** One of the first `count` gains, by its place: the chance of each grows as exp(gain / θ). Writes over the gains. */
function draw(gains: Float64Array, count: number, random: () => number): number {
  let most = 0
  for (let k = 0; k < count; k++) most = Math.max(most, gains[k]!)
  let all = 0
  for (let k = 0; k < count; k++) all += gains[k] = exp((gains[k]! - most) / randomness)
  let left = random() * all
  for (let k = 0; k < count; k++) if ((left -= gains[k]!) < 0) return k
  // where rounding leaves a rest, it is the last
  return count - 1
}

/**
 * Moves nodes, in place, to the community of a neighbour, or to one of their own, where the modularity gains most,
 * until none gains by moving; after a move its neighbours are looked at again (Algorithm A.2, MoveNodesFast).
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

/** The communities that a node has edges to: the first `count` of `met`, and the weight of those edges in `total`. */
interface NeighbourWeights {
  readonly met: Uint32Array
  count: number
  readonly total: Float64Array
}

/**
 * Gives the weight of the edges from a node to each community among its neighbours, without its self-loop; the result
 * is reused from node to node. With `within`, only neighbours count that have the node's own number there.
 */
function neighbourWeights({ nodes, offsets, targets, weights }: SparseGraph) {
  const found: NeighbourWeights = { met: new Uint32Array(nodes), count: 0, total: new Float64Array(nodes) }
  const { met, total } = found
  return (node: number, membership: Uint32Array, within?: Uint32Array): NeighbourWeights => {
    for (let k = 0; k < found.count; k++) total[met[k]!] = 0
    let count = 0
    const end = offsets[node + 1]!
    for (let k = offsets[node]!; k < end; k++) {
      const target = targets[k]!
      const weight = weights[k]!
      if (target === node || weight === 0 || (within !== undefined && within[target] !== within[node])) continue
      const community = membership[target]!
      if (total[community] === 0) met[count++] = community
      total[community]! += weight
    }
    found.count = count
    return found
  }
}

/** The graph of the `count` parts of another: edges between parts add up, those within become self-loops. */
function aggregate(
  { offsets, targets, weights, degrees }: SparseGraph,
  parts: Uint32Array,
  count: number,
): SparseGraph {
  const members = byPart(parts, count)
  const rows = { offsets: new Uint32Array(count + 1), targets: targets.slice(), weights: weights.slice() }
  const total = new Float64Array(count)
  const seenIn = new Int32Array(count).fill(-1)
  const merged = { degrees: new Float64Array(count), entries: 0 }
  for (let part = 0; part < count; part++) {
    const first = merged.entries
    for (let place = members.offsets[part]!; place < members.offsets[part + 1]!; place++) {
      const node = members.nodes[place]!
      merged.degrees[part]! += degrees[node]!
      const end = offsets[node + 1]!
      for (let k = offsets[node]!; k < end; k++) {
        const target = parts[targets[k]!]!
        if (seenIn[target] !== part) {
          seenIn[target] = part
          total[target] = 0
          rows.targets[merged.entries++] = target
        }
        total[target]! += weights[k]!
      }
    }
    for (let k = first; k < merged.entries; k++) rows.weights[k] = total[rows.targets[k]!]!
    rows.offsets[part + 1] = merged.entries
  }
  const trimmed = {
    offsets: rows.offsets,
    targets: rows.targets.subarray(0, merged.entries),
    weights: rows.weights.subarray(0, merged.entries),
  }
  // it is symmetric, so its transpose is itself with the neighbours in ascending order
  return { nodes: count, directed: false, ...transpose(trimmed), degrees: merged.degrees }
}

/** The nodes of each part, one part after the other. */
function byPart(parts: Uint32Array, count: number) {
  const offsets = new Uint32Array(count + 1)
  for (const part of parts) offsets[part + 1]!++
  for (let part = 0; part < count; part++) offsets[part + 1]! += offsets[part]!
  const next = offsets.slice()
  const nodes = new Uint32Array(parts.length)
  parts.forEach((part, node) => (nodes[next[part]!++] = node))
  return { offsets, nodes }
}

/** The same division, its communities numbered from 0 in the order in which they are met; and how many there are. */
function renumber(membership: Uint32Array) {
  const numbers = new Map<number, number>()
  for (const community of membership) if (!numbers.has(community)) numbers.set(community, numbers.size)
  return { membership: membership.map((community) => numbers.get(community)!), count: numbers.size }
}

/** A division whose communities are cut into their connected parts, numbered in the order in which they are met. */
export const connectedParts = (graph: SparseGraph, membership: ArrayLike<number>): Uint32Array => {
  const { targets, weights } = graph
  return connectedComponents(graph, (node, k) => membership[targets[k]!] === membership[node] && weights[k] !== 0)
}

/**
 * Modularity Σ_c [L_c/m - γ·(d_c/2m)²] of a division, `membership` the community of each node and γ the resolution
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
