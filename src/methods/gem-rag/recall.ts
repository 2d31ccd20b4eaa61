import { itemAt } from '../../basics/collections.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import type { Trace } from '../../types.ts'
import { factorsOf, type Memory, type GemNode } from './memory.ts'
import type { GemOptions } from './options.ts'
import { bestQuestion, type Form, nearestFirst, similarityScan } from './similarity-scan.ts'
import type { Vector } from './themes.ts'

/** A node that a prompt brought, and why. Higher is better; of a best-first search only the order has a meaning. */
interface Recalled {
  readonly memory: number
  readonly node: number
  readonly score: number
  readonly why: Trace
}

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

/**
 * Prepares memories for prompts: their vectors are laid side by side when the first one comes. `form` is what a prompt
 * is compared with: the mean of question and chunk (Algorithm 1), or the question alone.
 */
export function recaller(memories: readonly Recallable[], mode: GemOptions['mode'], form: Form = 'averaged'): Recall {
  const places = memories.flatMap(({ nodes }, memory) => nodes.map((node, number) => ({ memory, number, node })))
  let scan: ReturnType<typeof similarityScan> | undefined
  return (prompt, count) => {
    scan ??= similarityScan(places.map(({ node }) => node))
    const search: Search = { memories, places, prompt, near: scan(prompt), mode, form }
    return mode === 'algorithm-1' ? byPrompt(search, count) : bestFirst(search, count)
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
  readonly mode: GemOptions['mode']
  readonly form: Form
}

/** Algorithm 1: the nodes whose questions are most similar to the prompt; ties go to the lower index. */
const byPrompt = (search: Search, count: number): readonly Recalled[] =>
  byForm(search, search.form, count).map(({ index, score }) => recalled(search, index, score))

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
  const { memories, places, mode, form } = search
  const reach = places.map((): Reach => ({ weight: -Infinity, from: '', rank: 0 }))
  const visited = new Set<number>()
  const order: Recalled[] = []
  const visit = (index: number, edge: Trace): void => {
    visited.add(index)
    order.push(recalled(search, index, 1 / (1 + order.length), edge))
    const place = places[index]
    const memory = place && memories[place.memory]
    if (mode !== 'best-first' || !memory) return
    places.forEach((other, at) => {
      if (visited.has(at) || other.memory !== place.memory) return
      const weight = edgeWeight(memory.factors, place.number, other.number)
      if (weight > (reach[at]?.weight ?? 0)) reach[at] = { weight, from: nameOf(place.node), rank: order.length }
    })
  }
  const next = (): number | undefined => {
    if (order.length === 0) return undefined
    if (mode === 'best-first') return heaviest(reach, visited)
    return byForm(search, form, 1, visited)[0]?.index
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

function recalled({ places, prompt, form }: Search, index: number, score: number, edge: Trace = {}): Recalled {
  const place = places[index]
  if (!place) throw new RangeError(`there is no node ${index}`)
  const { memory, number, node } = place
  const { theme } = node
  const { question, similarity } = bestQuestion(node, prompt, form)
  const why: Trace = {
    ...(question && { question: question.text }),
    similarity,
    ...(theme && { theme: theme.number, eigenvalue: theme.eigenvalue, members: theme.members, weights: theme.weights }),
    ...edge,
  }
  return { memory, node: number, score, why }
}

/** The weight W_ij of the edge between two nodes, one for both ways; negative weights are 0. */
export const edgeWeight = (factors: Factors, i: number, j: number): number =>
  weightOf(similarity(factors, i, j), similarity(factors, j, i))

/** W_ij from S_ij and S_ji: their mean (our reading). */
export const weightOf = (above: number, below: number): number => Math.max((above + below) / 2, 0)

/** S_ij = A_i · B_j. */
function similarity({ a, b }: Factors, i: number, j: number): number {
  let sum = 0
  for (let c = 0; c < a.columns; c++) sum += itemAt(a.data, i * a.columns + c) * itemAt(b.data, j * b.columns + c)
  return sum
}
