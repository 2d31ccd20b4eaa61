import type { Index, Passage } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import type { BuiltGraph } from './build.ts'
import { finder } from './finder.ts'
import { nodeId } from './node-ids.ts'
import type { RetrievalOptions } from './options.ts'

/** A node that a question may find, ready to be a passage. */
interface Findable {
  readonly passage: Omit<Passage, 'score'>
  readonly vector: Float32Array
}

/** The nodes nearest to a question (section 3), each with the vector that `vectorsOf` gives it in its graph. */
export function retriever(
  graphs: readonly BuiltGraph[],
  vectorsOf: (graph: BuiltGraph) => readonly Float32Array[],
  { topK: most, responses, similarity }: RetrievalOptions,
): Index['retrieve'] {
  const nodes = graphs.flatMap((graph, number) => {
    const vectors = vectorsOf(graph)
    return graph.nodes.flatMap((node, id): readonly Findable[] =>
      node.kind === 'chunk' || responses
        ? [{ passage: passageOf(graph, number, id), vector: vectors[id] ?? new Float32Array() }]
        : [],
    )
  })
  const find = finder(
    nodes.map(({ vector }) => vector),
    similarity,
  )
  return async ({ text }, budget, models) => {
    if (nodes.length === 0) return []
    const near = find(await queryVector(text, models), Math.min(most, budget.passages))
    return near.flatMap(({ index, score }) => {
      const { passage } = nodes[index] ?? {}
      return passage ? [{ ...passage, score, why: { ...passage.why, [similarity]: score } }] : []
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
