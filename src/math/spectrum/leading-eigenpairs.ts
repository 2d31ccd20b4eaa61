import { basisSize, krylovEigenpairs, type Approximation } from './krylov.ts'
import { multiply, type Operator, canonicalSign, eigenOrder, type EigenOrder, symmetricEigenpairs } from './operator.ts'
import { fewNodes } from './weights.ts'

interface SolverOptions {
  readonly order: EigenOrder
  /** `dense`: all eigenpairs of the whole matrix. `iterative`: Lanczos. `auto`: dense up to 300 rows. */
  readonly solver: 'auto' | 'dense' | 'iterative'
  /** Residual ‖Lx - λx‖ to stop at, as a part of the largest |λ|. */
  readonly tolerance: number
  readonly seed: number
  /** Passes over the matrix after which the search ends, converged or not. */
  readonly passes: number
}

/** Eigenpairs in order, unit vectors with their sign fixed; `residuals` are ‖Lx - λx‖. */
export interface Eigenpairs extends Approximation {
  /** What was used: a matrix too small to iterate on is solved densely. */
  readonly solver: 'dense' | 'iterative'
}

const solverDefaults: SolverOptions = {
  order: 'magnitude',
  solver: 'auto',
  tolerance: 1e-8,
  seed: 42,
  passes: 1000,
}

/** The first k eigenpairs of a symmetric matrix, or all n where k exceeds n. */
export function leadingEigenpairs(operator: Operator, k: number, options: Partial<SolverOptions> = {}): Eigenpairs {
  const settings = { ...solverDefaults, ...options }
  const { n } = operator
  const count = Math.max(0, Math.min(k, n))
  const dense = settings.solver === 'dense' || (settings.solver === 'auto' && n <= fewNodes) || n <= basisSize(count)
  const found = dense ? denseEigenpairs(operator, count, settings) : krylovEigenpairs(operator, count, settings)
  return { ...found, vectors: found.vectors.map(canonicalSign), solver: dense ? 'dense' : 'iterative' }
}

function denseEigenpairs(operator: Operator, k: number, { order, tolerance }: SolverOptions): Approximation {
  const { n } = operator
  if (k === 0)
    return { values: new Float64Array(), vectors: [], residuals: new Float64Array(), iterations: 0, converged: true }
  const all = symmetricEigenpairs(operator.dense(), n)
  const wanted = eigenOrder(all.values, order).slice(0, k)
  const values = Float64Array.from(wanted, (index) => all.values[index]!)
  const vectors = wanted.map((index) => Float64Array.from({ length: n }, (_, i) => all.vectors[i * n + index]!))
  const residuals = residualsOf(operator, values, vectors)
  const largest = all.values.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return { values, vectors, residuals, iterations: 1, converged: residuals.every((r) => r <= tolerance * largest) }
}

/** ‖Lx - λx‖ of every pair. */
export function residualsOf(operator: Operator, values: Float64Array, vectors: readonly Float64Array[]): Float64Array {
  const products = vectors.map((vector) => multiply(operator, vector))
  return values.map((value, index) => {
    const squares = products[index]!.map((y, i) => (y - value * vectors[index]![i]!) ** 2)
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 0))
  })
}
