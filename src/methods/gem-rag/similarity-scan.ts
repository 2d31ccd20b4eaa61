import { itemAt } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { type ScoredIndex, highest } from '../../math/highest.ts'
import { products, type Matrix } from '../../math/vectors.ts'
import type { GemNode, UtilityQuestion } from './memory.ts'
import type { Vector } from './themes.ts'

/** A prompt is matched with the mean of a question and its node (Algorithm 1), or with the question alone. */
export type Form = 'averaged' | 'raw'

/** A node's question that is most similar to the prompt; without questions the node itself. */
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
  return rest.reduce((best, candidate) => (candidate.similarity > best.similarity ? candidate : best), first)
}

/** The cosine of a with (b + c)/2, computed on the fly: storing it would double the memory of embeddings. */
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
 * Approximate similarities of a prompt with all nodes, to six digits, which select the candidates of the exact
 * comparison. The vectors of nodes and questions form one float32 matrix and are multiplied at once; products with the
 * mean of a question and its node are the mean of two products.
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
        const lengthProduct = length * itemAt(lengths, row)
        return lengthProduct === 0 ? 0 : product / lengthProduct
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

/** The vectors of all nodes, then of all questions. */
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

/** Twice the largest error of a scan. */
const margin = 1e-5

/** The `count` largest exact scores, best first; `near` approximates them within 5e-6. */
export function nearestFirst(
  near: Float64Array,
  exact: (index: number) => number,
  count: number,
  without: ReadonlySet<number>,
): readonly ScoredIndex[] {
  const eligibleScores =
    without.size === 0 ? near : near.map((score, index) => (without.has(index) ? -Infinity : score))
  const last = highest(eligibleScores, Math.min(count, near.length - without.size)).at(-1)
  if (!last) return []
  return Array.from(eligibleScores.keys())
    .filter((index) => itemAt(eligibleScores, index) >= last.score - margin)
    .map((index) => ({ index, score: exact(index) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
}
