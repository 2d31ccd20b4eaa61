import type { Messages } from './messages.ts'
import { product, transposed } from '../wasm/matrix-product.ts'
import { attentionSlope, bnEpsilon, type Layer, type Network } from './network.ts'

/** What is left out while the network trains: shares from 0 to below 1, and where the draws come from. */
export interface Dropout {
  /** Of the numbers that go into each layer. */
  readonly features: number
  /** Of the messages of each head. */
  readonly attention: number
  readonly random: () => number
}

/** What a layer made of its input, with all that the backward pass needs. Rows are nodes; `width` is heads · dim. */
export interface LayerPass {
  /** The input as it was multiplied: what dropout left out is 0. */
  readonly input: Float64Array
  /** What dropout multiplied the input by; none where nothing is left out. */
  readonly kept: Float64Array | undefined
  readonly z: Float64Array
  /** For each message, one number for each head: the sum in front of the leaky slope, the attention, and what of it was used. */
  readonly raw: Float64Array
  readonly attention: Float64Array
  readonly used: Float64Array
  readonly messagesKept: Float64Array | undefined
  readonly mean: Float64Array
  readonly variance: Float64Array
  /** (x − mean) / √(variance + ε), and what the batch norm made of it. */
  readonly normed: Float64Array
  readonly scaled: Float64Array
  /** After PReLU: what the next layer takes. */
  readonly wide: Float64Array
  /** The mean of the heads: `dim` numbers a node. */
  readonly output: Float64Array
}

export interface Pass {
  readonly layers: readonly LayerPass[]
  /** The largest of the layers' outputs, element by element, and which layer it is of. */
  readonly output: Float64Array
  readonly winner: Uint8Array
}

/** Statistics of a batch norm: those that the layer keeps, or those of the nodes that pass. */
export type Statistics = 'running' | 'batch'

/** The forward pass over nodes with `dim` features each. */
export function forward(
  network: Network,
  features: Float64Array,
  messages: Messages,
  statistics: Statistics,
  dropout?: Dropout,
): Pass {
  const layers: LayerPass[] = []
  let input = features
  for (const layer of network.layers) {
    const pass = layerPass(layer, network, input, messages, statistics, dropout)
    layers.push(pass)
    input = pass.wide
  }
  const output = new Float64Array(features.length).fill(-Infinity)
  const winner = new Uint8Array(features.length)
  for (const [place, own] of layers.entries()) {
    for (let at = 0; at < output.length; at++) {
      if (!(own.output[at]! > output[at]!)) continue
      output[at] = own.output[at]!
      winner[at] = place
    }
  }
  return { layers, output, winner }
}

function layerPass(
  layer: Layer,
  { dim, heads }: Network,
  given: Float64Array,
  messages: Messages,
  statistics: Statistics,
  dropout?: Dropout,
): LayerPass {
  const nodes = messages.first.length - 1
  const width = dim * heads
  const kept = masked(given.length, dropout?.features, dropout)
  const input = kept ? given.map((value, at) => value * kept[at]!) : given
  const z = product(input, transposed(layer.weight, width, layer.inputs), nodes, layer.inputs, width)
  const raw = rawAttention(layer, z, messages, dim, heads)
  const attention = softmax(raw, messages, heads)
  const messagesKept = masked(attention.length, dropout?.attention, dropout)
  const used = messagesKept ? attention.map((value, at) => value * messagesKept[at]!) : attention
  const x = gathered(z, used, messages, dim, heads)
  for (let at = 0; at < x.length; at++) x[at]! += layer.bias[at % width]!
  const { mean, variance } =
    statistics === 'running' ? { mean: layer.bnMean, variance: layer.bnVar } : momentsOf(x, nodes, width)
  const normed = new Float64Array(x.length)
  const scaled = new Float64Array(x.length)
  const wide = new Float64Array(x.length)
  const output = new Float64Array(nodes * dim)
  const inverse = variance.map((value) => 1 / Math.sqrt(value + bnEpsilon))
  for (let node = 0, at = 0; node < nodes; node++) {
    for (let channel = 0; channel < width; channel++, at++) {
      const norm = (x[at]! - mean[channel]!) * inverse[channel]!
      const y = norm * layer.bnGamma[channel]! + layer.bnBeta[channel]!
      normed[at] = norm
      scaled[at] = y
      wide[at] = y > 0 ? y : y * layer.prelu[channel]!
      output[node * dim + (channel % dim)]! += wide[at]! / heads
    }
  }
  return { input, kept, z, raw, attention, used, messagesKept, mean, variance, normed, scaled, wide, output }
}

/** What dropout multiplies by: 0, or what keeps the expected sum the same. */
function masked(length: number, share: number | undefined, dropout: Dropout | undefined): Float64Array | undefined {
  if (!dropout || !share) return undefined
  const { random } = dropout
  return Float64Array.from({ length }, () => (random() < share ? 0 : 1 / (1 - share)))
}

/** Of each message and head: attnSrc · z of its source plus attnDst · z of its destination. */
function rawAttention(
  { attnSrc, attnDst }: Layer,
  z: Float64Array,
  { source, destination, first }: Messages,
  dim: number,
  heads: number,
): Float64Array {
  const nodes = first.length - 1
  const [asSource, asDestination] = [new Float64Array(nodes * heads), new Float64Array(nodes * heads)]
  for (let at = 0; at < z.length; at++) {
    const channel = at % (dim * heads)
    const place = Math.floor(at / dim)
    asSource[place]! += attnSrc[channel]! * z[at]!
    asDestination[place]! += attnDst[channel]! * z[at]!
  }
  const raw = new Float64Array(source.length * heads)
  for (let message = 0; message < source.length; message++)
    for (let head = 0; head < heads; head++)
      raw[message * heads + head] =
        asSource[source[message]! * heads + head]! + asDestination[destination[message]! * heads + head]!
  return raw
}

/** Softmax over the messages into each node, after the leaky slope. */
function softmax(raw: Float64Array, { first }: Messages, heads: number): Float64Array {
  const attention = raw.map((value) => (value > 0 ? value : attentionSlope * value))
  for (let node = 0; node + 1 < first.length; node++) {
    for (let head = 0; head < heads; head++) {
      const [from, to] = [first[node]! * heads + head, first[node + 1]! * heads]
      let most = -Infinity
      for (let at = from; at < to; at += heads) most = Math.max(most, attention[at]!)
      let sum = 0
      for (let at = from; at < to; at += heads) sum += attention[at] = Math.exp(attention[at]! - most)
      for (let at = from; at < to; at += heads) attention[at]! /= sum
    }
  }
  return attention
}

/** The messages into each node, added up by their attention. */
function gathered(
  z: Float64Array,
  used: Float64Array,
  { source, destination }: Messages,
  dim: number,
  heads: number,
): Float64Array {
  const x = new Float64Array(z.length)
  for (let message = 0; message < source.length; message++) {
    for (let head = 0; head < heads; head++) {
      const share = used[message * heads + head]!
      const from = (source[message]! * heads + head) * dim
      const to = (destination[message]! * heads + head) * dim
      for (let at = 0; at < dim; at++) x[to + at]! += share * z[from + at]!
    }
  }
  return x
}

/** Mean and population variance of every channel. */
function momentsOf(x: Float64Array, nodes: number, width: number) {
  const mean = new Float64Array(width)
  const variance = new Float64Array(width)
  for (let node = 0; node < nodes; node++)
    for (let channel = 0; channel < width; channel++) mean[channel]! += x[node * width + channel]! / nodes
  for (let node = 0; node < nodes; node++)
    for (let channel = 0; channel < width; channel++)
      variance[channel]! += (x[node * width + channel]! - mean[channel]!) ** 2 / nodes
  return { mean, variance }
}
