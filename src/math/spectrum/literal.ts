import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import type { Factors } from './factors.ts'
import { forEachPair } from './strips.ts'
import { canonicalSign } from './operator.ts'
import { fewNodes, type PairStats } from './weights.ts'

/** The weights S without its diagonal, not symmetric, in rows; negative ones are 0. `degrees` are their row sums. */
export interface LiteralWeights {
  readonly n: number
  readonly data: Float64Array
  readonly degrees: Float64Array
  readonly pairStats: PairStats
}

/** Throws RangeError for more nodes than are solved densely: the iterative solver needs a symmetric matrix. */
export function literalWeights(factors: Factors): LiteralWeights {
  const n = factors.a.rows
  if (n > fewNodes)
    throw new RangeError(
      `symmetrize: none is solved for up to ${fewNodes} nodes, and there are ${n}; take symmetrize: mean`,
    )
  const data = new Float64Array(n * n)
  let asymmetryMax = 0
  let negative = 0
  forEachPair(factors, (i, j, above, below) => {
    if (i === j) return true
    asymmetryMax = Math.max(asymmetryMax, Math.abs(above - below))
    negative += Number(above < 0) + Number(below < 0)
    data[i * n + j] = Math.max(above, 0)
    data[j * n + i] = Math.max(below, 0)
    return true
  })
  const degrees = Float64Array.from({ length: n }, (_, i) =>
    data.subarray(i * n, (i + 1) * n).reduce((sum, weight) => sum + weight, 0),
  )
  return { n, data, degrees, pairStats: { asymmetryMax, negativeShare: negative / Math.max(1, n * (n - 1)) } }
}

/** Eigenvalues by falling modulus, with unit vectors; a complex pair counts once, by its moduli. */
export interface LiteralEigenpairs {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
  readonly complex: readonly boolean[]
  /** ‖Lx - λx‖ of the vector as it was solved, before its moduli were taken. */
  readonly residuals: Float64Array
}

/** All eigenpairs of L = D^-1/2 S D^-1/2 of weights that are not symmetric. */
export function literalEigenpairs({ n, data, degrees }: LiteralWeights): LiteralEigenpairs {
  const scale = degrees.map((degree) => (degree > 0 ? 1 / Math.sqrt(degree) : 0))
  const matrix = data.map((weight, at) => weight * scale[Math.floor(at / n)]! * scale[at % n]!)
  const {
    realEigenvalues: real,
    imaginaryEigenvalues: imaginary,
    eigenvectorMatrix,
  } = new EigenvalueDecomposition(Matrix.from1DArray(n, n, matrix), { assumeSymmetric: false })
  const column = (at: number): Float64Array => Float64Array.from({ length: n }, (_, i) => eigenvectorMatrix.get(i, at))
  // of a pair u ± iv the columns hold u and v, one after the other
  const firsts = Array.from({ length: n }, (_, i) => i).filter((i) => !(imaginary[i]! < 0))
  const found = firsts.map((i) => {
    const [a, b] = [real[i]!, imaginary[i]!]
    const [u, v] = [column(i), b > 0 ? column(i + 1) : new Float64Array(n)]
    const norm = lengthOf(u, v) || 1
    // L(u + iv) = (a + ib)(u + iv)
    const [lu, lv] = [timesVector(matrix, u), timesVector(matrix, v)]
    const off = lengthOf(
      lu.map((y, k) => y - a * u[k]! + b * v[k]!),
      lv.map((y, k) => y - b * u[k]! - a * v[k]!),
    )
    const vector = b > 0 ? u.map((x, k) => Math.sqrt(x * x + v[k]! ** 2) / norm) : canonicalSign(u.map((x) => x / norm))
    return { value: b > 0 ? Math.sqrt(a * a + b * b) : a, vector, complex: b > 0, residual: off / norm }
  })
  // equal ones as they come
  const sorted = found.toSorted((x, y) => Math.abs(y.value) - Math.abs(x.value))
  return {
    values: Float64Array.from(sorted, ({ value }) => value),
    vectors: sorted.map(({ vector }) => vector),
    complex: sorted.map(({ complex }) => complex),
    residuals: Float64Array.from(sorted, ({ residual }) => residual),
  }
}

/** The length of a complex vector. */
const lengthOf = (u: Float64Array, v: Float64Array): number =>
  Math.sqrt([...u, ...v].reduce((sum, x) => sum + x * x, 0))

function timesVector(matrix: Float64Array, x: Float64Array): Float64Array {
  const n = x.length
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0
    for (let j = 0; j < n; j++) sum += matrix[i * n + j]! * x[j]!
    return sum
  })
}
