import type { SparseRows } from '../graph.ts'
import { refuseNonFinite, pca } from '../pca.ts'
import { mulberry32, normal } from '../random.ts'
import type { Matrix } from '../vectors.ts'
import { fuzzyGraph, nearestNeighbours } from './neighbours.ts'
import { spectralLayout } from './spectral-layout.ts'
import { pow } from '../portable.ts'
import type { Rows } from '../kernels.ts'

export interface UmapOptions {
  /** Columns of the result. */
  readonly dimensions: number
  /** The row itself counts. Clamped to 2 .. rows - 1. */
  readonly neighbours: number
  readonly seed: number
}

/** Up to three rows, two neighbours are all others. */
const tooFew = 3

/**
 * Uniform manifold approximation and projection (McInnes, Healy and Melville 2018), rows x `dimensions`, by cosine and
 * with the defaults of umap-learn 0.5, its spectral start among them: a random start, as umap-js has it, gave no better
 * mixtures in 20 seeds (adjusted Rand index .784 ± .029 against .766 ± .023 on blobs, .389 ± .005 against .381 ± .005
 * on chunks of 15 documents, .013 against .013 on overlapping blobs). The same seed gives the same result. Up to three
 * rows are laid out along their principal axes. Throws RangeError where a number is not finite.
 */
export function umap(points: Rows, { dimensions, neighbours, seed }: UmapOptions): Matrix {
  const { rows } = points
  refuseNonFinite(points)
  if (rows <= tooFew) return pca(points, dimensions)
  const random = mulberry32(seed)
  const neighbourCount = Math.max(2, Math.min(neighbours, rows - 1)) - 1
  const graph = fuzzyGraph(nearestNeighbours(points, neighbourCount, 'cosine'))
  const layout = rescale(spectralLayout(graph, points, dimensions, random), dimensions, random)
  optimiseLayout(layout, dimensions, graph, random)
  return { data: Float32Array.from(layout), rows, columns: dimensions }
}

/** Scales every column to 0 .. 10, after noise that separates equal rows (umap-learn's noisy_scale_coords). */
function rescale(layout: Float64Array, dimensions: number, random: () => number): Float64Array {
  const largest = layout.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  const noisy = layout.map((value) => (10 * value) / largest + 1e-4 * normal(random))
  for (let d = 0; d < dimensions; d++) {
    let low = Infinity
    let high = -Infinity
    for (let i = d; i < noisy.length; i += dimensions) {
      low = Math.min(low, noisy[i]!)
      high = Math.max(high, noisy[i]!)
    }
    for (let i = d; i < noisy.length; i += dimensions) noisy[i] = (10 * (noisy[i]! - low)) / (high - low)
  }
  return noisy
}

/** The similarity 1 / (1 + a d^2b) of points d apart: nearest to 1 up to .1 and exp(.1 - d) beyond (umap-learn). */
const curve = { a: 1.5769436135108812, b: 0.8950607193590155 }

/** Negative samples per positive one (umap-learn). */
const negativeSamples = 5

/**
 * Stochastic gradient descent on the cross-entropy of the graph's memberships and the layout's (McInnes, Healy and
 * Melville 2018, algorithm 5): changes `layout`, rows x dimensions, in place. An edge is sampled in proportion to its
 * weight.
 */
function optimiseLayout(layout: Float64Array, dimensions: number, graph: SparseRows, random: () => number): void {
  const field: Field = { layout, dimensions, powers: powerTable(curve.b) }
  const rows = graph.offsets.length - 1
  const epochs = rows <= 10_000 ? 500 : 200
  const { from, to, interval } = schedule(graph, epochs)
  const next = interval.slice()
  const nextPush = interval.map((epochsBetween) => epochsBetween / negativeSamples)
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = 1 - epoch / epochs
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

/** Arguments of the force functions; no closures, for speed. */
interface Field {
  readonly layout: Float64Array
  readonly dimensions: number
  readonly powers: PowerTable
}

/** Moves two rows, given by where they begin, towards each other. */
function attract({ layout, dimensions, powers }: Field, i: number, j: number, rate: number): void {
  const square = squaredDistance(layout, i, j, dimensions)
  if (square === 0) return
  const curvePower = curve.a * power(powers, square)
  const pull = (-2 * curve.b * curvePower) / (square * (1 + curvePower))
  for (let d = 0; d < dimensions; d++) {
    const way = rate * clip(pull * (layout[i + d]! - layout[j + d]!))
    layout[i + d]! += way
    layout[j + d]! -= way
  }
}

/** Moves the first of two rows away from the second. */
function repel({ layout, dimensions, powers }: Field, i: number, j: number, rate: number): void {
  const square = squaredDistance(layout, i, j, dimensions)
  if (square === 0) return
  const push = (2 * curve.b) / ((0.001 + square) * (1 + curve.a * power(powers, square)))
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

/** Gradient clipping (umap-learn). */
const maxStep = 4
const clip = (value: number): number => (value > maxStep ? maxStep : value < -maxStep ? -maxStep : value)

/** The edges heavy enough to be sampled, and their sampling intervals in epochs. */
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

/** A lookup table of powers, indexed by the leading bits of a float32. */
interface PowerTable {
  readonly table: Float64Array
  readonly float: Float32Array
  /** The same four bytes. */
  readonly bits: Uint32Array
}

/** Fraction bits of the index; values between entries are interpolated linearly. */
const steps = 5
const rest = 23 - steps

export function powerTable(exponent: number): PowerTable {
  const float = new Float32Array(1)
  const bits = new Uint32Array(float.buffer)
  const table = Float64Array.from({ length: 2 ** (8 + steps) }, (_, entry) => {
    bits[0] = entry << rest
    return pow(float[0]!, exponent)
  })
  return { table, float, bits }
}

/** x ** exponent for 0 <= x < 2^127 and exponents up to 2, with relative error 3e-4, in a tenth of the time. */
export function power({ table, float, bits }: PowerTable, x: number): number {
  float[0] = x
  const entry = bits[0]! >>> rest
  const part = (bits[0]! & (2 ** rest - 1)) / 2 ** rest
  return table[entry]! + part * (table[entry + 1]! - table[entry]!)
}
