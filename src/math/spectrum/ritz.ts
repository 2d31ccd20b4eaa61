import { eigenOrder, type EigenOrder } from './order.ts'
import { symmetricEigenpairs } from './symmetric-eigenpairs.ts'
import { norm } from '../portable.ts'
import { emptyPanel, lanes, type Panel } from '../kernels.ts'

/**
 * QᵀLQ for the vectors of a basis that were multiplied so far, four columns to a panel. A column ends where the basis ended when its
 * vector was multiplied: it has no part beyond. The rows that go past the multiplied vectors say what L adds along the others.
 */
export type Projection = readonly Panel[]

/** An approximate eigenpair, as coefficients over the multiplied vectors. */
export interface RitzPair {
  readonly value: number
  readonly coefficients: Float64Array
}

/** All eigenpairs of the projection, in order. */
export function ritzPairs(projection: Projection, order: EigenOrder): RitzPair[] {
  const size = projection.length * lanes
  const matrix = new Float64Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const mean = (entry(projection, row, column) + entry(projection, column, row)) / 2
      matrix[row * size + column] = matrix[column * size + row] = mean
    }
  }
  const { values, vectors } = symmetricEigenpairs(matrix, size)
  return eigenOrder(values, order).map((index) => ({
    value: values[index]!,
    coefficients: Float64Array.from({ length: size }, (_, row) => vectors[row * size + index]!),
  }))
}

/** What Lx has along the vectors not yet multiplied; its length is the residual ‖Lx - λx‖. */
export function beyond(projection: Projection, { coefficients }: RitzPair): Float64Array {
  const size = coefficients.length
  const rows = projection.at(-1)!.length / lanes - size
  return Float64Array.from({ length: rows }, (_, row) =>
    coefficients.reduce((sum, coefficient, column) => sum + coefficient * entry(projection, size + row, column), 0),
  )
}

/** The residual ‖Lx - λx‖ of an approximation. */
export const residualOf = (projection: Projection, pair: RitzPair): number => norm(beyond(projection, pair))

/** The projection on a basis that starts with the approximations themselves and goes on with the vectors not yet multiplied. */
export function restartedProjection(projection: Projection, pairs: readonly RitzPair[]): Projection {
  const columns = pairs.map((pair, index) => {
    const tail = beyond(projection, pair)
    const column = new Float64Array(pairs.length + tail.length)
    column[index] = pair.value
    column.set(tail, pairs.length)
    return column
  })
  return panelsOf(columns)
}

/** The coefficients of the pairs, four to a panel. */
export const coefficientPanels = (pairs: readonly RitzPair[]): Panel[] =>
  panelsOf(pairs.map(({ coefficients }) => coefficients))

function panelsOf(columns: readonly Float64Array[]): Panel[] {
  const rows = columns[0]?.length ?? 0
  return Array.from({ length: Math.ceil(columns.length / lanes) }, (_, index) => {
    const panel = emptyPanel(rows)
    columns.slice(index * lanes, (index + 1) * lanes).forEach((column, v) => {
      for (let row = 0; row < rows; row++) panel[row * lanes + v] = column[row]!
    })
    return panel
  })
}

const entry = (projection: Projection, row: number, column: number): number =>
  projection[Math.floor(column / lanes)]![row * lanes + (column % lanes)] ?? 0
