/** Row numbers of every cluster, rising. A row may stand in several and stands in one at least; clusters rise by their first row. */
export type Clusters = readonly (readonly number[])[]

/**
 * Every row joins each component whose posterior exceeds the threshold, or the likeliest where none does (RAPTOR section 3, its
 * code's strict >). `posteriors` are rows x components. Components without rows are left out.
 */
export function memberships(posteriors: Float64Array, rows: number, threshold: number): Clusters {
  const components = rows === 0 ? 0 : posteriors.length / rows
  const clusters = Array.from({ length: components }, (): number[] => [])
  for (let row = 0; row < rows; row++) {
    let likeliest = 0
    let joined = false
    for (let c = 0; c < components; c++) {
      const posterior = posteriors[row * components + c]!
      if (posterior > posteriors[row * components + likeliest]!) likeliest = c
      if (!(posterior > threshold)) continue
      clusters[c]!.push(row)
      joined = true
    }
    if (!joined) clusters[likeliest]!.push(row)
  }
  return byFirstRow(clusters)
}

/** The rows of every label. */
export function partitionOf(labels: ArrayLike<number>): Clusters {
  const clusters: number[][] = []
  for (let row = 0; row < labels.length; row++) (clusters[labels[row]!] ??= []).push(row)
  return byFirstRow(clusters)
}

const byFirstRow = (clusters: readonly number[][]): Clusters =>
  clusters.filter(({ length }) => length > 0).sort((a, b) => a[0]! - b[0]!)
