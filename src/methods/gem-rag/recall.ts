import { itemAt } from '../../basics/collections.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import type { Trace } from '../../types.ts'
import { factorsOf, type Memory, type GemNode, type UtilityQuestion } from './memory.ts'
import type { GemOptions } from './options.ts'
import type { Vector } from './themes.ts'
import { type ScoredIndex, highest } from '../../math/highest.ts'
import { products, type Matrix } from '../../math/vectors.ts'

/** A node that a prompt brought, and why. Higher is better; of a best-first search only the order has a meaning. */
interface Recalled {
  readonly memory: number
  readonly node: number
  readonly score: number
  readonly why: Trace
}

type RecallOptions = Pick<GemOptions, 'mode' | 'questionEmbedding' | 'symmetrize'>

/** The nodes of a memory and S of all of them, as factors. */
export interface Recallable extends Pick<Memory, 'nodes'> {
  readonly factors: Factors
}

/** Finds the best nodes for a prompt's embedding, at most `count`, best first, every node once. */
type Recall = (prompt: Vector, count: number) => readonly Recalled[]

/** A memory with its factors, made when first read: only a search along edges needs them. */
export function recallable({ nodes }: Pick<Memory, 'nodes'>): Recallable {
  let factors: Factors | undefined
  return {
    nodes,
    get factors() {
      return (factors ??= factorsOf(nodes))
    },
  }
}

/** Prepares memories for prompts: their vectors are laid side by side when the first one comes. */
export function recaller(memories: readonly Recallable[], options: RecallOptions): Recall {
  const places = memories.flatMap(({ nodes }, memory) => nodes.map((node, number) => ({ memory, number, node })))
  let scan: ReturnType<typeof similarityScan> | undefined
  return (prompt, count) => {
    scan ??= similarityScan(places.map(({ node }) => node))
    const search: Search = { memories, places, prompt, near: scan(prompt), options }
    return options.mode === 'algorithm-1' ? byPrompt(search, count) : bestFirst(search, count)
  }
}

interface Place {
  readonly memory: number
  /** Of the node within its memory. */
  readonly number: number
  readonly node: GemNode
}

interface Search {
  readonly memories: readonly Recallable[]
  readonly places: readonly Place[]
  readonly prompt: Vector
  /** Similarities of all places, nearly. */
  readonly near: ReturnType<ReturnType<typeof similarityScan>>
  readonly options: RecallOptions
}

/** Algorithm 1: the nodes whose questions are most similar to the prompt; ties go to the lower index. */
const byPrompt = (search: Search, count: number): readonly Recalled[] =>
  byForm(search, search.options.questionEmbedding, count).map(({ index, score }) => recalled(search, index, score))

/** The places most similar to the prompt, with the similarity itself. */
const byForm = ({ near, places, prompt }: Search, form: Form, count: number, without?: ReadonlySet<number>) =>
  nearestFirst(
    near(form),
    (index) => (places[index] ? bestQuestion(places[index].node, prompt, form).similarity : -Infinity),
    count,
    without,
  )

/**
 * The best-first search of the text: from the node of the single best raw question on to the unvisited node with the
 * largest priority: the heaviest edge to any visited node, or the similarity with the prompt. A memory without further
 * nodes starts anew in the next.
 */
function bestFirst(search: Search, count: number): readonly Recalled[] {
  const { memories, places, options } = search
  const reach = places.map((): Reach => ({ weight: -Infinity, from: '', rank: 0 }))
  const visited = new Set<number>()
  const order: Recalled[] = []
  const visit = (index: number, edge: Trace): void => {
    visited.add(index)
    order.push(recalled(search, index, 1 / (1 + order.length), edge))
    const place = places[index]
    const memory = place && memories[place.memory]
    if (options.mode !== 'best-first' || !memory) return
    places.forEach((other, at) => {
      if (visited.has(at) || other.memory !== place.memory) return
      const weight = edgeWeight(memory.factors, place.number, other.number, options.symmetrize)
      if (weight > (reach[at]?.weight ?? 0)) reach[at] = { weight, from: nameOf(place.node), rank: order.length }
    })
  }
  const next = (): number | undefined => {
    if (order.length === 0) return undefined
    if (options.mode === 'best-first') return heaviest(reach, visited)
    return byForm(search, options.questionEmbedding, 1, visited)[0]?.index
  }
  while (order.length < count && order.length < places.length) {
    const index = next()
    if (index !== undefined) visit(index, edgeTrace(reach[index]))
    else visit(itemAt(byForm(search, 'raw', 1, visited), 0).index, {})
  }
  return order
}

/** The heaviest edge from a visited node; rank 0: none. */
interface Reach {
  readonly weight: number
  readonly from: string
  readonly rank: number
}

/** The unvisited place that the heaviest edge leads to, the first of several; undefined where none leads on. */
function heaviest(reach: readonly Reach[], visited: ReadonlySet<number>): number | undefined {
  let found: number | undefined
  let most = -Infinity
  reach.forEach(({ weight }, index) => {
    if (visited.has(index) || weight <= most) return
    most = weight
    found = index
  })
  return found
}

/** As a drawing names it: the id of the chunk, or the theme within the memory. */
const nameOf = ({ from, theme }: GemNode): string => (theme ? `theme ${theme.number}` : itemAt(from, 0))

/** The way to a place: the visited node, its rank among those found (from 1), and the weight of the edge. */
const edgeTrace = (edge: Reach | undefined): Trace =>
  edge && edge.rank > 0 ? { edgeFrom: edge.from, edgeFromRank: edge.rank, edgeWeight: edge.weight } : {}

function recalled({ places, prompt, options }: Search, index: number, score: number, edge: Trace = {}): Recalled {
  const place = places[index]
  if (!place) throw new RangeError(`there is no node ${index}`)
  const { memory, number, node } = place
  const { theme } = node
  const { question, similarity } = bestQuestion(node, prompt, options.questionEmbedding)
  const why: Trace = {
    ...(question && { question: question.text }),
    similarity,
    ...(theme && { theme: theme.number, eigenvalue: theme.eigenvalue, members: theme.members, weights: theme.weights }),
    ...edge,
  }
  return { memory, node: number, score, why }
}

/** Whether a prompt is matched with the mean of a question and its node (Algorithm 1), or with the question alone. */
type Form = 'averaged' | 'raw'

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

/** The weight W of the edge between two nodes, one for both ways; of S itself, that of the way there. */
export function edgeWeight(factors: Factors, from: number, to: number, symmetrize: GemOptions['symmetrize']): number {
  if (symmetrize === 'none') return Math.max(similarity(factors, from, to), 0)
  const [low, high] = from < to ? [from, to] : [to, from]
  return weightOf(similarity(factors, low, high), similarity(factors, high, low), symmetrize)
}

/** W_ij from S_ij and S_ji with i < j; negative weights are 0. */
export const weightOf = (above: number, below: number, symmetrize: GemOptions['symmetrize']): number =>
  Math.max(joined[symmetrize](above, below), 0)

const joined: Readonly<Record<GemOptions['symmetrize'], (above: number, below: number) => number>> = {
  mean: (above, below) => (above + below) / 2,
  sum: (above, below) => above + below,
  max: Math.max,
  min: Math.min,
  lower: (_above, below) => below,
  // for a drawing alone, whose edges have no direction
  none: (above, below) => (above + below) / 2,
}

/** S_ij = A_i · B_j. */
function similarity({ a, b }: Factors, i: number, j: number): number {
  let sum = 0
  for (let c = 0; c < a.columns; c++) sum += itemAt(a.data, i * a.columns + c) * itemAt(b.data, j * b.columns + c)
  return sum
}

/**
 * Lays the vectors of nodes and of their questions side by side, in 32 bits. A prompt is multiplied with all of them at
 * once: with the mean of a question and its node by halves, whose lengths are computed once. The similarities of the
 * nodes that follow are right to six digits: enough to say which nodes have to be looked at closely.
 */
function similarityScan(nodes: readonly GemNode[]): (prompt: Vector) => (form: Form) => Float64Array {
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
function nearestFirst(
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
