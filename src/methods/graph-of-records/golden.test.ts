import { forward, type Statistics } from '../../math/gat/forward.ts'
import { graphLoss, rankByLabel, type TieRule, bertScoreLabels } from '../../math/gat/losses.ts'
import {
  messagesOf,
  type Direction,
  type DuplicateSelfLoop,
  freshNetwork,
  initialScales,
  trainedParameters,
  storedArrays,
  type Layer,
  type Network,
} from '../../math/gat/network.ts'
import { gradientsOf, moveStatistics, fitNetwork, type Example, type Step } from '../../math/gat/train.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { replayGolden } from '../../test-support/golden.ts'
import { recordGraph } from './record-graph.ts'
import { finder } from './retrieval.ts'
/** The record graph, its retrieval and its labels, against the authors' code. */
replayGolden({
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
    return { labels: labels.map((own) => [...own]), order: labels.map((own) => [...rankByLabel(own).order]) }
  },
})

interface RecordCase {
  readonly chunks: readonly string[]
  readonly queries: readonly string[]
  readonly responses: readonly string[]
  readonly topK: number
  readonly vectors: Readonly<Record<string, readonly number[]>>
  readonly queryVectors: Readonly<Record<string, readonly number[]>>
}

async function graphCase({ chunks, queries, responses, topK, vectors, queryVectors }: RecordCase) {
  const retrieved: (readonly string[])[] = []
  const {
    nodes,
    edges,
    records,
    isolatedIds: isolated,
  } = await recordGraph(
    chunks.map((text) => ({ text, vector: vector(vectors[text]) })),
    queries.map((text) => ({ text, chunk: 0, vector: vector(queryVectors[text]) })),
    {
      materials: topK,
      embed: async (text) => vector(vectors[text]),
      respond: async (_query, passages) => responses[retrieved.push(passages) - 1],
    },
  )
  return {
    edges,
    retrieved,
    isolated,
    nodes: nodes.map(({ text }) => text),
    records: records.map(({ query, responseId, materialIds }) => ({ query, responseId, materialIds })),
  }
}

const vector = (numbers: readonly number[] = []): Float32Array => Float32Array.from(numbers)

type Rows = readonly (readonly number[])[]

/** The network of Graph of Records, its losses, their gradients and its training, against the authors' code. */
replayGolden({
  'gat.forward': forwardCase,
  'gat.init': initCase,
  'gor.losses': lossCase,
  'gor.gradients': gradientCase,
  'gor.training': trainingCase,
})

interface Shape {
  readonly dim: number
  readonly heads: number
}

interface Given extends Shape {
  readonly params: { readonly layers: readonly GivenLayer[] }
  readonly direction: Direction
  readonly duplicateSelfLoop?: DuplicateSelfLoop
}

type GivenLayer = Readonly<Record<(typeof storedArrays)[number], readonly number[] | Rows>>

interface GivenGraph {
  readonly nodes: number
  readonly edges: readonly (readonly [number, number])[]
  readonly features: Rows
  readonly queries: Rows
  readonly labels: Rows
}

function forwardCase(input: Given & GivenGraph & { readonly batchNorm: Statistics }) {
  const { dim, heads, nodes, edges, features, batchNorm } = input
  const messages = messagesOf(nodes, edges, rulesOf(input))
  const made = networkOf(input)
  const pass = forward(made, flat(features), messages, batchNorm)
  moveStatistics(made, pass)
  const pairs = Array.from(messages.source, (source, at) => [source, messages.destination[at] ?? 0] as const)
  return {
    messages: pairs,
    attention: pass.layers.map(({ attention }) =>
      pairs.map(([from, to], at) => [from, to, [...attention.subarray(at * heads, (at + 1) * heads)]]),
    ),
    layerOutputs: pass.layers.map(({ output }) => rows(output, dim)),
    output: rows(pass.output, dim),
    runningStats: made.layers.map(({ bnMean, bnVar }) => ({ bnMean: [...bnMean], bnVar: [...bnVar] })),
  }
}

function initCase({ dim, heads, layers }: Shape & { readonly layers: number }) {
  const fresh = freshNetwork(dim, heads, layers, 1)
  const only = (values: Float64Array) => new Set(values).size === 1 && values[0]
  return {
    layers: fresh.layers.map(({ inputs, ...layer }) => {
      const { weight: weightStd, attention: attnStd } = initialScales(inputs, dim, heads)
      const { bias, bnGamma, bnBeta, bnMean, bnVar, prelu } = layer
      const constants = Object.entries({ bias, bnGamma, bnBeta, bnMean, bnVar, prelu })
      return { weightStd, attnStd, ...Object.fromEntries(constants.map(([name, values]) => [name, only(values)])) }
    }),
    // the bias that stands still is counted too (section 9, point 9)
    parameters: sum(
      fresh.layers.flatMap((layer) => [...trainedParameters, 'bias' as const].map((name) => layer[name].length)),
    ),
  }
}

function lossCase({
  coe,
  tieRule,
  graphs,
}: {
  readonly coe: number
  readonly tieRule: TieRule
  readonly graphs: readonly { readonly own: Rows; readonly other: Rows; readonly labels: Rows }[]
}) {
  const perGraph = graphs.map(({ own, other, labels }) => {
    const rows = own.map((row, query) => Float64Array.from([...row, ...(other[query] ?? [])]))
    const scores = { rows, first: 0, end: own[0]?.length ?? 0, rankings: labels.map(rankByLabel) }
    const gradient = rows.map(({ length }) => new Float64Array(length))
    return graphLoss(scores, { contrastive: 1, coe, tieRule }, 1, gradient)
  })
  const mean = (of: 'contrastive' | 'ranking') => perGraph.reduce((sum, loss) => sum + loss[of], 0) / perGraph.length
  const [contrastive, ranking] = [mean('contrastive'), mean('ranking')]
  return { contrastive, ranking, total: contrastive + coe * ranking, perGraph }
}

function gradientCase(input: Given & { readonly coe: number; readonly graphs: readonly GivenGraph[] }) {
  const { dim, coe, graphs } = input
  const batch = graphs.map((graph) => exampleOf(graph, input))
  const { gradients, contrastive, ranking, total } = gradientsOf(networkOf(input), batch, {
    contrastive: 1,
    coe,
    tieRule: 'position',
  })
  const layers = gradients.map((layer) => {
    const width = layer.bnGamma.length
    const inputs = layer.weight.length / width
    return {
      weight: rows(layer.weight, inputs),
      attnSrc: rows(layer.attnSrc, dim),
      attnDst: rows(layer.attnDst, dim),
      bnGamma: [...layer.bnGamma],
      bnBeta: [...layer.bnBeta],
      prelu: [...layer.prelu],
      // never trained: its gradient is 0 in front of a batch norm
      bias: new Array<number>(width).fill(0),
    }
  })
  return { contrastive, ranking, total, gradients: { layers } }
}

async function trainingCase(
  input: Given & {
    readonly coe: number
    readonly graphs: readonly GivenGraph[]
    readonly batches: readonly (readonly number[])[]
    readonly optimizer: { readonly lr: number }
  },
) {
  const { dim, coe, graphs, optimizer } = input
  const examples = graphs.map((graph) => exampleOf(graph, input))
  const batches = input.batches.map((batch) => batch.flatMap((graph) => examples[graph] ?? []))
  const steps: Step[] = []
  const training = { contrastive: 1, coe, tieRule: 'position', rate: optimizer.lr } as const
  const made = await fitNetwork(networkOf(input), batches, training, (step) => steps.push(step))
  return {
    steps: steps.map(({ rate, ...loss }) => ({ lr: rate, ...loss })),
    params: {
      layers: made.layers.map(({ inputs, weight, attnSrc, attnDst, ...layer }) => ({
        ...Object.fromEntries(Object.entries(layer).map(([name, values]) => [name, [...values]])),
        weight: rows(weight, inputs),
        attnSrc: rows(attnSrc, dim),
        attnDst: rows(attnDst, dim),
      })),
    },
    evalOutputs: examples.map(({ features, messages }) =>
      rows(forward(made, features, messages, 'running').output, dim),
    ),
  }
}

const rulesOf = ({ direction, duplicateSelfLoop = 'keep' }: Pick<Given, 'direction' | 'duplicateSelfLoop'>) => ({
  direction,
  duplicateSelfLoop,
})

function networkOf({ dim, heads, params }: Given): Network {
  const layers = params.layers.map((given, place): Layer => {
    const numbers = Object.fromEntries(storedArrays.map((name) => [name, Float64Array.from(given[name].flat())]))
    return {
      inputs: place === 0 ? dim : dim * heads,
      ...(numbers as Record<(typeof storedArrays)[number], Float64Array>),
    }
  })
  return { dim, heads, layers }
}

const exampleOf = ({ nodes, edges, features, queries, labels }: GivenGraph, given: Given): Example => ({
  nodes,
  features: flat(features),
  messages: messagesOf(nodes, edges, rulesOf(given)),
  queries: flat(queries),
  rankings: labels.map(rankByLabel),
})

const flat = (all: Rows): Float64Array => Float64Array.from(all.flat())
const rows = (data: Float64Array, columns: number): readonly (readonly number[])[] =>
  Array.from({ length: data.length / columns }, (_, row) => [...data.subarray(row * columns, (row + 1) * columns)])
