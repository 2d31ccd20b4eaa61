import { columnOf, lanes, type Rows } from './kernels.ts'
import { log } from './portable.ts'
import { mulberry32 } from './random.ts'
import { gatherRows, squaredDistances } from './squared-distances.ts'

/** Rows that are far from each other, and the squared distances of all rows to each of them. */
export interface Start {
  readonly rows: readonly number[]
  readonly distances: readonly Float64Array[]
}

/**
 * Greedy k-means++ (Arthur and Vassilvitskii 2007; scikit-learn): of 2 + ln k rows drawn by their squared distance to
 * the nearest centre, the one that lowers the sum of those most. Gives the rows chosen; fewer where every row lies on a
 * centre. Numbers of clusters that draw equally often begin with the same rows: these are chosen once.
 */
export function starter(points: Rows, lengths: Float64Array, seed: number): (clusters: number) => Start {
  const choices = new Map<number, ReturnType<typeof choice>>()
  return (clusters) => {
    const trials = 2 + Math.floor(log(clusters))
    const chosen = choices.get(trials) ?? choice(points, lengths, seed, trials)
    choices.set(trials, chosen)
    return chosen(clusters)
  }
}

/** Rows chosen one after another; asked for more than before, it goes on where it was. */
function choice(points: Rows, lengths: Float64Array, seed: number, trials: number): (clusters: number) => Start {
  const random = mulberry32(seed)
  const nearest = new Float64Array(points.rows).fill(Infinity)
  const rows: number[] = []
  const distances: Float64Array[] = []
  let total = Infinity
  const draw = () =>
    rows.length === 0
      ? [Math.floor(random() * points.rows)]
      : Array.from({ length: trials }, () => drawByWeight(nearest, random() * total))
  return (clusters) => {
    while (rows.length < clusters && total > 0) {
      const { row, column } = chooseAmong(draw(), points, lengths, nearest)
      rows.push(row)
      distances.push(column)
      for (let i = 0; i < nearest.length; i++) nearest[i] = Math.min(nearest[i]!, column[i]!)
      total = sum(nearest)
    }
    return { rows: rows.slice(0, clusters), distances: distances.slice(0, clusters) }
  }
}

/** The drawn row that leaves the smallest sum of squares, and the squared distances to it. */
function chooseAmong(drawn: readonly number[], points: Rows, lengths: Float64Array, nearest: Float64Array) {
  const panels = squaredDistances(points, lengths, gatherRows(points, drawn))
  const columns = drawn.map((_, d) => columnOf(panels[Math.floor(d / lanes)]!, d % lanes))
  const sums = columns.map((column) => sumOfNearer(column, nearest))
  const best = sums.indexOf(Math.min(...sums))
  return { row: drawn[best]!, column: columns[best]! }
}

function sumOfNearer(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += Math.min(a[i]!, b[i]!)
  return total
}

function sum(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total
}

/** The place where the running sum of the weights passes `mark`, never one of weight 0. */
function drawByWeight(weights: Float64Array, mark: number): number {
  let left = mark
  let last = 0
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue
    last = i
    left -= weights[i]!
    if (left < 0) break
  }
  return last
}
