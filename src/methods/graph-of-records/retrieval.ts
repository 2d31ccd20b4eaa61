import type { ScoredIndex } from '../../math/vectors.ts'
import type { Index, Passage } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import type { BuiltGraph } from './build.ts'
import { nodeId } from './node-ids.ts'
import type { RecordNode } from './record-graph.ts'

/** A node that a question may find, with the place of its graph and its place there, and the passage that it is. */
export interface FindableNode extends Pick<RecordNode, 'kind' | 'text' | 'vector'> {
  readonly graph: number
  readonly id: number
  readonly passage: Omit<Passage, 'score'>
}

/** The nodes of all graphs of a corpus; without `responses` the chunks alone. */
export const findableNodes = (graphs: readonly BuiltGraph[], responses: boolean): readonly FindableNode[] =>
  graphs.flatMap((graph, number) =>
    graph.nodes.flatMap(({ kind, text, vector }, id) =>
      kind === 'chunk' || responses
        ? [{ kind, text, vector, graph: number, id, passage: passageOf(graph, number, id) }]
        : [],
    ),
  )

/** The passages of the nodes that `find` gives for the vector of a question; `score` names the score in a trial. */
export function retriever(
  nodes: readonly FindableNode[],
  find: (query: Float32Array, most: number) => readonly ScoredIndex[],
  { topK: most, score: name }: { readonly topK: number; readonly score: string },
): Index['retrieve'] {
  return async ({ text }, budget, models) => {
    if (nodes.length === 0) return []
    const near = find(await queryVector(text, models), Math.min(most, budget.passages))
    return near.flatMap(({ index, score }) => {
      const { passage } = nodes[index] ?? {}
      return passage ? [{ ...passage, score, why: { ...passage.why, [name]: score } }] : []
    })
  }
}

/** A chunk quotes its first place in the documents; a response is made of the chunks that it goes back to. */
function passageOf(graph: BuiltGraph, number: number, id: number): Omit<Passage, 'score'> {
  const { text = '', kind = 'chunk', chunks = [] } = graph.nodes[id] ?? {}
  const why = { nodes: [nodeId(number, id)] }
  const sources = chunks.flatMap((chunk) => graph.units[chunk] ?? [])
  if (kind === 'response')
    return { text, from: [...new Set(sources.flatMap(({ from }) => from))], kind: 'summary', why }
  const [first] = sources
  return { text, from: first?.from ?? [], kind, ...(first?.span && { spans: [first.span] }), why }
}
