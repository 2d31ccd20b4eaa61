import { mulberry32 } from './random.ts'
import { lanes } from './spectrum/kernels.ts'
import type { Rows } from './spectrum/products.ts'
import { gatherRows, squaredDistances, squaredLengths } from './squared-distances.ts'

/**
 * Greedy k-means++ (Arthur and Vassilvitskii 2007; scikit-learn): of 2 + ln k rows drawn by their squared distance to the
 * nearest centre, the one that lowers the sum of those most. Gives the rows chosen; fewer where every row lies on a centre.
 */
export function startRows(points: Rows, clusters: number, seed: number): number[] {
  const random = mulberry32(seed)
  const trials = 2 + Math.floor(Math.log(clusters))
  const lengths = squaredLengths(points)
  const nearest = new Float64Array(points.rows).fill(Infinity)
  const chosen: number[] = []
  let drawn = [Math.floor(random() * points.rows)]
  for (;;) {
    chosen.push(chooseAmong(drawn, points, lengths, nearest))
    const total = sum(nearest)
    if (chosen.length === clusters || total === 0) return chosen
    drawn = Array.from({ length: trials }, () => drawByWeight(nearest, random() * total))
  }
}

/** Takes the drawn row that leaves the smallest sum of squares, and lowers `nearest` by its distances. */
function chooseAmong(drawn: readonly number[], points: Rows, lengths: Float64Array, nearest: Float64Array): number {
  const panels = squaredDistances(points, lengths, gatherRows(points, drawn))
  const columns = drawn.map((_, d) => ({ panel: panels[Math.floor(d / lanes)]!, lane: d % lanes }))
  const sums = columns.map(({ panel, lane }) => {
    let left = 0
    for (let i = 0; i < nearest.length; i++) left += Math.min(nearest[i]!, panel[lanes * i + lane]!)
    return left
  })
  const best = sums.indexOf(Math.min(...sums))
  const { panel, lane } = columns[best]!
  for (let i = 0; i < nearest.length; i++) nearest[i] = Math.min(nearest[i]!, panel[lanes * i + lane]!)
  return drawn[best]!
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
