import type { Factors } from '../../math/spectrum/factors.ts'
import { forEachPair } from '../../math/spectrum/strips.ts'
import type { Graph } from '../../types.ts'
import { weightOf } from './edges.ts'
import type { GemOptions } from './options.ts'

/** The edges that are drawn, and how many of positive weight are not. */
export interface StrongestEdges {
  readonly edges: Graph['edges']
  readonly leftOut: number
}

/**
 * Of every node its so many strongest edges of positive weight W, each edge once, in the order of their nodes. The graph is complete:
 * O(n²d) time, in blocks, and memory that grows with the nodes alone.
 */
export function strongestEdges(factors: Factors, symmetrize: GemOptions['symmetrize'], most: number): StrongestEdges {
  const n = factors.a.rows
  // of every node: its neighbours, heaviest first, equal ones by lower index; weight 0: none
  const weights = new Float64Array(n * most)
  const neighbours = new Uint32Array(n * most)
  const offer = (node: number, other: number, weight: number): void => {
    const first = node * most
    let place = first + most - 1
    if (!(weight > (weights[place] ?? Infinity))) return
    for (; place > first && (weights[place - 1] ?? 0) < weight; place--) {
      weights[place] = weights[place - 1] ?? 0
      neighbours[place] = neighbours[place - 1] ?? 0
    }
    weights[place] = weight
    neighbours[place] = other
  }
  let positive = 0
  forEachPair(factors, (i, j, above, below) => {
    if (i === j) return true
    const weight = weightOf(above, below, symmetrize)
    if (weight > 0) positive++
    offer(i, j, weight)
    offer(j, i, weight)
    return true
  })
  const has = (node: number, other: number): boolean =>
    neighbours.subarray(node * most, (node + 1) * most).some((one, at) => one === other && isEdge(node * most + at))
  const isEdge = (place: number): boolean => (weights[place] ?? 0) > 0
  const edges = Array.from(weights, (weight, place) => ({
    from: Math.floor(place / most),
    to: neighbours[place] ?? 0,
    weight,
  }))
    .filter(({ from, to, weight }) => weight > 0 && (from < to || !has(to, from)))
    .map(({ from, to, weight }) => ({ from: Math.min(from, to), to: Math.max(from, to), weight }))
  return { edges, leftOut: positive - edges.length }
}
