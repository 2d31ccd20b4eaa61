import { itemAt } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
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
  const [first, ...rest] = questions.map((question) => ({
    similarity: cosineOf(prompt, question.raw, form === 'averaged' ? vector : question.raw),
    question,
  }))
  if (!first) return { similarity: cosineOf(prompt, vector, vector), question: undefined }
  return rest.reduce((best, other) => (other.similarity > best.similarity ? other : best), first)
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
 * The similarities of a prompt with all nodes, right to six digits: enough to say which nodes have to be looked at
 * closely. The vectors of nodes and of their questions lie side by side, in 32 bits, and are multiplied at once; the
 * mean of a question and its node by halves, whose lengths are computed once.
 */
export function similarityScan(nodes: readonly GemNode[]): (prompt: Vector) => (form: Form) => Float64Array {
  const matrix = matrixOf(nodes)
  const lengthsOf = memoise((form: Form) =>
    Float64Array.from([
      ...nodes.map(({ vector }) => lengthOf(vector)),
      ...nodes.flatMap(({ questions, vector }) =>
        questions.map(({ raw }) => lengthOf(raw, form === 'averaged' ? vector : raw)),
      ),
    ]),
  )
  return (prompt) => {
    const scores = products(Float32Array.from(prompt), matrix)
    const length = lengthOf(prompt)
    return memoise((form: Form) => {
      const lengths = lengthsOf(form)
      const similarity = (product: number, row: number): number => {
        const both = length * itemAt(lengths, row)
        return both === 0 ? 0 : product / both
      }
      let row = nodes.length
      return Float64Array.from(nodes, ({ questions }, index) => {
        const score = itemAt(scores, index)
        if (questions.length === 0) return similarity(score, index)
        let best = -Infinity
        for (const end = row + questions.length; row < end; row++) {
          const product = itemAt(scores, row)
          best = Math.max(best, similarity(form === 'averaged' ? (product + score) / 2 : product, row))
        }
        return best
      })
    })
  }
}

/** The vectors of all nodes, and then of all their questions. */
function matrixOf(nodes: readonly GemNode[]): Matrix {
  const vectors = [
    ...nodes.map(({ vector }) => vector),
    ...nodes.flatMap(({ questions }) => questions.map(({ raw }) => raw)),
  ]
  const columns = vectors[0]?.length ?? 0
  const data = new Float32Array(vectors.length * columns)
  vectors.forEach((vector, row) => data.set(vector, row * columns))
  return { data, rows: vectors.length, columns }
}

/** The length of (a + b)/2. */
function lengthOf(a: Vector, b: Vector = a): number {
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += ((itemAt(a, i) + itemAt(b, i)) / 2) ** 2
  return Math.sqrt(squares)
}

/** Twice what a similarity of a scan can be off. */
const margin = 1e-5

/** The indices of the largest exact scores, at most `count`, best first, where `near` is right within half of 1e-5. */
export function nearestFirst(
  near: Float64Array,
  exact: (index: number) => number,
  count: number,
  without: ReadonlySet<number>,
): readonly ScoredIndex[] {
  const left = without.size === 0 ? near : near.map((score, index) => (without.has(index) ? -Infinity : score))
  const last = highest(left, Math.min(count, near.length - without.size)).at(-1)
  if (!last) return []
  return Array.from(left.keys())
    .filter((index) => itemAt(left, index) >= last.score - margin)
    .map((index) => ({ index, score: exact(index) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
}
