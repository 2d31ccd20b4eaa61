import { highest } from '../highest.ts'
import { lanes, type Rows } from '../kernels.ts'
import { gatherRows, squaredDistances, squaredLengths } from '../squared-distances.ts'
import { transpose, type SparseRows } from '../graph.ts'
import { exp, log } from '../portable.ts'

export type Metric = 'cosine' | 'euclidean'

/** The nearest other rows of every row, nearest first, ties by index: rows x count. */
interface Neighbours {
  readonly rows: number
  readonly count: number
  readonly indices: Uint32Array
  readonly distances: Float64Array
}

/** Rows per block of distances. */
const block = 64

/**
 * The exact nearest neighbours. A cosine distance is 1 - cos, half the squared distance of the unit vectors. Needs more
 * rows than neighbours.
 */
export function nearestNeighbours(points: Rows, count: number, metric: Metric): Neighbours {
  const { rows } = points
  const vectors = metric === 'cosine' ? unitRows(points) : points
  const lengths = squaredLengths(vectors)
  const indices = new Uint32Array(rows * count)
  const distances = new Float64Array(rows * count)
  const nearness = new Float64Array(rows)
  for (let first = 0; first < rows; first += block) {
    const batch = Array.from({ length: Math.min(block, rows - first) }, (_, i) => first + i)
    const panels = squaredDistances(vectors, lengths, gatherRows(vectors, batch))
    for (const row of batch) {
      const panel = panels[Math.floor((row - first) / lanes)]!
      const lane = (row - first) % lanes
      for (let i = 0; i < rows; i++) nearness[i] = -panel[lanes * i + lane]!
      nearness[row] = -Infinity
      for (const [place, { index, score }] of highest(nearness, count).entries()) {
        indices[row * count + place] = index
        distances[row * count + place] = metric === 'cosine' ? -score / 2 : Math.sqrt(-score)
      }
    }
  }
  return { rows, count, indices, distances }
}

function unitRows({ data, rows, columns }: Rows): Rows {
  const lengths = squaredLengths({ data, rows, columns }).map((square) => Math.sqrt(square) || 1)
  return { data: Float64Array.from(data, (value, i) => value / lengths[Math.floor(i / columns)]!), rows, columns }
}

/**
 * The fuzzy simplicial set of the neighbours (McInnes, Healy and Melville 2018, algorithms 2 and 3): memberships
 * exp(-(d - ρ)/σ) that sum to log₂ k in every row, and of the two between i and j the probabilistic union a + b - ab.
 */
export function fuzzyGraph(neighbours: Neighbours): SparseRows {
  const outgoing = transpose(memberships(neighbours))
  // transposing sorts the rows
  return union(transpose(outgoing), outgoing)
}

function memberships({ rows, count, indices, distances }: Neighbours): SparseRows {
  const offsets = Uint32Array.from({ length: rows + 1 }, (_, row) => row * count)
  const weights = new Float64Array(rows * count)
  const overall = distances.reduce((sum, distance) => sum + distance, 0) / (rows * (count + 1))
  for (let row = 0; row < rows; row++) {
    const rowDistances = distances.subarray(row * count, (row + 1) * count)
    const nearest = rowDistances.find((distance) => distance > 0) ?? 0
    const width = widthOf(rowDistances, nearest, overall)
    for (let place = 0; place < count; place++) {
      weights[row * count + place] = membership(rowDistances[place]! - nearest, width)
    }
  }
  return { offsets, targets: indices, weights }
}

const membership = (excess: number, width: number): number => (excess > 0 && width > 0 ? exp(-excess / width) : 1)

/** umap-learn's SMOOTH_K_TOLERANCE, MIN_K_DIST_SCALE and n_iter. */
const tolerance = 1e-5
const leastShare = 1e-3
const halvings = 64

/** σ by bisection, at least a thousandth of the mean distance. k counts the row itself, as in umap-learn. */
function widthOf(distances: Float64Array, nearest: number, overall: number): number {
  const target = log(distances.length + 1) / Math.LN2
  let low = 0
  let high = Infinity
  let width = 1
  for (let step = 0; step < halvings; step++) {
    let sum = 0
    for (const distance of distances) sum += membership(distance - nearest, width)
    if (Math.abs(sum - target) < tolerance) break
    if (sum > target) high = width
    else low = width
    width = high === Infinity ? width * 2 : (low + high) / 2
  }
  const mean = nearest > 0 ? distances.reduce((sum, distance) => sum + distance, 0) / (distances.length + 1) : overall
  return Math.max(width, leastShare * mean)
}

/** a + b - ab of two matrices with sorted rows. */
function union(a: SparseRows, b: SparseRows): SparseRows {
  const rows = a.offsets.length - 1
  const offsets = new Uint32Array(rows + 1)
  const targets = new Uint32Array(a.targets.length + b.targets.length)
  const weights = new Float64Array(targets.length)
  let size = 0
  for (let row = 0; row < rows; row++) {
    let i = a.offsets[row]!
    let j = b.offsets[row]!
    const endOfA = a.offsets[row + 1]!
    const endOfB = b.offsets[row + 1]!
    while (i < endOfA || j < endOfB) {
      const target = Math.min(i < endOfA ? a.targets[i]! : Infinity, j < endOfB ? b.targets[j]! : Infinity)
      const ofA = i < endOfA && a.targets[i] === target ? a.weights[i++]! : 0
      const ofB = j < endOfB && b.targets[j] === target ? b.weights[j++]! : 0
      targets[size] = target
      weights[size++] = ofA + ofB - ofA * ofB
    }
    offsets[row + 1] = size
  }
  return { offsets, targets: targets.slice(0, size), weights: weights.slice(0, size) }
}
