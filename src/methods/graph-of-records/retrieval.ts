import { normalise, topK } from '../../math/vectors.ts'
import type { Index, Passage } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import type { BuiltGraph } from './build.ts'
import { nodeId } from './node-ids.ts'
import type { RetrievalOptions } from './options.ts'

/** A node that a question may find, ready to be a passage. */
interface Findable {
  readonly passage: Omit<Passage, 'score'>
  readonly direction: Float32Array
}

/** The nodes nearest to a question by cosine (section 3), each with the vector that `vectorsOf` gives it in its graph. */
export function retriever(
  graphs: readonly BuiltGraph[],
  vectorsOf: (graph: BuiltGraph) => readonly Float32Array[],
  { topK: most, responses }: RetrievalOptions,
): Index['retrieve'] {
  const nodes = graphs.flatMap((graph, number) => {
    const vectors = vectorsOf(graph)
    return graph.nodes.flatMap((node, id): readonly Findable[] =>
      node.kind === 'chunk' || responses
        ? [{ passage: passageOf(graph, number, id), direction: normalise(vectors[id] ?? new Float32Array()) }]
        : [],
    )
  })
  const directions = nodes.map(({ direction }) => direction)
  return async ({ text }, budget, models) => {
    if (nodes.length === 0) return []
    const query = normalise(await queryVector(text, models))
    return topK(query, directions, Math.min(most, budget.passages)).flatMap(({ index, score }) => {
      const found = nodes[index]
      return found ? [{ ...found.passage, score, why: { ...found.passage.why, cosine: score } }] : []
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
