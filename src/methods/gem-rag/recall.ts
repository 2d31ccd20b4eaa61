import type { Trace } from '../../types.ts'
import { edgeWeight } from './edges.ts'
import type { Memory } from './memory.ts'
import type { GemNode, UtilityQuestion, Vector } from './node.ts'
import type { GemOptions } from './options.ts'

/** A node that a prompt brought, and why. A higher score is better; of a best-first search only the order has a meaning. */
export interface Recalled {
  readonly memory: number
  readonly node: number
  readonly score: number
  readonly why: Trace
}

type RecallOptions = Pick<GemOptions, 'mode' | 'questionEmbedding' | 'edge' | 'symmetrize' | 'negatives'>
type Recallable = Pick<Memory, 'nodes' | 'factors'>

/** The best nodes for a prompt's embedding, at most `count`, best first; every node once, so that a node's questions leave with it. */
export function recall(
  memories: readonly Recallable[],
  prompt: Vector,
  count: number,
  options: RecallOptions,
): readonly Recalled[] {
  const matches = memories.flatMap((memory, m) =>
    memory.nodes.map((node, n) => ({
      memory: m,
      node: n,
      ...bestQuestion(node, prompt, options.questionEmbedding),
      visited: false,
    })),
  )
  return options.mode === 'alg1'
    ? byPrompt(matches, count, memories)
    : bestFirst(matches, count, memories, prompt, options)
}

/** A node with its best question for the prompt. */
interface Match {
  readonly memory: number
  readonly node: number
  readonly similarity: number
  readonly question: UtilityQuestion | undefined
  visited: boolean
}

/** Algorithm 1: the nodes whose questions are most similar to the prompt; ties go to the lower index. */
function byPrompt(matches: readonly Match[], count: number, memories: readonly Recallable[]): readonly Recalled[] {
  return [...matches]
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, count)
    .map((match) => recalled(match, match.similarity, memories))
}

/**
 * The best-first search of the text: from the node of the single best raw question on to the unvisited node with the largest priority:
 * the heaviest edge to any visited node, or the similarity with the prompt. A memory without further nodes starts anew in the next.
 */
function bestFirst(
  matches: readonly Match[],
  count: number,
  memories: readonly Recallable[],
  prompt: Vector,
  options: RecallOptions,
): readonly Recalled[] {
  const raw = matches.map(({ memory, node }) => {
    const found = memories[memory]?.nodes[node]
    return found ? bestQuestion(found, prompt, 'raw').similarity : -Infinity
  })
  const reach = matches.map(() => ({ weight: -Infinity, from: -1 }))
  const order: Recalled[] = []
  const visit = (index: number, edge: Trace): void => {
    const match = matches[index]
    const memory = memories[match?.memory ?? -1]
    if (!match || !memory) return
    match.visited = true
    order.push(recalled(match, 1 / (1 + order.length), memories, edge))
    if (options.mode !== 'bestFirst') return
    matches.forEach((other, at) => {
      if (other.visited || other.memory !== match.memory) return
      const weight = edgeWeight(memory, match.node, other.node, options)
      if (weight > (reach[at]?.weight ?? 0)) reach[at] = { weight, from: match.node }
    })
  }
  while (order.length < count && order.length < matches.length) {
    const priority = (index: number): number =>
      options.mode === 'bestFirst' ? (reach[index]?.weight ?? -Infinity) : (matches[index]?.similarity ?? -Infinity)
    const next = order.length === 0 ? -1 : best(matches, priority)
    if (next >= 0) visit(next, edgeTrace(reach[next]))
    else
      visit(
        best(matches, (index) => raw[index] ?? -Infinity),
        {},
      )
  }
  return order
}

/** The unvisited match of highest priority, the first of several; -1 where none is above -Infinity. */
function best(matches: readonly Match[], priority: (index: number) => number): number {
  let found = -1
  let highest = -Infinity
  matches.forEach((match, index) => {
    const value = match.visited ? -Infinity : priority(index)
    if (value > highest) {
      highest = value
      found = index
    }
  })
  return found
}

const edgeTrace = (edge: { readonly weight: number; readonly from: number } | undefined): Trace =>
  edge && edge.from >= 0 ? { edgeFrom: edge.from, edgeWeight: edge.weight } : {}

function recalled(
  { memory, node, similarity, question }: Match,
  score: number,
  memories: readonly Recallable[],
  edge: Trace = {},
): Recalled {
  const theme = memories[memory]?.nodes[node]?.theme
  const why: Trace = {
    ...(question && { question: question.text }),
    similarity,
    ...(theme && { theme: theme.number, eigenvalue: theme.eigenvalue, members: theme.members, weights: theme.weights }),
    ...edge,
  }
  return { memory, node, score, why }
}

/** A node's question that is most similar to the prompt, averaged with the node's vector or raw; a node without questions is matched itself. */
export function bestQuestion(
  { questions, vector }: Pick<GemNode, 'questions' | 'vector'>,
  prompt: Vector,
  form: 'averaged' | 'raw',
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
    const x = a[i] ?? 0
    const y = ((b[i] ?? 0) + (c[i] ?? 0)) / 2
    product += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb)
}
