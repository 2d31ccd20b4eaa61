import { itemAt } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { highest } from '../../math/highest.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import type { Trace } from '../../types.ts'
import { exactCosine } from '../shared/embed.ts'
import { averageVectors, type GemNode, type UtilityQuestion } from './memory.ts'
import type { GemOptions } from './options.ts'
import type { Vector } from './themes.ts'

/** The nodes of a memory, and S, which only best-first search by edges computes. */
interface Recallable {
  readonly nodes: readonly GemNode[]
  readonly factors: () => Factors
}

/**
 * Ranks nodes for a prompt's embedding: at most `count`, best first, every node once. `form`: a prompt is compared with
 * the mean of question and chunk (Algorithm 1), or with the question alone. In best-first search only the order of
 * scores is meaningful.
 */
export function recaller(memories: readonly Recallable[], mode: GemOptions['mode'], form: Form = 'averaged') {
  const places = memories.flatMap(({ nodes }, memory) => nodes.map((node, number) => ({ memory, number, node })))
  return (prompt: Vector, count: number) => {
    const similarities = memoise((by: Form) => places.map(({ node }) => bestQuestion(node, prompt, by).similarity))
    const visitedPlaces = new Set<number>()
    /** The unvisited places with the largest values. */
    const best = (values: readonly number[], most: number) => {
      const open = values.map((value, index) => (visitedPlaces.has(index) ? -Infinity : value))
      return highest(open, most).filter(({ score }) => score > -Infinity)
    }
    const toRecalledNode = (index: number, score: number, edge: Trace) => {
      const { memory, number, node } = itemAt(places, index)
      return { memory, node: number, score, why: { ...traceOf(node, prompt, form), ...edge } }
    }
    // Algorithm 1: nodes by the similarity of their best question; ties go to the lower index
    if (mode === 'algorithm-1')
      return best(similarities(form), count).map(({ index, score }) => toRecalledNode(index, score, {}))

    // the text's best-first search: from the node of the best raw question to the unvisited node of the highest
    // priority: the heaviest edge to any visited node, or the similarity with the prompt
    const reach = places.map((): Reach => ({ weight: -Infinity, from: '', rank: 0 }))
    const order: ReturnType<typeof toRecalledNode>[] = []
    while (order.length < Math.min(count, places.length)) {
      const priorities = mode === 'best-first' ? reach.map(({ weight }) => weight) : similarities(form)
      const [next] = order.length === 0 ? [] : best(priorities, 1)
      // when a memory has no further node, the search restarts in another
      const { index } = next ?? itemAt(best(similarities('raw'), 1), 0)
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
    similarity: exactCosine(prompt, form === 'averaged' ? averageVectors(question.raw, vector) : question.raw),
    question,
  }))
  if (!first) return { similarity: exactCosine(prompt, vector), question: undefined }
  return rest.reduce((best, candidate) => (candidate.similarity > best.similarity ? candidate : best), first)
}

/** The symmetric weight W_ij of an edge; negative weights are 0. */
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
