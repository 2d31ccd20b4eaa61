import { transpose, type SparseGraph, type SparseRows } from './graph.ts'
import { sum } from './statistics/descriptive.ts'

export interface PagerankOptions {
  /** The chance to follow an edge rather than to start again, in [0, 1). */
  readonly damping?: number
  /** The L1 distance from the exact scores that may remain. */
  readonly tolerance?: number
  /** The most sweeps, at least one. */
  readonly maxIterations?: number
}

/** Node scores, which sum to 1, the number of sweeps, and whether they reached the tolerance. */
export interface Pagerank {
  readonly scores: Float64Array
  readonly iterations: number
  readonly converged: boolean
}

/** Personalised PageRank for one reset vector; for several on one graph use `pagerankSolver`. */
export const personalisedPagerank = (graph: SparseGraph, reset: ArrayLike<number>, options?: PagerankOptions) =>
  pagerankSolver(graph, options)(reset)

/**
 * Personalised PageRank by reset: p = d·Pᵀp + (1 - d)·r, r the reset divided by its sum; the mass of nodes that no
 * weight leaves goes to r (igraph's prpack, HippoRAG). A node out of reach of the reset has exactly 0. Where
 * `maxIterations` sweeps do not reach the tolerance, the scores are those of the last one, which have not converged
 * (specification of shared mechanics, section 3.2). Throws RangeError for a bad option or reset.
 */
export function pagerankSolver(graph: SparseGraph, options: PagerankOptions = {}) {
  const { damping = 0.5, tolerance = 1e-10, maxIterations = 1000 } = options
  if (!(damping >= 0 && damping < 1)) throw new RangeError(`damping ${damping} is not in [0, 1)`)
  if (!(tolerance > 0)) throw new RangeError(`tolerance ${tolerance} is not above 0`)
  if (!(maxIterations >= 1)) throw new RangeError(`maxIterations ${maxIterations} is below 1`)
  // L1 error bound: a sweep leaves a residual of at most d·change, (1 - d·P̂ᵀ)⁻¹ amplifies it by at most 1 / (1 - d),
  // and
  // dividing by Σy at most doubles it
  const distance = (2 * damping) / (1 - damping)
  const system = systemOf(graph, damping)
  return (reset: ArrayLike<number>): Pagerank => {
    normaliseReset(reset, system.restart)
    system.potentials.fill(0)
    let restarting = 1
    for (let iterations = 1; ; iterations++) {
      const pass = sweep(system, damping, restarting)
      const converged = distance * pass.change < tolerance * pass.mass
      if (converged || iterations + 1 > maxIterations) return { scores: scoresOf(system), iterations, converged }
      restarting = pass.restarting
    }
  }
}

/** Nodes by descending score; scores equal to 12 decimals keep node order. */
export function rankOf(scores: ArrayLike<number>): number[] {
  const roundedScores = Float64Array.from(scores, (score) => Math.round(score * 1e12))
  return Array.from(roundedScores.keys()).sort((a, b) => roundedScores[b]! - roundedScores[a]! || a - b)
}

/**
 * Gauss–Seidel for the unscaled y = d·P̂ᵀy + m·r with p = y / Σy, P̂ without the rows of dangling nodes and m the mass
 * that the last y lost: (1 - d) of every node, all of a dangling one. This regular splitting of the walk's singular
 * M-matrix converges on every graph because seeds feed themselves. The potentials z = y / degree save a division per
 * edge.
 */
function systemOf(graph: SparseGraph, damping: number): System {
  const { nodes, degrees } = graph
  const rows = graph.directed ? transpose(graph) : graph
  const scales = degrees.map((degree) => degree || 1)
  const loops = loopWeights(graph)
  return {
    potentials: new Float64Array(nodes),
    restart: new Float64Array(nodes),
    scales,
    leaks: degrees.map((degree) => (degree > 0 ? (1 - damping) * degree : 1)),
    gains: scales.map((scale, node) => 1 / (scale - damping * loops[node]!)),
    rows,
  }
}

/** The equations degree·z - d·Wᵀz = m·r: one number for each node, and the rows of Wᵀ. */
interface System {
  /** z, a score over the degree. */
  readonly potentials: Float64Array
  /** r, the shares of the mass m that restarts. */
  readonly restart: Float64Array
  /** The degree, or 1 where nothing leaves. */
  readonly scales: Float64Array
  /** The mass that restarts from a node, for a potential of 1. */
  readonly leaks: Float64Array
  /** One over the diagonal of the equations. */
  readonly gains: Float64Array
  readonly rows: SparseRows
}

/** One Gauss–Seidel sweep. Gives the L1 change of the unnormalised scores, their sum, and the restarting mass. */
function sweep({ potentials, restart, scales, leaks, gains, rows }: System, damping: number, restarting: number) {
  const { offsets, targets, weights } = rows
  let change = 0
  let mass = 0
  let restartMass = 0
  for (let node = 0, k = 0; node < potentials.length; node++) {
    let inflow = 0
    for (const end = offsets[node + 1]!; k < end; k++) inflow += weights[k]! * potentials[targets[k]!]!
    const before = potentials[node]!
    const scale = scales[node]!
    const after = before + gains[node]! * (restarting * restart[node]! + damping * inflow - scale * before)
    potentials[node] = after
    change += scale * Math.abs(after - before)
    mass += scale * after
    restartMass += leaks[node]! * after
  }
  return { change, mass, restarting: restartMass }
}

/** The weight of each node's self-loop. */
function loopWeights({ offsets, targets, weights }: SparseRows): Float64Array {
  const loops = new Float64Array(offsets.length - 1)
  for (let node = 0, k = 0; node < loops.length; node++)
    for (const end = offsets[node + 1]!; k < end; k++) if (targets[k] === node) loops[node] = weights[k]!
  return loops
}

function normaliseReset(reset: ArrayLike<number>, restart: Float64Array): void {
  if (reset.length !== restart.length) throw new RangeError(`${reset.length} resets for ${restart.length} nodes`)
  for (let node = 0; node < restart.length; node++) {
    if (!(reset[node]! >= 0)) throw new RangeError(`the reset of node ${node} is ${reset[node]}`)
  }
  const total = sum(reset)
  if (!(total > 0 && total < Infinity)) throw new RangeError(`the resets sum to ${total}`)
  for (let node = 0; node < restart.length; node++) restart[node] = reset[node]! / total
}

function scoresOf({ scales, potentials }: Pick<System, 'scales' | 'potentials'>): Float64Array {
  const scores = new Float64Array(scales.length)
  for (let node = 0; node < scores.length; node++) scores[node] = scales[node]! * potentials[node]!
  const total = sum(scores)
  for (let node = 0; node < scores.length; node++) scores[node]! /= total
  return scores
}
