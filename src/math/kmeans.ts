import { startRows } from './kmeans-start.ts'
import { lanes } from './spectrum/kernels.ts'
import type { Rows } from './spectrum/products.ts'
import { gatherRows, squaredDistances, squaredLengths } from './squared-distances.ts'

export interface KmeansOptions {
  readonly seed?: number
  readonly maxIterations?: number
  /** Ends the search: the squared way of all centres in one iteration, as a share of a column's mean variance (scikit-learn). */
  readonly tolerance?: number
}

/** A cluster for every row, the centres (clusters x columns), and the sum of the squared distances to them. */
export interface Partition {
  readonly clusters: number
  readonly labels: Uint32Array
  readonly centres: Float64Array
  readonly inertia: number
  readonly iterations: number
}

/**
 * Lloyd's k-means from a greedy k-means++ start. No cluster is empty; there are fewer of them where there are fewer distinct
 * rows. Throws RangeError for less than one row or cluster.
 */
export function kmeans(points: Rows, clusters: number, options: KmeansOptions = {}): Partition {
  const { seed = 0, maxIterations = 300, tolerance = 1e-4 } = options
  if (points.rows < 1 || !(clusters >= 1)) throw new RangeError(`no ${clusters} clusters of ${points.rows} rows`)
  const lengths = squaredLengths(points)
  const enough = tolerance * meanVariance(points)
  const centres = gatherRows(points, startRows(points, Math.min(clusters, points.rows), seed))
  let nearest = nearestCentres(points, lengths, centres)
  for (let iterations = 1; ; iterations++) {
    const moved = moveCentres(points, nearest, centres)
    const before = nearest.labels
    nearest = nearestCentres(points, lengths, centres)
    const { labels, squares } = nearest
    const settled = moved <= enough || labels.every((label, row) => label === before[row])
    if (settled || iterations >= maxIterations) {
      const inertia = squares.reduce((sum, square) => sum + square, 0)
      return { clusters: centres.rows, labels, centres: centres.data, inertia, iterations }
    }
  }
}

interface Nearest {
  readonly labels: Uint32Array
  /** Squared distances to the nearest centre. */
  readonly squares: Float64Array
}

/** The nearest centre of every row, the first of several; a centre that is nobody's takes the row that is furthest from its own. */
function nearestCentres(points: Rows, lengths: Float64Array, centres: Rows): Nearest {
  const labels = new Uint32Array(points.rows)
  const squares = new Float64Array(points.rows).fill(Infinity)
  const sizes = new Uint32Array(centres.rows)
  for (const [p, panel] of squaredDistances(points, lengths, centres).entries()) {
    for (let at = 0, row = 0; row < points.rows; row++) {
      for (let v = 0; v < lanes; v++, at++) {
        if (panel[at]! >= squares[row]!) continue
        squares[row] = panel[at]!
        labels[row] = lanes * p + v
      }
    }
  }
  for (let row = 0; row < points.rows; row++) sizes[labels[row]!]!++
  for (let empty = sizes.indexOf(0); empty >= 0; empty = sizes.indexOf(0)) {
    const row = furthest(labels, squares, sizes)
    sizes[labels[row]!]!--
    sizes[empty]!++
    labels[row] = empty
  }
  return { labels, squares }
}

/** Among the rows that are not alone in their cluster, the first of several; there is one while another cluster is empty. */
function furthest(labels: Uint32Array, squares: Float64Array, sizes: Uint32Array): number {
  let found = -1
  for (let row = 0; row < labels.length; row++) {
    if (sizes[labels[row]!]! > 1 && (found < 0 || squares[row]! > squares[found]!)) found = row
  }
  return found
}

/** Puts every centre in the middle of its rows and gives the sum of the squared ways they went. */
function moveCentres({ data, columns }: Rows, { labels }: Nearest, centres: Rows): number {
  const sums = new Float64Array(centres.data.length)
  const sizes = new Uint32Array(centres.rows)
  for (let row = 0; row < labels.length; row++) {
    const from = row * columns
    const to = labels[row]! * columns
    sizes[labels[row]!]!++
    for (let j = 0; j < columns; j++) sums[to + j]! += data[from + j]!
  }
  let moved = 0
  for (let i = 0; i < sums.length; i++) {
    const mean = sums[i]! / sizes[Math.floor(i / columns)]!
    moved += (mean - centres.data[i]!) ** 2
    centres.data[i] = mean
  }
  return moved
}

function meanVariance(points: Rows): number {
  const { data, rows, columns } = points
  const whole = { data: new Float64Array(columns), rows: 1, columns }
  moveCentres(points, { labels: new Uint32Array(rows), squares: new Float64Array() }, whole)
  let squares = 0
  for (let i = 0; i < data.length; i++) squares += (data[i]! - whole.data[i % columns]!) ** 2
  return data.length === 0 ? 0 : squares / data.length
}
