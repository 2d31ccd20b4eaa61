import { leadingEigenpairs } from './spectrum/leading-eigenpairs.ts'
import type { Operator } from './spectrum/operator.ts'
import type { Matrix } from './vectors.ts'
import { addTimes, emptyPanel, lanes, type Panel, type Rows, transposeTimes } from './kernels.ts'

/**
 * Principal component scores in `dimensions` columns, 0 beyond the rank. Deterministic. Throws RangeError where a
 * number is not finite.
 */
export function pca(points: Rows, dimensions: number): Matrix {
  refuseNonFinite(points)
  const { rows, columns } = points
  const centredPoints = subtractMean(points)
  const wide = columns >= rows
  const operator = wide ? outerProducts(centredPoints) : innerProducts(centredPoints)
  // far below float32 precision, and fast where variances are nearly equal
  const { values, vectors } = leadingEigenpairs(operator, dimensions, { order: 'algebraic', tolerance: 1e-7 })
  const data = new Float32Array(rows * dimensions)
  for (const [axis, vector] of vectors.entries()) {
    const length = Math.sqrt(Math.max(0, values[axis]!))
    const scores = wide ? vector.map((value) => value * length) : timesVector(centredPoints, vector)
    for (let row = 0; row < rows; row++) data[row * dimensions + axis] = scores[row]!
  }
  return { data, rows, columns: dimensions }
}

function subtractMean({ data, rows, columns }: Rows): Rows {
  const mean = new Float64Array(columns)
  for (let i = 0; i < data.length; i++) mean[i % columns]! += data[i]! / rows
  return { data: Float64Array.from(data, (value, i) => value - mean[i % columns]!), rows, columns }
}

/** XᵀX, never formed unless it is small. */
function innerProducts(matrix: Rows): Operator {
  const times = (panels: readonly Panel[]): Panel[] => transposeTimes(matrix, product(matrix, panels))
  return { n: matrix.columns, times, dense: () => denseOf(matrix.columns, times) }
}

/** XXᵀ, likewise. */
function outerProducts(matrix: Rows): Operator {
  const times = (panels: readonly Panel[]): Panel[] => product(matrix, transposeTimes(matrix, panels))
  return { n: matrix.rows, times, dense: () => denseOf(matrix.rows, times) }
}

function product(matrix: Rows, panels: readonly Panel[]): Panel[] {
  const products = panels.map(() => emptyPanel(matrix.rows))
  addTimes(matrix, panels, products)
  return products
}

function denseOf(n: number, times: (panels: readonly Panel[]) => Panel[]): Float64Array {
  const unit = Array.from({ length: Math.ceil(n / lanes) }, () => emptyPanel(n))
  for (let i = 0; i < n; i++) unit[Math.floor(i / lanes)]![lanes * i + (i % lanes)] = 1
  const columns = times(unit)
  return Float64Array.from({ length: n * n }, (_, at) => {
    const column = at % n
    return columns[Math.floor(column / lanes)]![lanes * Math.floor(at / n) + (column % lanes)]!
  })
}

function timesVector(matrix: Rows, vector: Float64Array): Float64Array {
  const panel = emptyPanel(matrix.columns)
  for (let j = 0; j < vector.length; j++) panel[lanes * j] = vector[j]!
  const [scores] = product(matrix, [panel])
  return Float64Array.from({ length: matrix.rows }, (_, row) => scores![lanes * row]!)
}

/** Throws RangeError at the first number that is not finite. */
export function refuseNonFinite({ data, columns }: Rows): void {
  const at = data.findIndex((value: number) => !Number.isFinite(value))
  if (at < 0) return
  throw new RangeError(`row ${Math.floor(at / columns)} holds ${data[at]}: rows must be of finite numbers`)
}
