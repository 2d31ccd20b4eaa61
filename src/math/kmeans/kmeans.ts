import { screenedAtOnce, screening } from './screening.ts'
import { starter, type Start } from './start.ts'
import { lanes } from '../wasm/kernels.ts'
import type { Rows } from '../wasm/panel.ts'
import { wasmProducts, allocateNumbers } from '../wasm/wasm-matrix.ts'
import { columnOf, gatherRows, squaredDistances, squaredLengths } from './squared-distances.ts'

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
export const kmeans = (rows: Rows, clusters: number, options?: KmeansOptions): Partition =>
  partitioner(rows, options)(clusters)

/** The same for several numbers of clusters of the same rows. */
export function partitioner(rows: Rows, options: KmeansOptions = {}): (clusters: number) => Partition {
  const { seed = 0, maxIterations = 300, tolerance = 1e-4 } = options
  const points = inQuickMemory(rows)
  const lengths = squaredLengths(points)
  const enough = tolerance * meanVariance(points)
  const startOf = starter(points, lengths, seed)
  return (clusters) => {
    if (rows.rows < 1 || !(clusters >= 1)) throw new RangeError(`no ${clusters} clusters of ${rows.rows} rows`)
    const start = startOf(Math.min(clusters, rows.rows))
    return settle(points, lengths, start, { enough, maxIterations })
  }
}

/**
 * Lloyd's iterations. A cluster that keeps its rows keeps its centre and its distances: these are not computed again. Where screening
 * finds the nearest centres, distances are computed for the last of them alone.
 */
function settle(points: Rows, lengths: Float64Array, start: Start, ends: { enough: number; maxIterations: number }) {
  const centres = gatherRows(points, start.rows)
  const distances = start.distances.slice()
  const screened = screening(points, lengths, centres)
  const outdated = new Uint8Array(centres.rows)
  const measured = () => {
    measure(points, lengths, centres, outdated, distances)
    outdated.fill(0)
    return nearestCentres(distances)
  }
  let nearest: Grouping = nearestCentres(distances)
  let regrouped: Uint8Array = new Uint8Array(centres.rows).fill(1)
  for (let iterations = 1; ; iterations++) {
    const moved = moveCentres(points, nearest.labels, centres, regrouped)
    for (let c = 0; c < centres.rows; c++) outdated[c]! |= regrouped[c]!
    const before = nearest.labels
    const quick = screened?.(before, regrouped)
    nearest = quick && hasAll(quick, centres.rows) ? { labels: quick } : measured()
    regrouped = differing(before, nearest.labels, centres.rows)
    if (moved <= ends.enough || !regrouped.includes(1) || iterations >= ends.maxIterations) {
      const { labels, squares = measured().squares } = nearest
      const inertia = squares.reduce((sum, square) => sum + square, 0)
      return { clusters: centres.rows, labels, centres: centres.data, inertia, iterations }
    }
  }
}

/** A copy where many products with the same rows are quick. */
function inQuickMemory({ data, rows, columns }: Rows): Rows {
  const Numbers = data instanceof Float32Array ? Float32Array : Float64Array
  const numbers = allocateNumbers(Numbers, rows, columns, screenedAtOnce)
  numbers.set(data)
  return { data: numbers, rows, columns }
}

interface Grouping {
  readonly labels: Uint32Array
  /** Squared distances to the nearest centre, where they were computed. */
  readonly squares?: Float64Array
}

/** The nearest centre of every row, the first of several; a centre that is nobody's takes the row that is furthest from its own. */
function nearestCentres(distances: readonly Float64Array[]): Required<Grouping> {
  const labels = new Uint32Array(distances[0]!.length)
  const squares = distances[0]!.slice()
  for (let c = 1; c < distances.length; c++) takeNearer(distances[c]!, c, squares, labels)
  const sizes = new Uint32Array(distances.length)
  for (let row = 0; row < labels.length; row++) sizes[labels[row]!]!++
  for (let empty = sizes.indexOf(0); empty >= 0; empty = sizes.indexOf(0)) {
    const row = furthest(labels, squares, sizes)
    sizes[labels[row]!]!--
    sizes[empty]!++
    labels[row] = empty
  }
  return { labels, squares }
}

function takeNearer(column: Float64Array, label: number, squares: Float64Array, labels: Uint32Array): void {
  for (let row = 0; row < column.length; row++) {
    if (column[row]! >= squares[row]!) continue
    squares[row] = column[row]!
    labels[row] = label
  }
}

/** Among the rows that are not alone in their cluster, the first of several; there is one while another cluster is empty. */
function furthest(labels: Uint32Array, squares: Float64Array, sizes: Uint32Array): number {
  let found = -1
  for (let row = 0; row < labels.length; row++) {
    if (sizes[labels[row]!]! > 1 && (found < 0 || squares[row]! > squares[found]!)) found = row
  }
  return found
}

function hasAll(labels: Uint32Array, clusters: number): boolean {
  const seen = new Uint8Array(clusters)
  for (let row = 0; row < labels.length; row++) seen[labels[row]!] = 1
  return !seen.includes(0)
}

/** Marks the clusters that lost or gained a row. */
function differing(before: Uint32Array, labels: Uint32Array, clusters: number): Uint8Array {
  const marks = new Uint8Array(clusters)
  for (let row = 0; row < labels.length; row++) {
    if (labels[row] !== before[row]) marks[before[row]!] = marks[labels[row]!] = 1
  }
  return marks
}

/** Puts every marked centre in the middle of its rows and gives the sum of the squared ways they went. */
function moveCentres(points: Rows, labels: Uint32Array, { data, rows, columns }: Rows, marks: Uint8Array): number {
  const sizes = new Uint32Array(rows)
  for (let row = 0; row < labels.length; row++) sizes[labels[row]!]!++
  const sums = wasmProducts(points)?.group(labels, rows) ?? markedSums(points, labels, rows, marks)
  const { stride = columns } = sums
  let moved = 0
  for (let c = 0; c < rows; c++) {
    if (marks[c] === 0) continue
    for (let j = 0; j < columns; j++) {
      const mean = sums.data[c * stride + j]! / sizes[c]!
      moved += (mean - data[c * columns + j]!) ** 2
      data[c * columns + j] = mean
    }
  }
  return moved
}

function markedSums({ data, columns }: Rows, labels: Uint32Array, clusters: number, marks: Uint8Array): Rows {
  const sums = new Float64Array(clusters * columns)
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]!
    if (marks[label] === 1) addRow(data, row * columns, columns, sums, label * columns)
  }
  return { data: sums, rows: clusters, columns }
}

/** Four at a time: what an engine checks of an array it checks once for all of them. */
function addRow(data: Rows['data'], at: number, columns: number, sums: Float64Array, to: number): void {
  const end = at + columns
  let [i, s] = [at, to]
  for (; i + 3 < end; i += 4, s += 4) {
    sums[s]! += data[i]!
    sums[s + 1]! += data[i + 1]!
    sums[s + 2]! += data[i + 2]!
    sums[s + 3]! += data[i + 3]!
  }
  for (; i < end; i++, s++) sums[s]! += data[i]!
}

/** Computes the squared distances of all rows to the marked centres. */
function measure(points: Rows, lengths: Float64Array, centres: Rows, marks: Uint8Array, into: Float64Array[]): void {
  const marked = Array.from(marks.keys()).filter((c) => marks[c] === 1)
  const panels = squaredDistances(points, lengths, gatherRows(centres, marked))
  for (const [place, c] of marked.entries()) into[c] = columnOf(panels[Math.floor(place / lanes)]!, place % lanes)
}

function meanVariance({ data, rows, columns }: Rows): number {
  const middle = { data: new Float64Array(columns), rows: 1, columns }
  moveCentres({ data, rows, columns }, new Uint32Array(rows), middle, Uint8Array.of(1))
  let squares = 0
  for (let i = 0; i < data.length;) for (let j = 0; j < columns; i++, j++) squares += (data[i]! - middle.data[j]!) ** 2
  return data.length === 0 ? 0 : squares / data.length
}
