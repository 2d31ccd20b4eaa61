import { recordGraph } from '../../../src/methods/graph-of-records/record-graph.ts'
import { finder } from '../../../src/methods/graph-of-records/retrieval.ts'
import { ranked, bertScoreLabels } from '../../../src/math/gat/losses.ts'
import type { Adapter } from '../run.ts'

type Rows = readonly (readonly number[])[]

/** The record graph, its retrieval and its labels, against the authors' code. */
export const records: Readonly<Record<string, Adapter>> = {
  'gor.record_graph': graphCase,
  'gor.retrieve': ({ nodeVectors, query, topK }: { nodeVectors: Rows; query: readonly number[]; topK: number }) => {
    const found = finder(nodeVectors.map(vector))(vector(query), topK)
    return { indices: found.map(({ index }) => index), scores: found.map(({ score }) => score) }
  },
  'gor.bertscore_labels': ({
    nodeEmbeddings,
    sourceNode,
  }: {
    nodeEmbeddings: readonly Rows[]
    sourceNode: number[]
  }) => {
    const labels = bertScoreLabels(
      nodeEmbeddings.map((tokens) => tokens.map(vector)),
      sourceNode,
    )
    return { labels: labels.map((own) => [...own]), order: labels.map((own) => [...ranked(own).order]) }
  },
}

interface Given {
  readonly chunks: readonly string[]
  readonly queries: readonly string[]
  readonly responses: readonly string[]
  readonly topK: number
  readonly vectors: Readonly<Record<string, readonly number[]>>
  readonly queryVectors: Readonly<Record<string, readonly number[]>>
}

async function graphCase({ chunks, queries, responses, topK, vectors, queryVectors }: Given) {
  const retrieved: (readonly string[])[] = []
  const { nodes, edges, records, isolated } = await recordGraph(
    chunks.map((text) => ({ text, vector: vector(vectors[text]) })),
    queries.map((text) => ({ text, chunk: 0, vector: vector(queryVectors[text]) })),
    {
      materials: topK,
      embed: async (text) => vector(vectors[text]),
      respond: async (_query, passages) => responses[retrieved.push(passages) - 1],
    },
  )
  return {
    ...{ edges, retrieved, isolated },
    nodes: nodes.map(({ text }) => text),
    records: records.map(({ query, responseId, materialIds }) => ({ query, responseId, materialIds })),
  }
}

const vector = (numbers: readonly number[] = []): Float32Array => Float32Array.from(numbers)
