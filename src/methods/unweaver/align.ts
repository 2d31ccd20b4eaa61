import { constrainedLeastSquares, proportionalFairness } from '../../math/allocation.ts'
import type { Trace } from '../../types.ts'
import type { RankedChunk } from './context.ts'
import type { Voter } from './entity-index.ts'

export interface AlignOptions {
  readonly alignment: 'utility' | 'cls'
  readonly alignmentRank: 'gammaX' | 'x'
  readonly alignmentBudget: number | 'tokens'
  readonly alignmentClasses: number
  readonly alignmentTolerance: number
  readonly alignmentIterations: number
}

/** An entity as a class: its vector, its similarity to the question (gamma), and the chunks that hold it. */
export type AlignedClass = Pick<Voter, 'similarity' | 'vector' | 'chunks'>

/** `fallback` says that the shares are not those of the method. */
export interface Aligned {
  readonly ranking: readonly RankedChunk[]
  readonly fallback?: string
}

/**
 * Chunks by the share of the classes in them (UnWeaver, Appendix C, Algorithm 1; what it leaves open is our reading). Classes that
 * the question is not near to, or that no chunk holds, are left out; of the best others all chunks are taken, by the sum of their x.
 * `lengths`: tokens of every chunk. Undefined when no class is left.
 */
export function align(
  found: readonly AlignedClass[],
  query: Float32Array,
  options: AlignOptions,
  lengths: readonly number[],
): Aligned | undefined {
  const classes = found
    .map((one, rank) => ({ ...one, rank }))
    .filter(({ similarity, chunks }) => similarity > 0 && chunks.length > 0)
  if (classes.length === 0) return undefined
  const chunks = [...new Set(classes.flatMap((one) => one.chunks))]
  const budgets = budgetsOf(chunks, lengths, options.alignmentBudget)
  const { x, why, fallback } =
    options.alignment === 'utility'
      ? fairShares(classes, chunks, budgets, options)
      : fit(classes, chunks, budgets, query)
  const best = bestClasses(classes, x, options)
  const trace = { ...why, classesLeftOut: found.length - classes.length }
  // a stable sort: equals stay in the order of the best class that holds them, then of its list
  const ranking = [...new Set(best.flatMap((one) => one.chunks))]
    .map((chunk) => {
      const holding = best.filter((one) => one.chunks.includes(chunk))
      const score = holding.reduce((sum, { share }) => sum + share, 0)
      return { chunk, score, by: holding.map(({ rank }) => rank), why: trace }
    })
    .sort((a, b) => b.score - a.score)
  return { ranking, ...(fallback !== undefined && { fallback }) }
}

/** What rounding may leave of an equation that is satisfied, as a part of the smallest budget, or of 1 where all budgets are larger. */
const negligible = 1e-6

interface Shares {
  /** Of each class. */
  readonly x: readonly number[]
  readonly why: Trace
  readonly fallback?: string
}

/** The budget vector f. A chunk of no token has something to give all the same, or no share would be bounded by it. */
function budgetsOf(
  chunks: readonly number[],
  lengths: readonly number[],
  budget: number | 'tokens',
): readonly number[] {
  if (budget !== 'tokens') return chunks.map(() => budget)
  const own = chunks.map((chunk) => Math.max(1, lengths[chunk] ?? 0))
  const mean = own.reduce((sum, tokens) => sum + tokens, 0) / own.length
  return own.map((tokens) => tokens / mean)
}

/** Proportional fairness: every chunk has its budget to give to the classes that it holds. */
function fairShares(
  classes: readonly AlignedClass[],
  chunks: readonly number[],
  budgets: readonly number[],
  options: AlignOptions,
): Shares {
  const problem = {
    constraints: chunks.map((chunk) => membership(chunk, classes)),
    gamma: classes.map(({ similarity }) => similarity),
    budgets,
  }
  const settings = { tolerance: options.alignmentTolerance, maxIterations: options.alignmentIterations }
  const { x, iterations, converged } = proportionalFairness(problem, settings)
  const why = { iterations, converged }
  return converged ? { x, why } : { x, why, fallback: 'shares did not converge within the iterations' }
}

/**
 * Constrained least squares: the classes that make up the question, the shares in every chunk summing to its budget. Chunks of the same
 * classes and budget are one equation times the root of their number, whose solution is the same and whose size does not grow with them.
 * Where no shares satisfy all equations, those that come nearest are taken, and it is said.
 */
function fit(
  classes: readonly AlignedClass[],
  chunks: readonly number[],
  budgets: readonly number[],
  query: Float32Array,
): Shares {
  const alike = new Map<string, { row: readonly number[]; budget: number; times: number }>()
  for (const [index, chunk] of chunks.entries()) {
    const row = membership(chunk, classes)
    const budget = budgets[index] ?? 1
    const key = `${row.join('')} ${budget}`
    const known = alike.get(key)
    if (known) known.times++
    else alike.set(key, { row, budget, times: 1 })
  }
  const equations = [...alike.values()]
  const { x, singular, residual } = constrainedLeastSquares({
    vectors: Array.from(query, (_, axis) => classes.map(({ vector }) => vector[axis] ?? 0)),
    target: Array.from(query),
    constraints: equations.map(({ row, times }) => row.map((one) => one * Math.sqrt(times))),
    budgets: equations.map(({ budget, times }) => budget * Math.sqrt(times)),
  })
  const why = { singular, residual }
  const smallest = budgets.reduce((least, budget) => Math.min(least, budget), 1)
  return residual < negligible * smallest
    ? { x, why }
    : { x, why, fallback: 'no shares satisfy every chunk: those nearest to it' }
}

const membership = (chunk: number, classes: readonly AlignedClass[]): readonly number[] =>
  classes.map(({ chunks }) => (chunks.includes(chunk) ? 1 : 0))

/** The classes with the largest gamma·x, or x; equal ones by gamma, then in order. */
function bestClasses(
  classes: readonly (AlignedClass & { readonly rank: number })[],
  x: readonly number[],
  options: AlignOptions,
) {
  const { alignmentRank, alignmentClasses } = options
  return classes
    .map(({ similarity, chunks, rank }, index) => {
      const share = x[index] ?? 0
      const value = alignmentRank === 'gammaX' ? similarity * share : share
      return { chunks, rank, share, similarity, value: Math.round(value * 1e9) }
    })
    .sort((a, b) => b.value - a.value || b.similarity - a.similarity)
    .slice(0, alignmentClasses)
}
