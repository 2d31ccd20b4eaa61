import type { SparseRows } from '../graph.ts'
import { refuseNonFinite } from '../finite-rows.ts'
import { pca } from '../pca.ts'
import { mulberry32 } from '../random.ts'
import type { Matrix } from '../vectors.ts'
import { fitCurve } from './curve.ts'
import { fuzzyGraph } from './fuzzy-graph.ts'
import { nearestNeighbours, type Metric } from './nearest-neighbours.ts'
import { optimiseLayout } from './optimise-layout.ts'
import { spectralLayout } from './spectral-layout.ts'
import { cos, log } from '../portable.ts'
import type { Rows } from '../kernels.ts'

/** Defaults are those of umap-learn 0.5, but for the metric. */
export interface UmapOptions {
  /** Columns of the result. */
  readonly dimensions?: number
  /** The row itself counts. Clamped to 2 .. rows - 1. */
  readonly neighbours?: number
  readonly metric?: Metric
  readonly minDistance?: number
  readonly spread?: number
  readonly init?: 'spectral' | 'pca' | 'random'
  /** 500 up to 10 000 rows, else 200. */
  readonly epochs?: number
  readonly negativeSamples?: number
  readonly learningRate?: number
  readonly seed?: number
}

/** Up to so many rows have no neighbourhoods to keep: two neighbours would be all the others. */
const tooFew = 3

/**
 * Uniform manifold approximation and projection (McInnes, Healy and Melville 2018), rows x `dimensions`. The same seed gives the
 * same result. Any number of finite rows will do: up to three are laid out along their principal axes. Throws RangeError where a
 * number is not finite.
 */
export function umap(points: Rows, options: UmapOptions = {}): Matrix {
  const { dimensions = 2, neighbours = 15, metric = 'cosine', minDistance = 0.1, spread = 1, seed = 42 } = options
  const { init = 'spectral', negativeSamples = 5, learningRate = 1 } = options
  const { rows } = points
  refuseNonFinite(points)
  if (rows <= tooFew) return pca(points, dimensions)
  const epochs = options.epochs ?? (rows <= 10_000 ? 500 : 200)
  const random = mulberry32(seed)
  const others = Math.max(2, Math.min(neighbours, rows - 1)) - 1
  const graph = fuzzyGraph(nearestNeighbours(points, others, metric))
  const layout = scaled(startingLayout(init, graph, points, dimensions, random), dimensions, random)
  const curve = fitCurve(minDistance, spread)
  optimiseLayout(layout, dimensions, graph, { epochs, curve, negativeSamples, learningRate, random })
  return { data: Float32Array.from(layout), rows, columns: dimensions }
}

function startingLayout(
  init: 'spectral' | 'pca' | 'random',
  graph: SparseRows,
  points: Rows,
  dimensions: number,
  random: () => number,
): Float64Array {
  if (init === 'spectral') return spectralLayout(graph, points, dimensions, random)
  if (init === 'pca') return Float64Array.from(pca(points, dimensions).data)
  return Float64Array.from({ length: points.rows * dimensions }, () => random())
}

/** Every column stretched to 0 .. 10, after a little noise that parts equal rows (umap-learn's noisy_scale_coords). */
function scaled(layout: Float64Array, dimensions: number, random: () => number): Float64Array {
  const largest = layout.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  const noisy = layout.map((value) => (10 * value) / largest + 1e-4 * normal(random))
  for (let d = 0; d < dimensions; d++) {
    let [low, high] = [Infinity, -Infinity]
    for (let i = d; i < noisy.length; i += dimensions) {
      low = Math.min(low, noisy[i]!)
      high = Math.max(high, noisy[i]!)
    }
    for (let i = d; i < noisy.length; i += dimensions) noisy[i] = (10 * (noisy[i]! - low)) / (high - low)
  }
  return noisy
}

/** Box and Muller. */
const normal = (random: () => number): number => Math.sqrt(-2 * log(1 - random())) * cos(2 * Math.PI * random())
