import { z } from 'zod'
import { defineMethod } from '../../define.ts'
import { cosine } from '../../math/vectors.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import { build, recordGraphs } from './build.ts'
import { findableNodes, finder, recordIndex, type FindableNode } from './retrieval.ts'
import { isRefusal } from './record-graph.ts'
/** A response with a higher cosine to an earlier thought is not new (our reading: the paper is silent). */
const maxThoughtCosine = 0.85

/** Thought-Retriever on the record graph: retrieval ranks novel responses beside the chunks. */
export const thoughtR = defineMethod({
  name: 'thought-r',
  summary:
    'The record graph of graph-of-records; responses that tell something new are kept as thoughts, and found beside the chunks by their vectors.',
  paper: 'Feng et al. 2024, Thought-Retriever (baseline of Graph of Records)',
  tasks: [simulateQuery, answerFromPassages],
  options: z.strictObject({}),
  prepares: recordGraphs,
  async index(chunks, models, _options, sharedGraphs) {
    const graphs = sharedGraphs ?? (await build(chunks, models))
    const all = findableNodes(graphs, true)
    const nodes = withoutWeakThoughts(all)
    const find = finder(nodes.map(({ vector }) => vector))
    return recordIndex(graphs, nodes, find, { thoughtsLeftOut: all.length - nodes.length })
  },
})

function withoutWeakThoughts(nodes: readonly FindableNode[]): readonly FindableNode[] {
  const thoughts: FindableNode[] = []
  return nodes.filter((node) => {
    if (node.kind === 'chunk') return true
    const isOld = thoughts.some(
      ({ graph, vector }) => graph === node.graph && cosine(vector, node.vector) > maxThoughtCosine,
    )
    if (isOld || isRefusal(node.text)) return false
    thoughts.push(node)
    return true
  })
}
