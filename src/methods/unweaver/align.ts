import { itemAt } from '../../basics/collections.ts'
import { constrainedLeastSquares, proportionalFairness } from '../../math/allocation.ts'
import type { Trace } from '../../types.ts'
import type { RankedChunk } from './context.ts'
import type { Voter } from './entity-index.ts'

/** An entity as a class: its vector, its similarity to the question (gamma), and the chunks that hold it. */
export type AlignedClass = Pick<Voter, 'similarity' | 'vector' | 'chunks'>

/** `fallback` says that the shares are not those of the method. */
export interface Aligned {
  readonly ranking: readonly RankedChunk[]
  readonly fallback?: string
}

/**
 * Chunks by the share of the classes in them (UnWeaver, Appendix C, Algorithm 1; what it leaves open is our reading).
 * Classes that the question is not near to, or that no chunk holds, are left out; of the best `most` others all chunks
 * are taken, by the sum of their x. Every chunk has 1 to share out (f, our reading). Undefined when no class is left.
 */
export function align(
  found: readonly AlignedClass[],
  query: Float32Array,
  alignment: 'utility' | 'cls',
  most: number,
): Aligned | undefined {
  const classes = found
    .map((one, rank) => ({ ...one, rank }))
    .filter(({ similarity, chunks }) => similarity > 0 && chunks.length > 0)
  if (classes.length === 0) return undefined
  const chunks = [...new Set(classes.flatMap((one) => one.chunks))]
  const { x, why, fallback } = alignment === 'utility' ? fairShares(classes, chunks) : fit(classes, chunks, query)
  const best = bestClasses(classes, x, most)
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

/** What rounding may leave of an equation that is satisfied. */
const negligible = 1e-6

interface Shares {
  /** Of each class. */
  readonly x: readonly number[]
  readonly why: Trace
  readonly fallback?: string
}

/** Proportional fairness: every chunk has 1 to give to its classes. The printed stopping rule never applies. */
function fairShares(classes: readonly AlignedClass[], chunks: readonly number[]): Shares {
  const problem = {
    constraints: chunks.map((chunk) => membership(chunk, classes)),
    gamma: classes.map(({ similarity }) => similarity),
    budgets: chunks.map(() => 1),
  }
  const { x, iterations, converged } = proportionalFairness(problem, { tolerance: 1e-4, maxIterations: 5000 })
  const why = { iterations, converged }
  return converged ? { x, why } : { x, why, fallback: 'shares did not converge within the iterations' }
}

/**
 * Constrained least squares: the classes that make up the question, the shares in every chunk summing to 1. Chunks of
 * the same classes are one equation times the root of their number, whose solution is the same and whose size does not
 * grow with them. Where no shares satisfy all equations, those that come nearest are taken, and it is said.
 */
function fit(classes: readonly AlignedClass[], chunks: readonly number[], query: Float32Array): Shares {
  const alike = new Map<string, { row: readonly number[]; times: number }>()
  for (const chunk of chunks) {
    const row = membership(chunk, classes)
    const known = alike.get(row.join(''))
    if (known) known.times++
    else alike.set(row.join(''), { row, times: 1 })
  }
  const equations = [...alike.values()]
  const { x, singular, residual } = constrainedLeastSquares({
    vectors: Array.from(query, (_, axis) => classes.map(({ vector }) => itemAt(vector, axis))),
    target: Array.from(query),
    constraints: equations.map(({ row, times }) => row.map((one) => one * Math.sqrt(times))),
    budgets: equations.map(({ times }) => Math.sqrt(times)),
  })
  const why = { singular, residual }
  return residual < negligible ? { x, why } : { x, why, fallback: 'no shares satisfy every chunk: those nearest to it' }
}

const membership = (chunk: number, classes: readonly AlignedClass[]): readonly number[] =>
  classes.map(({ chunks }) => (chunks.includes(chunk) ? 1 : 0))

/** The classes with the largest gamma·x; equal ones by gamma, then in order. */
const bestClasses = (
  classes: readonly (AlignedClass & { readonly rank: number })[],
  x: readonly number[],
  most: number,
) =>
  classes
    .map(({ similarity, chunks, rank }, index) => {
      const share = itemAt(x, index)
      return { chunks, rank, share, similarity, value: Math.round(similarity * share * 1e9) }
    })
    .sort((a, b) => b.value - a.value || b.similarity - a.similarity)
    .slice(0, most)
