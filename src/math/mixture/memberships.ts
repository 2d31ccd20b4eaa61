/** Row numbers, rising, and where the cluster is a component of a mixture the posterior of each of them in it. */
export interface RowCluster {
  readonly rows: readonly number[]
  readonly posteriors?: readonly number[]
}

/** A row may stand in several clusters and stands in one at least; clusters rise by their first row. */
export type Clusters = readonly RowCluster[]

/**
 * Every row joins each component whose posterior exceeds the threshold, or the likeliest where none does (RAPTOR section 3, its
 * code's strict >). `posteriors` are rows x components. Components without rows are left out.
 */
export function memberships(posteriors: Float64Array, rows: number, threshold: number): Clusters {
  const components = rows === 0 ? 0 : posteriors.length / rows
  const joined = Array.from({ length: components }, (): number[] => [])
  for (let row = 0; row < rows; row++) {
    const own = posteriors.subarray(row * components, (row + 1) * components)
    const likeliest = own.reduce((best, posterior, c) => (posterior > own[best]! ? c : best), 0)
    const anywhere = own[likeliest]! > threshold
    for (let c = 0; c < components; c++) if (anywhere ? own[c]! > threshold : c === likeliest) joined[c]!.push(row)
  }
  return byFirstRow(
    joined.map((own, c) => ({ rows: own, posteriors: own.map((row) => posteriors[row * components + c]!) })),
  )
}

/** The rows of every label. */
export function partitionOf(labels: ArrayLike<number>): Clusters {
  const clusters: number[][] = []
  for (let row = 0; row < labels.length; row++) (clusters[labels[row]!] ??= []).push(row)
  return byFirstRow(clusters.map((rows) => ({ rows })))
}

const byFirstRow = (clusters: Clusters): Clusters =>
  clusters.filter(({ rows }) => rows.length > 0).sort((a, b) => a.rows[0]! - b.rows[0]!)
