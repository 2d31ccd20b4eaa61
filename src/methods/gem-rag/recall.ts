import { itemAt } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { highest } from '../../math/highest.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import type { Trace } from '../../types.ts'
import { normalise, products, rowsToMatrix } from '../../math/vectors.ts'
import { averageVectors, type GemNode, type UtilityQuestion } from './memory.ts'
import type { GemOptions } from './options.ts'
import type { Vector } from './themes.ts'

/** A node with its score for a prompt; higher is better. In best-first search only the order is meaningful. */
interface RecalledNode {
  readonly memory: number
  readonly node: number
  readonly score: number
  readonly why: Trace
}

/** The nodes of a memory, and S, which only best-first search by edges computes. */
interface Recallable {
  readonly nodes: readonly GemNode[]
  readonly factors: () => Factors
}

/**
 * Ranks nodes for a prompt's embedding: at most `count`, best first, every node once. `form`: a prompt is compared with
 * the mean of question and chunk (Algorithm 1), or with the question alone.
 */
export function recaller(memories: readonly Recallable[], mode: GemOptions['mode'], form: Form = 'averaged') {
  const places = memories.flatMap(({ nodes }, memory) => nodes.map((node, number) => ({ memory, number, node })))
  const screenOf = memoise((by: Form) =>
    screen(
      places.map(({ node }) => node),
      by,
    ),
  )
  return (prompt: Vector, count: number): readonly RecalledNode[] => {
    const near = memoise((by: Form) => screenOf(by)(prompt))
    const exact = (by: Form) => (index: number) => {
      const { node } = itemAt(places, index)
      return bestQuestion(node, prompt, by).similarity
    }
    const visitedPlaces = new Set<number>()
    /** The unvisited places with the largest values, among those within the error of the screen. */
    const best = (values: Float64Array, most: number, valueOf: (index: number) => number) => {
      const open = values.map((value, index) => (visitedPlaces.has(index) ? -Infinity : value))
      const last = highest(open, most).findLast(({ score }) => score > -Infinity)
      const isNear = (index: number) => last && itemAt(open, index) >= last.score - screenError
      return [...open.keys()]
        .filter(isNear)
        .map((index) => ({ index, score: valueOf(index) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, most)
    }
    const nearest = (by: Form, most: number) => best(near(by), most, exact(by))
    const toRecalledNode = (index: number, score: number, edge: Trace): RecalledNode => {
      const { memory, number, node } = itemAt(places, index)
      return { memory, node: number, score, why: { ...traceOf(node, prompt, form), ...edge } }
    }
    // Algorithm 1: nodes by the similarity of their best question; ties go to the lower index
    if (mode === 'algorithm-1') return nearest(form, count).map(({ index, score }) => toRecalledNode(index, score, {}))

    // the text's best-first search: from the node of the best raw question to the unvisited node of the highest
    // priority: the heaviest edge to any visited node, or the similarity with the prompt
    const reach = places.map((): Reach => ({ weight: -Infinity, from: '', rank: 0 }))
    const order: RecalledNode[] = []
    while (order.length < Math.min(count, places.length)) {
      const byPriority = () =>
        mode === 'best-first'
          ? best(
              Float64Array.from(reach, ({ weight }) => weight),
              1,
              (at) => itemAt(reach, at).weight,
            )
          : nearest(form, 1)
      const [next] = order.length === 0 ? [] : byPriority()
      // when a memory has no further node, the search restarts in another
      const { index } = next ?? itemAt(nearest('raw', 1), 0)
      visitedPlaces.add(index)
      order.push(
        toRecalledNode(index, 1 / (1 + order.length), next === undefined ? {} : edgeTrace(itemAt(reach, index))),
      )
      if (mode !== 'best-first') continue
      const { memory, number, node } = itemAt(places, index)
      const factors = itemAt(memories, memory).factors()
      for (const [at, neighbour] of places.entries()) {
        if (visitedPlaces.has(at) || neighbour.memory !== memory) continue
        const weight = edgeWeight(factors, number, neighbour.number)
        if (weight > itemAt(reach, at).weight) reach[at] = { weight, from: nameOf(node), rank: order.length }
      }
    }
    return order
  }
}

/** The heaviest edge to a visited node; rank 0: none. */
interface Reach {
  readonly weight: number
  readonly from: string
  readonly rank: number
}

/** The id of a node in the drawing: its chunk's id, or its theme. */
const nameOf = ({ from, theme }: GemNode): string => (theme ? `theme ${theme.number}` : itemAt(from, 0))

/** The edge to a place: the visited node, its rank (from 1), and the weight. */
const edgeTrace = ({ from, rank, weight }: Reach): Trace =>
  rank > 0 ? { edgeFrom: from, edgeFromRank: rank, edgeWeight: weight } : {}

function traceOf(node: GemNode, prompt: Vector, form: Form): Trace {
  const { theme } = node
  const { question, similarity } = bestQuestion(node, prompt, form)
  return {
    ...(question && { question: question.text }),
    similarity,
    ...(theme && { theme: theme.number, eigenvalue: theme.eigenvalue, members: theme.members, weights: theme.weights }),
  }
}

/** A prompt is matched with the mean of a question and its node (Algorithm 1), or with the question alone. */
type Form = 'averaged' | 'raw'

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

/** Twice the largest error of a screen. */
const screenError = 1e-5

/** Approximate similarities of a prompt with the nodes, in 32 bits; the exact comparison reads the best alone. */
function screen(nodes: readonly GemNode[], form: Form): (prompt: Vector) => Float64Array {
  const rows = nodes.flatMap(({ questions, vector }, node) =>
    (questions.length > 0 ? questions.map(({ raw }) => raw) : [vector]).map((raw) => {
      const mean = form === 'averaged' ? averageVectors(raw, vector) : raw
      return { node, unit: normalise(Float32Array.from(mean)) }
    }),
  )
  const matrix = rowsToMatrix(rows.map(({ unit }) => unit))
  const owners = rows.map(({ node }) => node)
  return (prompt) => {
    const similarities = new Float64Array(nodes.length).fill(-Infinity)
    const cosines = products(normalise(Float32Array.from(prompt)), matrix)
    for (const [row, node] of owners.entries())
      similarities[node] = Math.max(itemAt(similarities, node), itemAt(cosines, row))
    return similarities
  }
}

/** The symmetric weight W_ij of an edge; negative weights are 0. */
const edgeWeight = (factors: Factors, i: number, j: number): number =>
  weightOf(similarity(factors, i, j), similarity(factors, j, i))

/** W_ij from S_ij and S_ji: their mean (our reading). */
export const weightOf = (above: number, below: number): number => Math.max((above + below) / 2, 0)

/** S_ij = A_i · B_j. */
function similarity({ a, b }: Factors, i: number, j: number): number {
  let sum = 0
  for (let c = 0; c < a.columns; c++) sum += itemAt(a.data, i * a.columns + c) * itemAt(b.data, j * b.columns + c)
  return sum
}
