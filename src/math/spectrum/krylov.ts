import { mulberry32 } from '../random.ts'
import { basisOf, type Basis } from './basis.ts'
import { convergenceChecks } from './convergence-checks.ts'
import type { Operator } from './operator.ts'
import type { EigenOrder } from './order.ts'
import {
  coefficientPanels,
  residualOf,
  restartedProjection,
  ritzPairs,
  type Projection,
  type RitzPair,
} from './ritz.ts'
import { emptyPanel, lanes, type Panel } from '../kernels.ts'

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

/** Vectors of a basis that is full: a larger one needs fewer passes, but more time for each. */
const fullSize = (k: number): number => (8 + Math.ceil(k / 2)) * lanes
/** With room for every start that a multiple eigenvalue may call for. A matrix of fewer rows has no need of iterations. */
export const basisSize = (k: number): number => fullSize(k) + (Math.ceil(k / lanes) + 1) * lanes

/**
 * The first k eigenpairs by block Lanczos with full reorthogonalisation and thick restarts (Wu and Simon 2000), four vectors at a
 * time. A known eigenvector is part of the start, which keeps it out of the search. n must exceed `basisSize(k)`.
 */
export function krylovEigenpairs(operator: Operator, k: number, options: KrylovOptions): Approximation {
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
    // a search from s vectors finds an eigenvalue s times at most: where it does, there may be more, and more vectors will tell
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
    vectors: pairs.map((_, index) => vectorOf(panels[Math.floor(index / lanes)]!, index % lanes)),
    residuals: Float64Array.from(pairs, ({ residual }) => residual),
  }
}

function vectorOf(panel: Panel, lane: number): Float64Array {
  const vector = new Float64Array(panel.length / lanes)
  for (let i = 0; i < vector.length; i++) vector[i] = panel[i * lanes + lane]!
  return vector
}
