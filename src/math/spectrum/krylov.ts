import { mulberry32 } from '../random.ts'
import { basisOf, type Basis } from './basis.ts'
import { lanes } from './kernels.ts'
import type { Operator } from './operator.ts'
import { eigenOrder, type EigenOrder } from './order.ts'
import { emptyPanel, type Panel } from './products.ts'
import { symmetricEigenpairs } from './symmetric-eigenpairs.ts'

export interface KrylovOptions {
  readonly order: EigenOrder
  /** Residual ‖Lx - λx‖ to stop at, as a part of the largest |λ|. */
  readonly tolerance: number
  readonly seed: number
  /** Passes over the matrix to stop after. */
  readonly passes: number
}

export interface Approximation {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
  readonly residuals: Float64Array
  /** Passes over the matrix. */
  readonly iterations: number
  /** Whether every residual is small enough. */
  readonly converged: boolean
}

/** Panels that the search starts from: with more, fewer passes but more products in all. */
const panelsAtStart = (k: number): number => (k <= lanes + 1 ? 1 : 2)
/** Panels of a basis that is full: a larger one needs fewer passes, but more time for each. */
const panelsAtMost = (k: number): number => 12 * panelsAtStart(k) + Math.ceil(k / lanes)

/** Vectors of the largest basis. A matrix of fewer rows has no room for it, and no need of iterations. */
export const basisSize = (k: number): number => (panelsAtMost(k) + Math.ceil(k / lanes) + 1) * lanes

/**
 * The first k eigenpairs by block Lanczos with full reorthogonalisation and thick restarts (Wu and Simon 2000), Rayleigh and Ritz
 * after every pass. A known eigenvector is part of the start, which keeps it out of the search. n must exceed `basisSize(k)`.
 */
export function krylovEigenpairs(operator: Operator, k: number, options: KrylovOptions): Approximation {
  const { n } = operator
  const random = mulberry32(options.seed)
  const randomPanel = () => emptyPanel(n).map(() => random() - 0.5)
  let starts = panelsAtStart(k)
  let basis = startOf(operator, starts, randomPanel, random)
  let columns: Float64Array[] = []
  for (let iterations = 1; ; iterations++) {
    const next = basis.panels.slice(columns.length / lanes)
    for (const product of operator.times(next)) columns.push(...columnsOf(basis.append(product)))
    const ritz = ritzPairs(columns, options.order)
    const wanted = ritz.slice(0, k)
    const error = options.tolerance * Math.max(...ritz.map(({ value }) => Math.abs(value)))
    const small = wanted.length === k && wanted.every(({ residual }) => residual <= error)
    // a search from s vectors finds an eigenvalue s times at most: where it does, there may be more, and more vectors will tell
    const converged = small && multiplicity(wanted, error) < starts * lanes
    if (converged || iterations >= options.passes) return { ...resultOf(n, basis, wanted), iterations, converged }
    if (small) {
      basis.append(randomPanel())
      starts++
    }
    if (basis.panels.length + starts > panelsAtMost(k)) [basis, columns] = restarted(n, basis, ritz, k, random)
  }
}

/** An approximate eigenpair, as coefficients over the multiplied part of the basis; `beyond` is what L adds along the rest of it. */
interface RitzPair {
  readonly value: number
  readonly coefficients: Float64Array
  readonly beyond: Float64Array
  readonly residual: number
}

function startOf({ known }: Operator, panels: number, randomPanel: () => Panel, random: () => number): Basis {
  const first = randomPanel()
  known?.forEach((value, i) => (first[i * lanes] = value))
  const basis = basisOf(first.length / lanes, random)
  for (let index = 0; index < panels; index++) basis.append(index === 0 ? first : randomPanel())
  return basis
}

/** How often the commonest value is among the pairs, as far as they are known. */
const multiplicity = (pairs: readonly RitzPair[], error: number): number =>
  Math.max(...pairs.map((pair) => pairs.filter(({ value }) => Math.abs(value - pair.value) <= 2 * error).length))

/** The four columns of what stands in rows of four. */
const columnsOf = (rows: Float64Array): Float64Array[] =>
  Array.from({ length: lanes }, (_, v) =>
    Float64Array.from({ length: rows.length / lanes }, (_, row) => rows[row * lanes + v]!),
  )

/** Eigenpairs of the matrix whose column c, QᵀLq_c, is known as far as the basis went when q_c was multiplied; in order. */
function ritzPairs(columns: readonly Float64Array[], order: EigenOrder): RitzPair[] {
  const size = columns.length
  const all = columns.at(-1)!.length
  const entry = (row: number, column: number) => columns[column]![row] ?? 0
  const matrix = Float64Array.from({ length: size * size }, (_, at) => {
    const [row, column] = [Math.floor(at / size), at % size]
    return (entry(row, column) + entry(column, row)) / 2
  })
  const { values, vectors } = symmetricEigenpairs(matrix, size)
  return eigenOrder(values, order).map((index) => {
    const coefficients = Float64Array.from({ length: size }, (_, row) => vectors[row * size + index]!)
    const beyond = Float64Array.from({ length: all - size }, (_, row) =>
      coefficients.reduce((sum, coefficient, column) => sum + coefficient * entry(size + row, column), 0),
    )
    return { value: values[index]!, coefficients, beyond, residual: Math.hypot(...beyond) }
  })
}

/** The basis cut down to the best approximations, those wanted and half of the others, and the vectors not yet multiplied. */
function restarted(n: number, basis: Basis, ritz: readonly RitzPair[], k: number, random: () => number) {
  const kept = ritz.slice(0, lanes * Math.ceil((k + (ritz.length - k) / 2) / lanes))
  const panels = [...basis.combine(coefficientPanels(kept)), ...basis.panels.slice(ritz.length / lanes)]
  const columns = kept.map(({ value, beyond }, index) => {
    const column = new Float64Array(kept.length + beyond.length)
    column[index] = value
    column.set(beyond, kept.length)
    return column
  })
  return [basisOf(n, random, panels), columns] as [Basis, Float64Array[]]
}

function resultOf(n: number, basis: Basis, wanted: readonly RitzPair[]) {
  const panels = basis.combine(coefficientPanels(wanted))
  return {
    values: Float64Array.from(wanted, ({ value }) => value),
    vectors: wanted.map((_, index) =>
      Float64Array.from({ length: n }, (_, i) => panels[Math.floor(index / lanes)]![i * lanes + (index % lanes)]!),
    ),
    residuals: Float64Array.from(wanted, ({ residual }) => residual),
  }
}

/** The coefficients of four pairs to a panel. */
function coefficientPanels(pairs: readonly RitzPair[]): Panel[] {
  const size = pairs[0]?.coefficients.length ?? 0
  return Array.from({ length: Math.ceil(pairs.length / lanes) }, (_, index) => {
    const panel = emptyPanel(size)
    pairs.slice(index * lanes, (index + 1) * lanes).forEach(({ coefficients }, v) => {
      coefficients.forEach((value, row) => (panel[row * lanes + v] = value))
    })
    return panel
  })
}
