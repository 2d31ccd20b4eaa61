import { once } from '../basics/memoise.ts'
import { columnOf, lanes, type Rows } from './kernels.ts'
import { starter, type Start } from './kmeans-start.ts'
import { screenOf, type Screen } from './screen.ts'
import { gatherRows, squaredDistances, squaredLengths } from './squared-distances.ts'

export interface KmeansOptions {
  readonly seed?: number
  readonly maxIterations?: number
  /** Ends the search: the squared way of all centres, as a share of a column's mean variance (scikit-learn). */
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
 * Lloyd's k-means from a greedy k-means++ start. No cluster is empty; there are fewer of them where there are fewer
 * distinct rows. Throws RangeError for less than one row or cluster.
 */
export const kmeans = (rows: Rows, clusters: number, options?: KmeansOptions): Partition =>
  partitioner(rows, options)(clusters)

/** The same for several numbers of clusters of the same rows. */
export function partitioner(rows: Rows, options: KmeansOptions = {}): (clusters: number) => Partition {
  const { seed = 0, maxIterations = 300, tolerance = 1e-4 } = options
  const lengths = squaredLengths(rows)
  const enough = tolerance * meanVariance(rows)
  const startOf = starter(rows, lengths, seed)
  const screen = once(() => (rows.data.length < fewestScreened ? undefined : screenOf(rows)))
  return (clusters) => {
    if (rows.rows < 1 || !(clusters >= 1)) throw new RangeError(`no ${clusters} clusters of ${rows.rows} rows`)
    const start = startOf(Math.min(clusters, rows.rows))
    return settle(rows, lengths, start, { enough, maxIterations }, screen())
  }
}

/**
 * Lloyd's iterations. A cluster that keeps its rows keeps its centre and its distances: these are not computed again.
 * Where screening finds the nearest centres, distances are computed for the last of them alone.
 */
function settle(
  points: Rows,
  lengths: Float64Array,
  start: Start,
  ends: { enough: number; maxIterations: number },
  screen: Screen | undefined,
): Partition {
  const centres = gatherRows(points, start.rows)
  const distances = start.distances.slice()
  const fits = points.rows * centres.rows <= mostScreened
  const screened = screen && fits ? screening(points, lengths, centres, screen) : undefined
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
    const quick = screened?.(regrouped)
    nearest = quick && hasAll(quick, centres.rows) ? { labels: quick } : measured()
    regrouped = differing(before, nearest.labels, centres.rows)
    if (moved <= ends.enough || !regrouped.includes(1) || iterations >= ends.maxIterations) {
      const { labels, squares = measured().squares } = nearest
      const inertia = squares.reduce((sum, square) => sum + square, 0)
      return { clusters: centres.rows, labels, centres: centres.data, inertia, iterations }
    }
  }
}

/** Numbers from which on a matrix is worth a screen, and distances of which two bounds may be kept. */
const [fewestScreened, mostScreened] = [2 ** 17, 2 ** 24]

/**
 * Gives the nearest centres, the first of several, exactly as 64 bits do; `moved` marks the centres that moved since
 * the last time. Distances are computed for the rows alone of which the screen cannot tell the nearest.
 */
export function screening(points: Rows, lengths: Float64Array, centres: Rows, screen: Screen) {
  const { rows, columns } = points
  // of |c|² - 2xc, which is the squared distance less |x|²
  const [least, most] = [new Float64Array(rows * centres.rows), new Float64Array(rows * centres.rows)]
  return (moved: Uint8Array): Uint32Array => {
    const marked = Array.from(moved.keys()).filter((c) => moved[c] === 1)
    const squares = squaredLengths(centres)
    const vectors = marked.map((c) => centres.data.subarray(c * columns, (c + 1) * columns))
    screen.bounds(vectors, 0, (query, low, high) => {
      const c = marked[query]!
      for (let row = 0, at = c; row < rows; row++, at += centres.rows) {
        least[at] = squares[c]! - 2 * high[row]!
        most[at] = squares[c]! - 2 * low[row]!
      }
    })
    const longest = squares.reduce((a, b) => Math.max(a, b), 0)
    const labels = new Uint32Array(rows)
    for (let row = 0, first = 0; row < rows; row++, first += centres.rows) {
      let limit = Infinity
      for (let at = first; at < first + centres.rows; at++) if (most[at]! < limit) limit = most[at]!
      // far more than the roundings of a distance in 64 bits
      limit += 2 ** -48 * (lengths[row]! + longest)
      const candidates: number[] = []
      for (let c = 0; c < centres.rows; c++) if (least[first + c]! <= limit) candidates.push(c)
      labels[row] =
        candidates.length === 1 ? candidates[0]! : nearest(points, row, lengths[row]!, centres, squares, candidates)
    }
    return labels
  }
}

/** The nearest of some centres in 64 bits, the terms added in the order of the products of `squaredDistances`. */
function nearest(
  { data, columns }: Rows,
  row: number,
  length: number,
  centres: Rows,
  squares: Float64Array,
  candidates: readonly number[],
): number {
  let [found, least] = [0, Infinity]
  for (const c of candidates) {
    let product = 0
    for (let j = 0; j < columns; j++) product += data[row * columns + j]! * centres.data[c * columns + j]!
    const distance = Math.max(0, length + squares[c]! - 2 * product)
    if (distance >= least) continue
    found = c
    least = distance
  }
  return found
}

interface Grouping {
  readonly labels: Uint32Array
  /** Squared distances to the nearest centre, where they were computed. */
  readonly squares?: Float64Array
}

/** The nearest centre of every row, the first of several; nobody's centre takes the row furthest from its own. */
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

/** Among the rows that are not alone in their cluster, the first of several; one exists where a cluster is empty. */
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
  const sums = markedSums(points, labels, rows, marks)
  let moved = 0
  for (let c = 0; c < rows; c++) {
    if (marks[c] === 0) continue
    for (let j = 0; j < columns; j++) {
      const mean = sums[c * columns + j]! / sizes[c]!
      moved += (mean - data[c * columns + j]!) ** 2
      data[c * columns + j] = mean
    }
  }
  return moved
}

function markedSums({ data, columns }: Rows, labels: Uint32Array, clusters: number, marks: Uint8Array): Float64Array {
  const sums = new Float64Array(clusters * columns)
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]!
    if (marks[label] === 1) addRow(data, row * columns, columns, sums, label * columns)
  }
  return sums
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
