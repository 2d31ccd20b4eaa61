import type { SparseRows } from '../graph.ts'
import type { Curve } from './curve.ts'
import { power, powerTable, type PowerTable } from './power.ts'

export interface Descent {
  readonly epochs: number
  readonly curve: Curve
  /** Rows that a row is pushed away from for each time that it is pulled to another (umap-learn: 5). */
  readonly negativeSamples: number
  /** Steps shrink from this to 0 (umap-learn: 1). */
  readonly learningRate: number
  readonly random: () => number
}

/**
 * Stochastic gradient descent on the cross-entropy of the graph's memberships and the layout's (McInnes, Healy and Melville
 * 2018, algorithm 5): changes `layout`, rows x dimensions, in place. An edge is sampled in proportion to its weight.
 */
export function optimiseLayout(layout: Float64Array, dimensions: number, graph: SparseRows, descent: Descent): void {
  const { epochs, curve, negativeSamples, learningRate, random } = descent
  const field: Field = { layout, dimensions, ...curve, powers: powerTable(curve.b) }
  const rows = graph.offsets.length - 1
  const { from, to, interval } = schedule(graph, epochs)
  const next = interval.slice()
  const nextPush = interval.map((epochsBetween) => epochsBetween / negativeSamples)
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = learningRate * (1 - epoch / epochs)
    for (let edge = 0; edge < next.length; edge++) {
      if (next[edge]! > epoch) continue
      const row = from[edge]! * dimensions
      attract(field, row, to[edge]! * dimensions, rate)
      next[edge]! += interval[edge]!
      const pushInterval = interval[edge]! / negativeSamples
      const pushes = Math.floor((epoch - nextPush[edge]!) / pushInterval)
      for (let push = 0; push < pushes; push++) repel(field, row, Math.floor(random() * rows) * dimensions, rate)
      nextPush[edge]! += pushes * pushInterval
    }
  }
}

/** What the forces between two rows of the layout follow from. They are functions of their own, and not closures, for speed. */
interface Field extends Curve {
  readonly layout: Float64Array
  readonly dimensions: number
  readonly powers: PowerTable
}

/** Moves two rows, given by where they begin, towards each other. */
function attract({ layout, dimensions, a, b, powers }: Field, i: number, j: number, rate: number): void {
  const square = squaredDistance(layout, i, j, dimensions)
  if (square === 0) return
  const raised = a * power(powers, square)
  const pull = (-2 * b * raised) / (square * (1 + raised))
  for (let d = 0; d < dimensions; d++) {
    const way = rate * clip(pull * (layout[i + d]! - layout[j + d]!))
    layout[i + d]! += way
    layout[j + d]! -= way
  }
}

/** Moves the first of two rows away from the second. */
function repel({ layout, dimensions, a, b, powers }: Field, i: number, j: number, rate: number): void {
  const square = squaredDistance(layout, i, j, dimensions)
  if (square === 0) return
  const push = (2 * b) / ((0.001 + square) * (1 + a * power(powers, square)))
  for (let d = 0; d < dimensions; d++) layout[i + d]! += rate * clip(push * (layout[i + d]! - layout[j + d]!))
}

function squaredDistance(layout: Float64Array, i: number, j: number, dimensions: number): number {
  let sum = 0
  for (let d = 0; d < dimensions; d++) {
    const difference = layout[i + d]! - layout[j + d]!
    sum += difference * difference
  }
  return sum
}

/** No coordinate moves further than this in one step, times the learning rate (umap-learn). */
const furthest = 4
const clip = (value: number): number => (value > furthest ? furthest : value < -furthest ? -furthest : value)

/** The edges heavy enough to be sampled at all, and after how many epochs each is due again. */
function schedule({ offsets, targets, weights }: SparseRows, epochs: number) {
  const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0)
  const from: number[] = []
  const to: number[] = []
  const interval: number[] = []
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
      if (weights[k]! * epochs < heaviest || weights[k] === 0) continue
      from.push(row)
      to.push(targets[k]!)
      interval.push(heaviest / weights[k]!)
    }
  }
  return { from: Uint32Array.from(from), to: Uint32Array.from(to), interval: Float64Array.from(interval) }
}
