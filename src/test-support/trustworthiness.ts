import type { Rows } from '../math/kernels.ts'
import { nearestNeighbours, type Metric } from '../math/umap/neighbours.ts'

/**
 * How far the nearest neighbours in a layout are neighbours in the data too, 0 to 1 (Venna and Kaski 2001;
 * scikit-learn): a neighbour of rank r > k in the data costs r - k. Euclidean in the layout. Needs more than 2
 * `neighbours` rows.
 */
export function trustworthiness(points: Rows, layout: Rows, neighbours: number, metric: Metric): number {
  const { rows } = points
  const inData = nearestNeighbours(points, rows - 1, metric)
  const inLayout = nearestNeighbours(layout, neighbours, 'euclidean')
  const ranks = new Uint32Array(rows)
  let cost = 0
  for (let row = 0; row < rows; row++) {
    for (let place = 0; place < rows - 1; place++) ranks[inData.indices[row * (rows - 1) + place]!] = place + 1
    for (let place = 0; place < neighbours; place++) {
      cost += Math.max(0, ranks[inLayout.indices[row * neighbours + place]!]! - neighbours)
    }
  }
  return 1 - (2 * cost) / (rows * neighbours * (2 * rows - 3 * neighbours - 1))
}
