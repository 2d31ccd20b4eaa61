import {
  multiply,
  type Operator,
  canonicalSign,
  denseOf,
  eigenOrder,
  type EigenOrder,
  symmetricEigenpairs,
} from './operator.ts'
import { fewNodes } from './weights.ts'
import { mulberry32 } from '../random.ts'
import { basisOf, type Basis } from './basis.ts'
import { columnOf, emptyPanel, lanes, panelsOf, type Panel } from '../kernels.ts'
import { norm } from '../portable.ts'

interface SolverOptions {
  readonly order: EigenOrder
  /** `dense`: all eigenpairs of the whole matrix. `iterative`: Lanczos. `auto`: dense up to 300 rows. */
  readonly solver: 'auto' | 'dense' | 'iterative'
  /** Residual ‖Lx - λx‖ to stop at, as a part of the largest |λ|. */
  readonly tolerance: number
  readonly seed: number
  /** Limit of passes over the matrix. */
  readonly passes: number
}

/** Eigenpairs in order, unit vectors with canonical sign; `residuals` are ‖Lx - λx‖. */
export interface Eigenpairs extends Approximation {
  /** The solver used: small matrices are solved densely. */
  readonly solver: 'dense' | 'iterative'
}

const solverDefaults: SolverOptions = {
  order: 'magnitude',
  solver: 'auto',
  tolerance: 1e-8,
  seed: 42,
  passes: 1000,
}

/** The first min(k, n) eigenpairs of a symmetric matrix. */
export function leadingEigenpairs(operator: Operator, k: number, options: Partial<SolverOptions> = {}): Eigenpairs {
  const settings = { ...solverDefaults, ...options }
  const { n } = operator
  const count = Math.max(0, Math.min(k, n))
  const dense = settings.solver === 'dense' || (settings.solver === 'auto' && n <= fewNodes) || n <= basisSize(count)
  const approximation = dense ? denseEigenpairs(operator, count, settings) : krylovEigenpairs(operator, count, settings)
  return { ...approximation, vectors: approximation.vectors.map(canonicalSign), solver: dense ? 'dense' : 'iterative' }
}

function denseEigenpairs(operator: Operator, k: number, { order, tolerance }: SolverOptions): Approximation {
  const { n } = operator
  if (k === 0)
    return { values: new Float64Array(), vectors: [], residuals: new Float64Array(), iterations: 0, converged: true }
  const all = symmetricEigenpairs(denseOf(operator), n)
  const leading = eigenOrder(all.values, order).slice(0, k)
  const values = Float64Array.from(leading, (index) => all.values[index]!)
  const vectors = leading.map((index) => Float64Array.from({ length: n }, (_, i) => all.vectors[i * n + index]!))
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

interface Approximation {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
  readonly residuals: Float64Array
  /** Passes over the matrix. */
  readonly iterations: number
  /** Whether every residual is small enough. */
  readonly converged: boolean
}

/** Basis size before a restart: larger ones need fewer but slower passes. */
const fullSize = (k: number): number => (8 + Math.ceil(k / 2)) * lanes
/** With room for the extra starts of multiple eigenvalues; smaller matrices need no iterations. */
const basisSize = (k: number): number => fullSize(k) + (Math.ceil(k / lanes) + 1) * lanes

/** Passes between two checks of convergence. */
const passesPerCheck = 8

/**
 * The first k eigenpairs by block Lanczos with full reorthogonalisation and thick restarts (Wu and Simon 2000), four
 * vectors at a time. A known eigenvector is part of the start. n must exceed `basisSize(k)`.
 */
function krylovEigenpairs(operator: Operator, k: number, options: SolverOptions): Approximation {
  const { n, startVector } = operator
  const random = mulberry32(options.seed)
  const randomPanel = () => emptyPanel(n).map(() => random() - 0.5)
  const first = operator.sketch ? addNoise(operator.sketch(random), random) : randomPanel()
  startVector?.forEach((value, i) => (first[i * lanes] = value))
  const basis = basisOf(n, basisSize(k), random)
  let next = [basis.append(first).block]
  let projection: Projection = []
  // passes of the first search, and the pass at which the current search has had as many
  let search = 0
  let earliest = 0
  for (let iterations = 1; ; iterations++) {
    const growth = operator.times(next).map((product) => basis.append(product))
    next = growth.map(({ block }) => block)
    projection = [...projection, ...growth.map(({ coefficients }) => coefficients)]
    const size = projection.length * lanes
    const full = basis.size + next.length * lanes > fullSize(k)
    const ends = iterations >= options.passes
    if (!full && !ends && (size < k || iterations % passesPerCheck !== 0)) continue

    const ritz = ritzPairs(projection, options.order)
    const leading = ritz.slice(0, k).map((pair) => ({ ...pair, residual: residualOf(projection, pair) }))
    const error = options.tolerance * Math.max(...ritz.map(({ value }) => Math.abs(value)))
    const convergedPairs = leading.filter(({ residual }) => residual <= error)
    // a search from s vectors finds at most s copies of an eigenvalue: where it finds s, start vectors are added
    const isCrowded = multiplicity(convergedPairs, error) >= next.length * lanes
    const converged = convergedPairs.length === k && !isCrowded && iterations >= earliest
    if (converged || ends) return { ...resultOf(basis, leading), iterations, converged }
    if (isCrowded) {
      next = [...next, basis.append(randomPanel()).block]
      search ||= iterations
      earliest = iterations + search
    }
    if (full) {
      const room = fullSize(k) - 2 * next.length * lanes
      const retainedPairs = ritz.slice(0, lanes * Math.ceil(Math.max(k, Math.min((k + size) / 2, room)) / lanes))
      basis.restart([...basis.combine(coefficientPanels(retainedPairs)), ...next])
      projection = restartProjection(projection, retainedPairs)
    }
  }
}

/** Adds noise: directions absent from the start would never be found. */
function addNoise(panel: Panel, random: () => number): Panel {
  const little = 1e-3 * panel.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return panel.map((value) => value + little * (random() - 0.5))
}

/** The largest multiplicity among the pairs. */
const multiplicity = (pairs: readonly RitzPair[], error: number): number =>
  Math.max(...pairs.map((pair) => pairs.filter(({ value }) => Math.abs(value - pair.value) <= 2 * error).length))

function resultOf(basis: Basis, pairs: readonly (RitzPair & { readonly residual: number })[]) {
  const panels = basis.combine(coefficientPanels(pairs))
  return {
    values: Float64Array.from(pairs, ({ value }) => value),
    vectors: pairs.map((_, index) => columnOf(panels[Math.floor(index / lanes)]!, index % lanes)),
    residuals: Float64Array.from(pairs, ({ residual }) => residual),
  }
}

/**
 * QᵀLQ for the basis vectors multiplied so far, four columns per panel. A column is as long as the basis was when its
 * vector was multiplied; the rows past the multiplied vectors hold the components along the others.
 */
type Projection = readonly Panel[]

/** An approximate eigenpair, as coefficients over the multiplied vectors. */
interface RitzPair {
  readonly value: number
  readonly coefficients: Float64Array
}

/** All eigenpairs of the projection, in order. */
function ritzPairs(projection: Projection, order: EigenOrder): RitzPair[] {
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

/** The components of Lx along vectors not yet multiplied; its norm is the residual ‖Lx - λx‖. */
function residualTail(projection: Projection, { coefficients }: RitzPair): Float64Array {
  const size = coefficients.length
  const rows = projection.at(-1)!.length / lanes - size
  return Float64Array.from({ length: rows }, (_, row) =>
    coefficients.reduce((sum, coefficient, column) => sum + coefficient * entry(projection, size + row, column), 0),
  )
}

const residualOf = (projection: Projection, pair: RitzPair): number => norm(residualTail(projection, pair))

/** The projection on a basis of the Ritz vectors and the vectors not yet multiplied. */
function restartProjection(projection: Projection, pairs: readonly RitzPair[]): Projection {
  const columns = pairs.map((pair, index) => {
    const tail = residualTail(projection, pair)
    const column = new Float64Array(pairs.length + tail.length)
    column[index] = pair.value
    column.set(tail, pairs.length)
    return column
  })
  return panelsOfColumns(columns)
}

const coefficientPanels = (pairs: readonly RitzPair[]): Panel[] =>
  panelsOfColumns(pairs.map(({ coefficients }) => coefficients))

function panelsOfColumns(columns: readonly Float64Array[]): Panel[] {
  const rows = columns[0]?.length ?? 0
  const data = new Float64Array(columns.length * rows)
  for (const [index, column] of columns.entries()) data.set(column, index * rows)
  return panelsOf({ data, rows: columns.length, columns: rows })
}

const entry = (projection: Projection, row: number, column: number): number =>
  projection[Math.floor(column / lanes)]![row * lanes + (column % lanes)] ?? 0
