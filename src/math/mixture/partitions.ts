import { columnOf, lanes, type Rows } from '../kernels.ts'
import { log } from '../portable.ts'
import { mulberry32 } from '../random.ts'
import { gatherRows, squaredDistances, squaredLengths } from '../squared-distances.ts'
import { sum } from '../statistics/descriptive.ts'

/** A cluster for every row, and how many clusters there are. */
interface Partition {
  readonly clusters: number
  readonly labels: Uint32Array
}

/** Convergence of k-means: the squared shift of the centres, relative to the mean column variance (scikit-learn). */
const tolerance = 1e-4

/** scikit-learn's `max_iter` of k-means. */
const maxIterations = 300

/**
 * K-means partitions of the same rows, whose mean is 0, for several cluster counts, to initialise mixtures. Seeds are
 * shared, so a sweep over 49 counts takes half the time of ml-kmeans. No cluster is empty; there are at most as many as
 * distinct rows. Needs at least one row.
 */
export function partitioner(points: Rows, seed: number): (clusters: number) => Partition {
  const lengths = squaredLengths(points)
  const leastMove = (tolerance * sum(lengths)) / points.data.length
  const startOf = seedSelector(points, lengths, seed)
  return (clusters) => runLloyd(points, lengths, startOf(Math.min(clusters, points.rows)), leastMove)
}

/** Lloyd's iterations (1982). */
function runLloyd(points: Rows, lengths: Float64Array, start: readonly number[], leastMove: number): Partition {
  const centres = gatherRows(points, start)
  let labels = nearestCentres(points, lengths, centres)
  for (let iteration = 1; ; iteration++) {
    const move = moveCentres(points, labels, centres)
    const before = labels
    labels = nearestCentres(points, lengths, centres)
    const isSettled = move <= leastMove || labels.every((label, row) => label === before[row])
    if (isSettled || iteration >= maxIterations) return { clusters: centres.rows, labels }
  }
}

/** The nearest centre of every row, ties by index; an empty cluster takes the row furthest from its centre. */
function nearestCentres(points: Rows, lengths: Float64Array, centres: Rows): Uint32Array {
  const labels = new Uint32Array(points.rows)
  const squares = new Float64Array(points.rows).fill(Infinity)
  for (const [p, panel] of squaredDistances(points, lengths, centres).entries()) {
    for (let row = 0; row < points.rows; row++) {
      for (let lane = 0; lane < lanes; lane++) {
        const square = panel[lanes * row + lane]!
        if (square >= squares[row]!) continue
        squares[row] = square
        labels[row] = lanes * p + lane
      }
    }
  }
  const sizes = new Uint32Array(centres.rows)
  for (const label of labels) sizes[label]!++
  for (let empty = sizes.indexOf(0); empty >= 0; empty = sizes.indexOf(0)) {
    const row = findFurthestRow(labels, squares, sizes)
    sizes[labels[row]!]!--
    sizes[empty]!++
    labels[row] = empty
  }
  return labels
}

/** Among rows of clusters with several rows, ties by index; one exists where a cluster is empty. */
function findFurthestRow(labels: Uint32Array, squares: Float64Array, sizes: Uint32Array): number {
  let best = -1
  for (let row = 0; row < labels.length; row++) {
    if (sizes[labels[row]!]! > 1 && (best < 0 || squares[row]! > squares[best]!)) best = row
  }
  return best
}

/** Moves every centre to the mean of its rows; returns the sum of the squared shifts. */
function moveCentres(points: Rows, labels: Uint32Array, { data: centres, rows, columns }: Rows): number {
  const sizes = new Uint32Array(rows)
  const sums = new Float64Array(rows * columns)
  for (const [row, label] of labels.entries()) {
    sizes[label]!++
    for (let j = 0; j < columns; j++) sums[label * columns + j]! += points.data[row * columns + j]!
  }
  let move = 0
  for (let i = 0; i < sums.length; i++) {
    const mean = sums[i]! / sizes[Math.floor(i / columns)]!
    move += (mean - centres[i]!) ** 2
    centres[i] = mean
  }
  return move
}

/**
 * Greedy k-means++ (Arthur and Vassilvitskii 2007; scikit-learn): of 2 + ln k rows drawn by their squared distance to
 * the nearest centre, the one that lowers the sum of those most. Gives the chosen rows; fewer where every row is a
 * centre. Cluster counts with equal numbers of trials share their first rows.
 */
function seedSelector(points: Rows, lengths: Float64Array, seed: number): (clusters: number) => readonly number[] {
  const choices = new Map<number, ReturnType<typeof seedChooser>>()
  return (clusters) => {
    const trials = 2 + Math.floor(log(clusters))
    const chooser = choices.get(trials) ?? seedChooser(points, lengths, seed, trials)
    choices.set(trials, chooser)
    return chooser(clusters)
  }
}

/** Extends the chosen rows as larger counts are requested. */
function seedChooser(points: Rows, lengths: Float64Array, seed: number, trials: number) {
  const random = mulberry32(seed)
  const nearest = new Float64Array(points.rows).fill(Infinity)
  const rows: number[] = []
  let total = Infinity
  const draw = () =>
    rows.length === 0
      ? [Math.floor(random() * points.rows)]
      : Array.from({ length: trials }, () => drawByWeight(nearest, random() * total))
  return (clusters: number): readonly number[] => {
    while (rows.length < clusters && total > 0) {
      const { row, column } = chooseAmong(draw(), points, lengths, nearest)
      rows.push(row)
      total = 0
      for (let i = 0; i < nearest.length; i++) {
        nearest[i] = Math.min(nearest[i]!, column[i]!)
        total += nearest[i]!
      }
    }
    return rows.slice(0, clusters)
  }
}

/** The candidate with the smallest remaining inertia, and the squared distances to it. */
function chooseAmong(candidates: readonly number[], points: Rows, lengths: Float64Array, nearest: Float64Array) {
  const panels = squaredDistances(points, lengths, gatherRows(points, candidates))
  const columns = candidates.map((_, d) => columnOf(panels[Math.floor(d / lanes)]!, d % lanes))
  const sums = columns.map((column) => column.reduce((sum, square, i) => sum + Math.min(square, nearest[i]!), 0))
  const best = sums.indexOf(Math.min(...sums))
  return { row: candidates[best]!, column: columns[best]! }
}

/** The index where the cumulative weight passes `mark`; never one of weight 0. */
function drawByWeight(weights: Float64Array, mark: number): number {
  let remainder = mark
  let last = 0
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue
    last = i
    remainder -= weights[i]!
    if (remainder < 0) break
  }
  return last
}
