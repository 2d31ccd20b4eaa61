import { type Messages, attentionSlope, bnEpsilon, type Layer, type Network } from './network.ts'
import { randomMask } from '../random.ts'
import { exp } from '../portable.ts'
import { productWithTranspose } from '../kernels.ts'

/** Dropout rates in [0, 1) during training, and their source of randomness. */
export interface Dropout {
  /** Rate over the inputs of each layer. */
  readonly features: number
  /** Rate over the messages of each head. */
  readonly attention: number
  readonly random: () => number
}

/** A dropout mask: entries of 1 are multiplied by `scale`, entries of 0 are dropped. */
export interface DropoutMask {
  readonly mask: Uint8Array
  readonly scale: number
}

/** A layer's activations, as the backward pass needs them. Rows are nodes; `width` is heads · dim. */
export interface LayerPass {
  /** The input after dropout. */
  readonly input: Float64Array
  /** Undefined without dropout. */
  readonly featureMask: DropoutMask | undefined
  readonly z: Float64Array
  /** Per message and head: the logit before the leaky ReLU, the attention, and the attention after dropout. */
  readonly raw: Float64Array
  readonly attention: Float64Array
  readonly messageWeights: Float64Array
  readonly attentionMask: DropoutMask | undefined
  readonly mean: Float64Array
  readonly variance: Float64Array
  /** x̂ = (x − mean) / √(variance + ε). */
  readonly xHat: Float64Array
  /** After PReLU: the input of the next layer. */
  readonly wide: Float64Array
  /** The mean of the heads: `dim` numbers a node. */
  readonly output: Float64Array
}

export interface Pass {
  readonly layers: readonly LayerPass[]
  /** Element-wise maximum over the layers' outputs, and the layer it comes from. */
  readonly output: Float64Array
  readonly winner: Uint8Array
}

/** Statistics of the batch norm: the layer's running ones, or those of this batch. */
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
  for (const [place, pass] of layers.entries()) {
    for (let at = 0; at < output.length; at++) {
      // branch-free: the branch would be unpredictable
      const value = pass.output[at]!
      winner[at]! += Number(value > output[at]!) * (place - winner[at]!)
      output[at] = Math.max(value, output[at]!)
    }
  }
  return { layers, output, winner }
}

function layerPass(
  layer: Layer,
  { dim, heads }: Network,
  features: Float64Array,
  messages: Messages,
  statistics: Statistics,
  dropout: Dropout | undefined,
): LayerPass {
  const nodes = messages.first.length - 1
  const width = dim * heads
  const featureMask = drawMask(features.length, dropout?.features, dropout)
  const input = featureMask ? applyMask(features, featureMask) : features
  const z = productWithTranspose(input, layer.weight, nodes, layer.inputs, width)
  const raw = rawAttention(layer, z, messages, dim, heads)
  const attention = softmax(raw, messages, heads)
  const attentionMask = drawMask(attention.length, dropout?.attention, dropout)
  const messageWeights = attentionMask ? applyMask(attention, attentionMask) : attention
  const x = aggregate(z, messageWeights, messages, dim, heads)
  for (let node = 0, at = 0; node < nodes; node++)
    for (let channel = 0; channel < width; channel++) x[at++]! += layer.bias[channel]!
  const { mean, variance } =
    statistics === 'running' ? { mean: layer.bnMean, variance: layer.bnVar } : momentsOf(x, nodes, width)
  const wide = batchNormAndPrelu(layer, x, mean, variance)
  const output = heads === 1 ? wide : meanOfHeads(wide, nodes, dim, heads)
  return { input, featureMask, z, raw, attention, messageWeights, attentionMask, mean, variance, xHat: x, wide, output }
}

/** The batch norm and PReLU; turns `x` into x̂ in place. */
function batchNormAndPrelu(
  { bnGamma, bnBeta, prelu }: Layer,
  x: Float64Array,
  mean: Float64Array,
  variance: Float64Array,
): Float64Array {
  const width = bnGamma.length
  const inverse = variance.map((value) => 1 / Math.sqrt(value + bnEpsilon))
  const wide = new Float64Array(x.length)
  for (let at = 0; at < x.length;) {
    for (let channel = 0; channel < width; channel++, at++) {
      const norm = (x[at]! - mean[channel]!) * inverse[channel]!
      const y = norm * bnGamma[channel]! + bnBeta[channel]!
      x[at] = norm
      // branch-free: the branch would be unpredictable
      wide[at] = Math.max(y, 0) + Math.min(y, 0) * prelu[channel]!
    }
  }
  return wide
}

function meanOfHeads(wide: Float64Array, nodes: number, dim: number, heads: number): Float64Array {
  const output = new Float64Array(nodes * dim)
  for (let node = 0, at = 0; node < nodes; node++)
    for (let head = 0; head < heads; head++)
      for (let to = node * dim; to < (node + 1) * dim; to++) output[to]! += wide[at++]! / heads
  return output
}

/** Inverted dropout: the scale keeps the expected sum. */
function drawMask(length: number, share: number | undefined, dropout: Dropout | undefined): DropoutMask | undefined {
  if (!dropout || !share) return undefined
  return { mask: randomMask(length, share, dropout.random), scale: 1 / (1 - share) }
}

export function applyMask(numbers: Float64Array, { mask, scale }: DropoutMask): Float64Array {
  const result = new Float64Array(numbers.length)
  for (let at = 0; at < numbers.length; at++) result[at] = numbers[at]! * scale * mask[at]!
  return result
}

/** Logits per message and head: attnSrc · z of its source plus attnDst · z of its destination. */
function rawAttention(
  { attnSrc, attnDst }: Layer,
  z: Float64Array,
  { source, destination, first }: Messages,
  dim: number,
  heads: number,
): Float64Array {
  const nodes = first.length - 1
  const asSource = new Float64Array(nodes * heads)
  const asDestination = new Float64Array(nodes * heads)
  for (let place = 0, at = 0; place < nodes * heads; place++) {
    const first = (place % heads) * dim
    let sourceTerm = 0
    let destinationTerm = 0
    for (let channel = first; channel < first + dim; channel++, at++) {
      sourceTerm += attnSrc[channel]! * z[at]!
      destinationTerm += attnDst[channel]! * z[at]!
    }
    asSource[place] = sourceTerm
    asDestination[place] = destinationTerm
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
      const from = first[node]! * heads + head
      const to = first[node + 1]! * heads
      let most = -Infinity
      for (let at = from; at < to; at += heads) most = Math.max(most, attention[at]!)
      let sum = 0
      for (let at = from; at < to; at += heads) sum += attention[at] = exp(attention[at]! - most)
      for (let at = from; at < to; at += heads) attention[at]! /= sum
    }
  }
  return attention
}

/** Sums the messages into each node, weighted by attention. */
function aggregate(
  z: Float64Array,
  messageWeights: Float64Array,
  { source, destination }: Messages,
  dim: number,
  heads: number,
): Float64Array {
  const x = new Float64Array(z.length)
  for (let message = 0; message < source.length; message++) {
    for (let head = 0; head < heads; head++) {
      const share = messageWeights[message * heads + head]!
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
  for (let at = 0; at < x.length;) for (let channel = 0; channel < width; channel++) mean[channel]! += x[at++]!
  for (let channel = 0; channel < width; channel++) mean[channel]! /= nodes
  for (let at = 0; at < x.length;) {
    for (let channel = 0; channel < width; channel++) {
      const deviation = x[at++]! - mean[channel]!
      variance[channel]! += deviation * deviation
    }
  }
  for (let channel = 0; channel < width; channel++) variance[channel]! /= nodes
  return { mean, variance }
}
