import { highest, products, type Matrix, type ScoredIndex } from '../../math/vectors.ts'
import type { Form } from './best-question.ts'
import type { GemNode, Vector } from './node.ts'

/**
 * Lays the vectors of nodes and of their questions side by side, in 32 bits. A prompt is multiplied with all of them at once: with the mean
 * of a question and its node by halves, whose lengths are computed once. The similarities of the nodes that follow are right to six digits:
 * enough to say which nodes have to be looked at closely.
 */
export function similarityScan(nodes: readonly GemNode[]): (prompt: Vector) => (form: Form) => Float64Array {
  const matrix = matrixOf(nodes)
  const lengths: Partial<Record<Form, Float64Array>> = {}
  return (prompt) => {
    const scores = products(Float32Array.from(prompt), matrix)
    const length = lengthOf(prompt)
    const found: Partial<Record<Form, Float64Array>> = {}
    const similarities = (form: Form): Float64Array => {
      const own = (lengths[form] ??= lengthsOf(nodes, form))
      const similarity = (product: number, row: number): number => {
        const both = length * (own[row] ?? 0)
        return both === 0 ? 0 : product / both
      }
      return bestOfEach(nodes, scores, similarity, form)
    }
    return (form) => (found[form] ??= similarities(form))
  }
}

/** Twice what a similarity of a scan can be off. */
const margin = 1e-5

/**
 * The indices of the largest exact scores, `count` at most, best first and equal ones by index, where `near` is within half of 1e-5 of
 * them: only those are computed that can be among them.
 */
export function nearestFirst(
  near: Float64Array,
  exact: (index: number) => number,
  count: number,
  without: ReadonlySet<number> = new Set(),
): readonly ScoredIndex[] {
  const left = without.size === 0 ? near : near.map((score, index) => (without.has(index) ? -Infinity : score))
  const last = highest(left, Math.min(count, near.length - without.size)).at(-1)
  if (!last) return []
  return Array.from(left.keys())
    .filter((index) => (left[index] ?? -Infinity) >= last.score - margin)
    .map((index) => ({ index, score: exact(index) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
}

/** The vectors of all nodes, and then of all their questions. */
function matrixOf(nodes: readonly GemNode[]): Matrix {
  const vectors = [
    ...nodes.map(({ vector }) => vector),
    ...nodes.flatMap(({ questions }) => questions.map(({ raw }) => raw)),
  ]
  const columns = vectors[0]?.length ?? 0
  const data = new Float32Array(vectors.length * columns)
  vectors.forEach((vector, row) => {
    data.set(vector, row * columns)
  })
  return { data, rows: vectors.length, columns }
}

/** Of every row of the matrix: the length of the vector, and of a question that is averaged with its node that of the mean. */
function lengthsOf(nodes: readonly GemNode[], form: Form): Float64Array {
  const ofNodes = nodes.map(({ vector }) => lengthOf(vector))
  const ofQuestions = nodes.flatMap(({ questions, vector }) =>
    questions.map(({ raw }) => lengthOf(raw, form === 'averaged' ? vector : raw)),
  )
  return Float64Array.from([...ofNodes, ...ofQuestions])
}

/** The length of (a + b)/2. */
function lengthOf(a: Vector, b: Vector = a): number {
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += (((a[i] ?? 0) + (b[i] ?? 0)) / 2) ** 2
  return Math.sqrt(squares)
}

/** Of every node the similarity of its best question, or of itself where it has none. */
function bestOfEach(
  nodes: readonly GemNode[],
  products: Float64Array,
  similarity: (product: number, row: number) => number,
  form: Form,
): Float64Array {
  let row = nodes.length
  return Float64Array.from(nodes, ({ questions }, index) => {
    const own = products[index] ?? 0
    if (questions.length === 0) return similarity(own, index)
    let best = -Infinity
    for (const end = row + questions.length; row < end; row++) {
      const product = products[row] ?? 0
      best = Math.max(best, similarity(form === 'averaged' ? (product + own) / 2 : product, row))
    }
    return best
  })
}
