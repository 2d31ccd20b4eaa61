import { kmeans as mlKmeans } from 'ml-kmeans'
import type { Rows } from './kernels.ts'

/** A cluster for every row, and the centres (clusters x columns). */
export interface Partition {
  readonly clusters: number
  readonly labels: Uint32Array
  readonly centres: Float64Array
}

/**
 * Lloyd's k-means from a greedy k-means++ start (Arthur and Vassilvitskii 2007), by ml-kmeans. No cluster is empty;
 * there are at most as many as distinct rows. Throws RangeError for less than one row or cluster.
 */
export function kmeans(rows: Rows, clusters: number, { seed = 0 }: { readonly seed?: number } = {}): Partition {
  if (rows.rows < 1 || !(clusters >= 1)) throw new RangeError(`no ${clusters} clusters of ${rows.rows} rows`)
  const points = Array.from({ length: rows.rows }, (_, row) =>
    Array.from(rows.data.subarray(row * rows.columns, (row + 1) * rows.columns)),
  )
  // ml-kmeans throws for more clusters than rows, and samples by 0/0 for more than distinct rows
  const count = Math.min(clusters, countDistinct(points, clusters))
  const { clusters: labels, centroids } = mlKmeans(points, count, { seed, maxIterations: 300 })
  const nonEmpty = centroids.flatMap((_, cluster) => (labels.includes(cluster) ? [cluster] : []))
  return {
    clusters: nonEmpty.length,
    labels: Uint32Array.from(labels, (label) => nonEmpty.indexOf(label)),
    centres: Float64Array.from(nonEmpty.flatMap((cluster) => centroids[cluster]!)),
  }
}

/** How many distinct points there are, counted up to `most`. */
function countDistinct(points: readonly (readonly number[])[], most: number): number {
  const texts = new Set<string>()
  for (const point of points) {
    texts.add(point.join())
    if (texts.size >= most) break
  }
  return texts.size
}
