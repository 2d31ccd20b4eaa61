import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { trainMark } from '../../basics/files.ts'
import { messageOf, UserError } from '../../errors.ts'
import { messagesOf, type Network, packNetwork, packedLength, unpackNetwork } from '../../math/gat/network.ts'
import { validationErrors } from '../../text/validation-errors.ts'
import { forward } from '../../math/gat/forward.ts'
import type { RecordGraph } from './record-graph.ts'

const share = z.number().min(0).lt(1)
const loss = z.object({ contrastive: z.number(), ranking: z.number(), total: z.number() })

/** Training options; `direction` and `duplicateSelfLoop` also apply at inference. */
const trainConfig = z.object({
  direction: z.enum(['toResponse', 'both']),
  duplicateSelfLoop: z.enum(['merge', 'keep']),
  tieRule: z.enum(['position', 'skip']),
  labels: z.enum(['bertscore', 'cosine']),
  contrastive: z.boolean(),
  coe: z.number().min(0),
  dropout: share,
  attentionDropout: share,
  epochs: z.int().min(1),
  rate: z.number().positive(),
  batch: z.int().min(1),
})

/**
 * A weights file. `params`: base64 of little-endian float32, layer after layer: weight, attnSrc, attnDst, bnGamma,
 * bnBeta, prelu, bias, bnMean, bnVar. `lossCurve`: means over the steps of each epoch. `embedder`: that of the training
 * vectors.
 */
const weightsForm = z.object({
  mark: z.literal(trainMark),
  version: z.literal(1),
  dim: z.int().min(1).max(65_536),
  heads: z.int().min(1).max(64),
  layers: z.int().min(1).max(16),
  embedder: z.object({ provider: z.string(), model: z.string(), digest: z.string() }).nullable(),
  trainConfig,
  seed: z.int().min(0),
  graphs: z.int().min(1),
  nodes: z.int().min(1),
  queries: z.int().min(1),
  lossCurve: z.array(loss).readonly(),
  params: z.string(),
})

type WeightsFile = z.output<typeof weightsForm>
export type TrainConfig = z.output<typeof trainConfig>

/** A parsed weights file. */
export interface Weights extends Omit<WeightsFile, 'params' | 'layers'> {
  readonly network: Network
}

/** Formats a weights file; numbers are rounded to float32. Fields are in the order of the form. */
export function formatWeights(
  network: Network,
  facts: Omit<Weights, 'network' | 'dim' | 'heads' | 'mark' | 'version'>,
): string {
  const { dim, heads, layers } = network
  const params = Buffer.from(Float32Array.from(packNetwork(network)).buffer).toString('base64')
  const file = { ...facts, mark: trainMark, version: 1, dim, heads, layers: layers.length, params }
  return `${JSON.stringify(weightsForm.parse(file))}\n`
}

/** Reads a weights file. Throws UserError, one line with file and fault. */
export async function readWeights(file: string): Promise<Weights> {
  const content = await readJson(file)
  const read = weightsForm.safeParse(content)
  if (!read.success)
    throw new UserError(
      `${file}: no weights of graph-of-records: ${validationErrors(weightsForm, content, {})[0]?.message ?? ''}`,
    )
  const { params, layers, ...facts } = read.data
  const numbers = numbersIn(params, packedLength(facts.dim, facts.heads, layers), file)
  return { ...facts, network: unpackNetwork(numbers, facts.dim, facts.heads, layers) }
}

/** The numbers of `params`. Throws UserError for another count, or a number that is not finite. */
function numbersIn(params: string, count: number, file: string): Float32Array {
  const characters = 4 * Math.ceil((4 * count) / 3)
  // the length is checked before anything is allocated
  const bytes = params.length === characters ? Buffer.from(params, 'base64') : undefined
  if (bytes?.length !== 4 * count)
    throw new UserError(
      `${file}: "params" must be the base64 of ${4 * count} bytes, of ${characters} characters; it has ${params.length}`,
    )
  // a copy, since numbers must start at a multiple of their size
  const numbers = new Float32Array(new Uint8Array(bytes).buffer)
  const odd = numbers.findIndex((value) => !Number.isFinite(value))
  if (odd >= 0)
    throw new UserError(`${file}: "params" holds ${numbers[odd]} (number ${odd + 1}); all numbers must be finite`)
  return numbers
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UserError(`${file}: cannot be read as JSON: ${messageOf(error)}; gembench train writes such a file`, {
      cause: error,
    })
  }
}

/** The vectors of all nodes, concatenated, in float64. */
export function featuresOf({ nodes }: Pick<RecordGraph, 'nodes'>): Float64Array {
  const dim = nodes[0]?.vector.length ?? 0
  const all = new Float64Array(nodes.length * dim)
  nodes.forEach(({ vector }, node) => all.set(vector, node * dim))
  return all
}

/** The network's outputs for all nodes. Throws Error if their vectors have another dimension. */
export function outputsOf(graph: RecordGraph, { network, trainConfig }: Weights): readonly Float32Array[] {
  const { dim } = network
  const features = featuresOf(graph)
  if (features.length !== graph.nodes.length * dim)
    throw new Error(`the vectors have ${features.length / graph.nodes.length} numbers, and the weights take ${dim}`)
  const messages = messagesOf(graph.nodes.length, graph.edges, trainConfig)
  const { output } = forward(network, features, messages, 'running')
  return graph.nodes.map((_, node) => Float32Array.from(output.subarray(node * dim, (node + 1) * dim)))
}
