import { type SparseRows, connectedComponents, groupsOf, subgraphs } from '../graph.ts'
import { pca } from '../pca.ts'
import { leadingEigenpairs } from '../spectrum/leading-eigenpairs.ts'
import type { Operator } from '../spectrum/operator.ts'
import { norm } from '../portable.ts'
import { emptyPanel, lanes, type Panel, type Rows } from '../kernels.ts'

/**
 * A layout (rows x dimensions) by the eigenvectors of the normalised Laplacian with the smallest eigenvalues above 0.
 * Connected components are laid out separately, around centres apart from each other (umap-learn's
 * multi_component_layout).
 */
export function spectralLayout(
  graph: SparseRows,
  points: Rows,
  dimensions: number,
  random: () => number,
): Float64Array {
  const parts = groupsOf(connectedComponents(graph))
  if (parts.length === 1) return eigenmap(graph, dimensions, random)
  const places = placesOf(parts, points, dimensions)
  const pieceOf = subgraphs(graph)
  const layout = new Float64Array(points.rows * dimensions)
  for (const [p, part] of parts.entries()) {
    const place = places.subarray(p * dimensions, (p + 1) * dimensions)
    const partLayout = eigenmap(pieceOf(part), dimensions, random)
    const scale = halfGap(places, p, dimensions) / largest(partLayout)
    for (const [i, row] of part.entries()) {
      for (let d = 0; d < dimensions; d++)
        layout[row * dimensions + d] = place[d]! + scale * partLayout[i * dimensions + d]!
    }
  }
  return layout
}

/** Eigenvectors 1 to `dimensions` of a connected graph; random where it has too few nodes. */
function eigenmap(graph: SparseRows, dimensions: number, random: () => number): Float64Array {
  const rows = graph.offsets.length - 1
  if (rows < 2 * dimensions || rows <= dimensions + 1) {
    return Float64Array.from({ length: rows * dimensions }, () => 2 * random() - 1)
  }
  // umap-learn's tolerance; 'iterative' is quicker than a dense solver long before 300 rows, and exact below some 90
  const { vectors } = leadingEigenpairs(normalisedAdjacency(graph), dimensions + 1, {
    order: 'algebraic',
    solver: 'iterative',
    tolerance: 1e-4,
    passes: 200,
  })
  const layout = new Float64Array(rows * dimensions)
  for (let d = 0; d < dimensions; d++) {
    for (let row = 0; row < rows; row++) layout[row * dimensions + d] = vectors[d + 1]![row]!
  }
  return layout
}

/** D^-1/2 W D^-1/2, whose largest eigenvalues are 1 less the smallest of the Laplacian. */
function normalisedAdjacency({ offsets, targets, weights }: SparseRows): Operator {
  const n = offsets.length - 1
  const roots = new Float64Array(n)
  for (let row = 0; row < n; row++) {
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) roots[row]! += weights[k]!
    roots[row] = Math.sqrt(roots[row]!)
  }
  const entries = weights.slice()
  for (let row = 0; row < n; row++) {
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) entries[k]! /= roots[row]! * roots[targets[k]!]!
  }
  const times = (panels: readonly Panel[]): Panel[] =>
    panels.map((panel) => {
      const product = emptyPanel(n)
      for (let row = 0; row < n; row++) {
        for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
          const start = lanes * targets[k]!
          for (let v = 0; v < lanes; v++) product[lanes * row + v]! += entries[k]! * panel[start + v]!
        }
      }
      return product
    })
  const length = norm(roots)
  return { n, startVector: roots.map((root) => root / length), times }
}

/** A centre per component: the ends of the axes while they suffice, else the PCA of the component means. */
function placesOf(parts: readonly Uint32Array[], points: Rows, dimensions: number): Float64Array {
  const places = new Float64Array(parts.length * dimensions)
  if (parts.length <= 2 * dimensions) {
    const half = Math.ceil(parts.length / 2)
    for (let p = 0; p < parts.length; p++) places[p * dimensions + (p % half)] = p < half ? 1 : -1
    return places
  }
  const middles = new Float64Array(parts.length * points.columns)
  for (const [p, part] of parts.entries()) {
    for (const row of part) {
      for (let j = 0; j < points.columns; j++) {
        middles[p * points.columns + j]! += points.data[row * points.columns + j]! / part.length
      }
    }
  }
  places.set(pca({ data: middles, rows: parts.length, columns: points.columns }, dimensions).data)
  const scale = largest(places)
  return places.map((value) => value / scale)
}

/** Half the distance to the nearest distinct centre. */
function halfGap(places: Float64Array, part: number, dimensions: number): number {
  let least = Infinity
  for (let q = 0; q < places.length / dimensions; q++) {
    let square = 0
    for (let d = 0; d < dimensions; d++) square += (places[part * dimensions + d]! - places[q * dimensions + d]!) ** 2
    if (square > 0) least = Math.min(least, square)
  }
  return least === Infinity ? 1 : Math.sqrt(least) / 2
}

const largest = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
