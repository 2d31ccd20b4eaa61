import { itemAt } from '../../basics/collections.ts'
import { type ScoredIndex, highest } from '../../math/highest.ts'
import { products, type Matrix } from '../../math/vectors.ts'
import type { GemNode, UtilityQuestion } from './memory.ts'
import type { Vector } from './themes.ts'

/** Whether a prompt is matched with the mean of a question and its node (Algorithm 1), or with the question alone. */
export type Form = 'averaged' | 'raw'

/** A node's question that is most similar to the prompt, averaged with the node's vector or raw; else the node. */
export function bestQuestion(
  { questions, vector }: Pick<GemNode, 'questions' | 'vector'>,
  prompt: Vector,
  form: Form,
): { readonly similarity: number; readonly question: UtilityQuestion | undefined } {
  let found: { similarity: number; question: UtilityQuestion | undefined } | undefined
  for (const question of questions) {
    const similarity = cosineOf(prompt, question.raw, form === 'averaged' ? vector : question.raw)
    if (!found || similarity > found.similarity) found = { similarity, question }
  }
  return found ?? { similarity: cosineOf(prompt, vector, vector), question: undefined }
}

/** The cosine of a with (b + c)/2, which is not stored: it would take twice the memory of the embeddings. */
function cosineOf(a: Vector, b: Vector, c: Vector): number {
  let product = 0
  let aa = 0
  let bb = 0
  for (let i = 0; i < a.length; i++) {
    const x = itemAt(a, i)
    const y = (itemAt(b, i) + itemAt(c, i)) / 2
    product += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb)
}

/**
 * Lays the vectors of nodes and of their questions side by side, in 32 bits. A prompt is multiplied with all of them at
 * once: with the mean of a question and its node by halves, whose lengths are computed once. The similarities of the
 * nodes that follow are right to six digits: enough to say which nodes have to be looked at closely.
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
        const both = length * itemAt(own, row)
        return both === 0 ? 0 : product / both
      }
      return bestOfEach(nodes, scores, similarity, form)
    }
    return (form) => (found[form] ??= similarities(form))
  }
}

/** Twice what a similarity of a scan can be off. */
const margin = 1e-5

/** The indices of the largest exact scores, at most `count`, best first, where `near` is right within half of 1e-5. */
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

/** The length of every row of the matrix; of a question averaged with its node, that of the mean. */
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
  for (let i = 0; i < a.length; i++) squares += ((itemAt(a, i) + itemAt(b, i)) / 2) ** 2
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
    const own = itemAt(products, index)
    if (questions.length === 0) return similarity(own, index)
    let best = -Infinity
    for (const end = row + questions.length; row < end; row++) {
      const product = itemAt(products, row)
      best = Math.max(best, similarity(form === 'averaged' ? (product + own) / 2 : product, row))
    }
    return best
  })
}
