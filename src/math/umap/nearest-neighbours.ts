import { highest } from '../vectors.ts'
import { lanes, type Rows } from '../kernels.ts'
import { gatherRows, squaredDistances, squaredLengths } from '../kmeans.ts'

export type Metric = 'cosine' | 'euclidean'

/** The nearest other rows of every row, nearest first, equal ones by index: rows x count. */
export interface Neighbours {
  readonly rows: number
  readonly count: number
  readonly indices: Uint32Array
  readonly distances: Float64Array
}

/** Rows whose distances to all rows are computed together. */
const block = 64

/**
 * The exact nearest neighbours. A cosine distance is 1 - cos, half the squared distance of the unit vectors. Equal rows are 0
 * apart. There must be more rows than neighbours.
 */
export function nearestNeighbours(points: Rows, count: number, metric: Metric): Neighbours {
  const { rows } = points
  const compared = metric === 'cosine' ? unitRows(points) : points
  const lengths = squaredLengths(compared)
  const indices = new Uint32Array(rows * count)
  const distances = new Float64Array(rows * count)
  const nearness = new Float64Array(rows)
  for (let first = 0; first < rows; first += block) {
    const some = Array.from({ length: Math.min(block, rows - first) }, (_, i) => first + i)
    const panels = squaredDistances(compared, lengths, gatherRows(compared, some))
    for (const row of some) {
      const [panel, lane] = [panels[Math.floor((row - first) / lanes)]!, (row - first) % lanes]
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
