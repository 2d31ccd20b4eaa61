import { multiply, type Operator, canonicalSign, eigenOrder, type EigenOrder, symmetricEigenpairs } from './operator.ts'
import { fewNodes } from './weights.ts'
import { mulberry32 } from '../random.ts'
import { basisOf, type Basis } from './basis.ts'
import { columnOf, emptyPanel, lanes, panelsOf, type Panel } from '../kernels.ts'
import { log, norm } from '../portable.ts'

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

interface KrylovOptions {
  readonly order: EigenOrder
  /** Residual ‖Lx - λx‖ to stop at, as a part of the largest |λ|. */
  readonly tolerance: number
  readonly seed: number
  /** Passes over the matrix to stop after. */
  readonly passes: number
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

/** Vectors of a basis that is full: a larger one needs fewer passes, but more time for each. */
const fullSize = (k: number): number => (8 + Math.ceil(k / 2)) * lanes
/** With room for every start that a multiple eigenvalue may call for; smaller matrices need no iterations. */
const basisSize = (k: number): number => fullSize(k) + (Math.ceil(k / lanes) + 1) * lanes

/**
 * The first k eigenpairs by block Lanczos with full reorthogonalisation and thick restarts (Wu and Simon 2000), four
 * vectors at a time. A known eigenvector is part of the start, which keeps it out of the search. n must exceed
 * `basisSize(k)`.
 */
function krylovEigenpairs(operator: Operator, k: number, options: KrylovOptions): Approximation {
  const { n, known } = operator
  const random = mulberry32(options.seed)
  const randomPanel = () => emptyPanel(n).map(() => random() - 0.5)
  const first = operator.sketch ? stirred(operator.sketch(random), random) : randomPanel()
  known?.forEach((value, i) => (first[i * lanes] = value))
  const basis = basisOf(n, basisSize(k), random)
  let next = [basis.append(first).added]
  let projection: Projection = []
  const looks = convergenceChecks(n, k)
  // passes that the first search took, and the pass at which the last search has had as many
  let [search, ripe] = [0, 0]
  for (let iterations = 1; ; iterations++) {
    const grown = operator.times(next).map((product) => basis.append(product))
    next = grown.map(({ added }) => added)
    projection = [...projection, ...grown.map(({ coefficients }) => coefficients)]
    const size = projection.length * lanes
    const full = basis.size + next.length * lanes > fullSize(k)
    const ends = iterations >= options.passes
    if (!full && !ends && !looks.due(size, iterations)) continue

    const ritz = ritzPairs(projection, options.order)
    const wanted = ritz.slice(0, k).map((pair) => ({ ...pair, residual: residualOf(projection, pair) }))
    const error = options.tolerance * Math.max(...ritz.map(({ value }) => Math.abs(value)))
    const settled = wanted.filter(({ residual }) => residual <= error)
    // a search from s vectors finds an eigenvalue s times at most: where it does, there may be more, and more vectors
    // will tell
    const crowded = multiplicity(settled, error) >= next.length * lanes
    const converged = settled.length === k && !crowded && iterations >= ripe
    if (converged || ends) return { ...resultOf(basis, wanted), iterations, converged }
    if (crowded) {
      next = [...next, basis.append(randomPanel()).added]
      search ||= iterations
      ripe = iterations + search
    }
    looks.found(Math.max(...wanted.map(({ residual }) => residual)) / error, iterations)
    if (full) {
      const room = fullSize(k) - 2 * next.length * lanes
      const kept = ritz.slice(0, lanes * Math.ceil(Math.max(k, Math.min((k + size) / 2, room)) / lanes))
      basis.restart([...basis.combine(coefficientPanels(kept)), ...next])
      projection = restartedProjection(projection, kept)
    }
  }
}

/** The panel with a little of everything, for what it has no part of would never be found. */
function stirred(panel: Panel, random: () => number): Panel {
  const little = 1e-3 * panel.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return panel.map((value) => value + little * (random() - 0.5))
}

/** How often the commonest value is among the pairs, as far as they are known. */
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

/** When the approximations of a search are worth a look. */
interface ConvergenceChecks {
  /** Whether they are, from a basis of so many vectors. */
  due(size: number, iterations: number): boolean
  /** Tells the worst residual that a look found, over what it has to be. */
  found(worst: number, iterations: number): void
}

/** A look costs nothing beside a pass while the square of the basis, so many times, is smaller than the matrix. */
const dear = 10
/** Of the passes that the fall of the residuals foretells, the share that goes by without a look: the fall grows. */
const foretold = 0.7

/**
 * Looks at a search for k pairs of n rows: after every pass where that is cheap, else when the residuals should soon be
 * small enough by their fall between the last two looks; where they did not fall, not before the search must look.
 */
export function convergenceChecks(n: number, k: number): ConvergenceChecks {
  let last = { worst: NaN, iterations: 0 }
  let next = 0
  return {
    due: (size, iterations) => size >= k && (size ** 2 * dear < n || iterations >= next),
    found(worst, iterations) {
      const fall = log(last.worst / worst) / (iterations - last.iterations)
      if (Number.isNaN(fall)) next = iterations
      else next = fall > 0 ? iterations + Math.floor((foretold * log(worst)) / fall) : Infinity
      last = { worst, iterations }
    },
  }
}

/**
 * QᵀLQ for the vectors of a basis that were multiplied so far, four columns to a panel. A column ends where the basis
 * ended when its vector was multiplied: it has no part beyond. The rows that go past the multiplied vectors say what L
 * adds along the others.
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

/** What Lx has along the vectors not yet multiplied; its length is the residual ‖Lx - λx‖. */
function beyond(projection: Projection, { coefficients }: RitzPair): Float64Array {
  const size = coefficients.length
  const rows = projection.at(-1)!.length / lanes - size
  return Float64Array.from({ length: rows }, (_, row) =>
    coefficients.reduce((sum, coefficient, column) => sum + coefficient * entry(projection, size + row, column), 0),
  )
}

/** The residual ‖Lx - λx‖ of an approximation. */
const residualOf = (projection: Projection, pair: RitzPair): number => norm(beyond(projection, pair))

/** The projection on a basis that starts with the approximations and goes on with the vectors not multiplied. */
function restartedProjection(projection: Projection, pairs: readonly RitzPair[]): Projection {
  const columns = pairs.map((pair, index) => {
    const tail = beyond(projection, pair)
    const column = new Float64Array(pairs.length + tail.length)
    column[index] = pair.value
    column.set(tail, pairs.length)
    return column
  })
  return panelsOfColumns(columns)
}

/** The coefficients of the pairs, four to a panel. */
const coefficientPanels = (pairs: readonly RitzPair[]): Panel[] =>
  panelsOfColumns(pairs.map(({ coefficients }) => coefficients))

/** The columns, all of one length, as the vectors of panels. */
function panelsOfColumns(columns: readonly Float64Array[]): Panel[] {
  const rows = columns[0]?.length ?? 0
  const data = new Float64Array(columns.length * rows)
  for (const [index, column] of columns.entries()) data.set(column, index * rows)
  return panelsOf({ data, rows: columns.length, columns: rows })
}

const entry = (projection: Projection, row: number, column: number): number =>
  projection[Math.floor(column / lanes)]![row * lanes + (column % lanes)] ?? 0
