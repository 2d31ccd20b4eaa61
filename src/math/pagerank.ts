import { transpose, type SparseGraph, type SparseRows } from './graph.ts'
import { sum } from './statistics/sum.ts'

export interface PagerankOptions {
  /** The chance to follow an edge rather than to start again, in [0, 1). */
  readonly damping?: number
  /** The L1 distance from the exact scores that may remain. */
  readonly tolerance?: number
  readonly maxIterations?: number
}

/** Scores of the nodes, which sum to 1, and the sweeps that they took. */
export interface Pagerank {
  readonly scores: Float64Array
  readonly iterations: number
}

/** Personalised PageRank of one reset; of many on one graph, `pagerankSolver` is cheaper and says what is computed. */
export const personalisedPagerank = (graph: SparseGraph, reset: ArrayLike<number>, options?: PagerankOptions) =>
  pagerankSolver(graph, options)(reset)

/**
 * Personalised PageRank by reset: p = d·Pᵀp + (1 - d)·r, r the reset divided by its sum; the mass of nodes that no weight
 * leaves goes to r (igraph's prpack, HippoRAG). A node out of reach of the reset has exactly 0.
 * Throws RangeError for a bad option or reset, and when `maxIterations` sweeps do not reach the tolerance.
 */
export function pagerankSolver(graph: SparseGraph, options: PagerankOptions = {}) {
  const { damping = 0.5, tolerance = 1e-10, maxIterations = 1000 } = options
  if (!(damping >= 0 && damping < 1)) throw new RangeError(`damping ${damping} is not in [0, 1)`)
  if (!(tolerance > 0)) throw new RangeError(`tolerance ${tolerance} is not above 0`)
  const system = systemOf(graph, damping)
  const restart = new Float64Array(graph.nodes)
  const potentials = new Float64Array(graph.nodes)
  const before = new Float64Array(graph.nodes)
  return (reset: ArrayLike<number>): Pagerank => {
    share(reset, restart)
    potentials.fill(0)
    let restarting = 1
    for (let iterations = 1; iterations <= maxIterations; iterations++) {
      before.set(potentials)
      sweep(system, restart, restarting, potentials)
      const swept = tally(system, before, potentials)
      if (system.distance * swept.change < tolerance * swept.mass) {
        return { scores: scoresOf(system, potentials), iterations }
      }
      restarting = swept.restarting
    }
    throw new RangeError(`PageRank is not within ${tolerance} after ${maxIterations} sweeps`)
  }
}

/** Node numbers from the highest score down; scores that agree to 12 decimals keep the order of the nodes. */
export function rankOf(scores: ArrayLike<number>): number[] {
  const rounded = Float64Array.from(scores, (score) => Math.round(score * 1e12))
  return Array.from(rounded.keys()).sort((a, b) => rounded[b]! - rounded[a]! || a - b)
}

/**
 * Gauss–Seidel for the unscaled y = d·P̂ᵀy + m·r with p = y / Σy, P̂ without a way out of dangling nodes and m what the last y lost:
 * (1 - d) of every node, all of a dangling one. This is a regular splitting of the singular M-matrix of the whole walk, which
 * settles on every graph because seeds feed themselves. The potentials z = y / degree spare a division for every edge.
 */
interface System {
  readonly incoming: SparseRows
  readonly damping: number
  /** Of each node: its degree, or 1 where nothing leaves. */
  readonly scales: Float64Array
  /** The mass that restarts from each node, for a potential of 1. */
  readonly leaks: Float64Array
  /** One over the diagonal of degree·z - d·Wᵀz = m·r. */
  readonly gains: Float64Array
  /** No more than this times change / mass from the exact scores, in L1. */
  readonly distance: number
}

function systemOf(graph: SparseGraph, damping: number): System {
  const incoming = graph.directed ? transpose(graph) : graph
  const scales = new Float64Array(graph.nodes)
  const leaks = new Float64Array(graph.nodes)
  const gains = new Float64Array(graph.nodes)
  // a sweep leaves a residual of at most d·change, the inverse of 1 - d·P̂ᵀ makes of it at most 1 / (1 - d) times as much,
  // and the division by Σy at most doubles it
  const distance = (2 * damping) / (1 - damping)
  const system = { incoming, damping, scales, leaks, gains, distance }
  for (let node = 0; node < graph.nodes; node++) {
    const degree = graph.degrees[node]!
    scales[node] = degree || 1
    leaks[node] = degree > 0 ? (1 - damping) * degree : 1
    gains[node] = 1 / (scales[node]! - damping * loopWeight(graph, node))
  }
  return system
}

/** The weight from a node to itself, by halving its row. */
function loopWeight({ offsets, targets, weights }: SparseRows, node: number): number {
  let low = offsets[node]!
  let high = offsets[node + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (targets[middle]! < node) low = middle + 1
    else high = middle
  }
  return low < offsets[node + 1]! && targets[low] === node ? weights[low]! : 0
}

function share(reset: ArrayLike<number>, restart: Float64Array): void {
  if (reset.length !== restart.length) throw new RangeError(`${reset.length} resets for ${restart.length} nodes`)
  for (let node = 0; node < restart.length; node++) {
    if (!(reset[node]! >= 0)) throw new RangeError(`the reset of node ${node} is ${reset[node]}`)
  }
  const total = sum(reset)
  if (!(total > 0 && total < Infinity)) throw new RangeError(`the resets sum to ${total}`)
  for (let node = 0; node < restart.length; node++) restart[node] = reset[node]! / total
}

/** One pass over the nodes, each solved from the newest potentials of the others. */
function sweep(system: System, restart: Float64Array, restarting: number, potentials: Float64Array): void {
  const { incoming, damping, scales, gains } = system
  const { offsets, targets: to, weights } = incoming
  for (let node = 0, k = 0; node < potentials.length; node++) {
    const end = offsets[node + 1]!
    let pulled = 0
    // in the order of the entries, eight at a time: what an engine checks of an array it checks once for all of them
    for (; k + 7 < end; k += 8) {
      pulled += weights[k]! * potentials[to[k]!]!
      pulled += weights[k + 1]! * potentials[to[k + 1]!]!
      pulled += weights[k + 2]! * potentials[to[k + 2]!]!
      pulled += weights[k + 3]! * potentials[to[k + 3]!]!
      pulled += weights[k + 4]! * potentials[to[k + 4]!]!
      pulled += weights[k + 5]! * potentials[to[k + 5]!]!
      pulled += weights[k + 6]! * potentials[to[k + 6]!]!
      pulled += weights[k + 7]! * potentials[to[k + 7]!]!
    }
    for (; k < end; k++) pulled += weights[k]! * potentials[to[k]!]!
    const held = potentials[node]!
    potentials[node] = held + gains[node]! * (restarting * restart[node]! + damping * pulled - scales[node]! * held)
  }
}

/** What a sweep did to y: its L1 change, its new sum, and what of it restarts. */
function tally({ scales, leaks }: System, before: Float64Array, after: Float64Array) {
  let change = 0
  let mass = 0
  let restarting = 0
  for (let node = 0; node < after.length; node++) {
    change += scales[node]! * Math.abs(after[node]! - before[node]!)
    mass += scales[node]! * after[node]!
    restarting += leaks[node]! * after[node]!
  }
  return { change, mass, restarting }
}

function scoresOf({ scales }: System, potentials: Float64Array): Float64Array {
  const scores = new Float64Array(scales.length)
  for (let node = 0; node < scores.length; node++) scores[node] = scales[node]! * potentials[node]!
  const total = sum(scores)
  for (let node = 0; node < scores.length; node++) scores[node]! /= total
  return scores
}
