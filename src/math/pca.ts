import { leadingEigenpairs } from './spectrum/leading-eigenpairs.ts'
import { panelOf } from './spectrum/operator.ts'
import type { Matrix } from './vectors.ts'
import { columnOf, type Float64Rows, type Panel, type Rows, timesPanels, transposeTimes } from './kernels.ts'

/**
 * Principal component scores in `dimensions` columns, 0 beyond the rank. Deterministic. Throws RangeError where a
 * number is not finite.
 */
export function pca(points: Rows, dimensions: number): Matrix {
  refuseNonFinite(points)
  const { rows, columns } = points
  const centredPoints = centreRows(points)
  const wide = columns >= rows
  // XXᵀ or XᵀX, the smaller one, never formed unless it is small
  const times = (panels: readonly Panel[]): Panel[] =>
    wide
      ? timesPanels(centredPoints, transposeTimes(centredPoints, panels))
      : transposeTimes(centredPoints, timesPanels(centredPoints, panels))
  const operator = { n: Math.min(rows, columns), times }
  // far below float32 precision, and fast where variances are nearly equal
  const { values, vectors } = leadingEigenpairs(operator, dimensions, { order: 'algebraic', tolerance: 1e-7 })
  const data = new Float32Array(rows * dimensions)
  for (const [axis, vector] of vectors.entries()) {
    const length = Math.sqrt(Math.max(0, values[axis]!))
    const scores = wide
      ? vector.map((value) => value * length)
      : columnOf(timesPanels(centredPoints, [panelOf(vector)])[0]!, 0)
    for (let row = 0; row < rows; row++) data[row * dimensions + axis] = scores[row]!
  }
  return { data, rows, columns: dimensions }
}

/** The rows less their mean, in float64, so that squares stay accurate. */
export function centreRows({ data, rows, columns }: Rows): Float64Rows {
  const mean = new Float64Array(columns)
  for (let i = 0; i < data.length; i++) mean[i % columns]! += data[i]! / rows
  return { data: Float64Array.from(data, (value, i) => value - mean[i % columns]!), rows, columns }
}

/** Throws RangeError at the first number that is not finite. */
export function refuseNonFinite({ data, columns }: Rows): void {
  const at = data.findIndex((value: number) => !Number.isFinite(value))
  if (at < 0) return
  throw new RangeError(`row ${Math.floor(at / columns)} holds ${data[at]}: rows must be of finite numbers`)
}
