import { type Messages, attentionSlope, bnEpsilon, type Layer, type Network, newRoom, type Take } from './network.ts'
import { randomMask } from '../random.ts'
import { exp } from '../portable.ts'
import { productTransposed } from '../kernels.ts'

/** What is left out while the network trains: shares from 0 to below 1, and where the draws come from. */
export interface Dropout {
  /** Of the numbers that go into each layer. */
  readonly features: number
  /** Of the messages of each head. */
  readonly attention: number
  readonly random: () => number
}

/** What dropout multiplies by: `scale` where there is a 1, else 0. */
export interface Kept {
  readonly mask: Uint8Array
  readonly scale: number
}

/** What a layer made of its input, with all that the backward pass needs. Rows are nodes; `width` is heads · dim. */
export interface LayerPass {
  /** The input as it was multiplied: what dropout left out is 0. */
  readonly input: Float64Array
  /** Which numbers dropout left in; none where nothing is left out. */
  readonly kept: Kept | undefined
  readonly z: Float64Array
  /** For each message and head: the sum in front of the leaky slope, the attention, and what of it was used. */
  readonly raw: Float64Array
  readonly attention: Float64Array
  readonly used: Float64Array
  readonly messagesKept: Kept | undefined
  readonly mean: Float64Array
  readonly variance: Float64Array
  /** (x − mean) / √(variance + ε): what the batch norm scales. */
  readonly normed: Float64Array
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

/** The forward pass over nodes with `dim` features each; `take` gives the room for what it makes. */
export function forward(
  network: Network,
  features: Float64Array,
  messages: Messages,
  statistics: Statistics,
  dropout?: Dropout,
  take: Take = newRoom,
): Pass {
  const layers: LayerPass[] = []
  let input = features
  for (const layer of network.layers) {
    const pass = layerPass(layer, network, input, messages, statistics, dropout, take)
    layers.push(pass)
    input = pass.wide
  }
  const output = take(features.length).fill(-Infinity)
  const winner = new Uint8Array(features.length)
  for (const [place, own] of layers.entries()) {
    for (let at = 0; at < output.length; at++) {
      // without a branch, whose side could not be foreseen
      const value = own.output[at]!
      winner[at]! += Number(value > output[at]!) * (place - winner[at]!)
      output[at] = Math.max(value, output[at]!)
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
  dropout: Dropout | undefined,
  take: Take,
): LayerPass {
  const nodes = messages.first.length - 1
  const width = dim * heads
  const kept = masked(given.length, dropout?.features, dropout)
  const input = kept ? thinned(given, kept, take) : given
  const z = productTransposed(input, layer.weight, nodes, layer.inputs, width, take(nodes * width))
  const raw = rawAttention(layer, z, messages, dim, heads)
  const attention = softmax(raw, messages, heads)
  const messagesKept = masked(attention.length, dropout?.attention, dropout)
  const used = messagesKept ? thinned(attention, messagesKept, take) : attention
  const x = gathered(z, used, messages, dim, heads, take)
  for (let node = 0, at = 0; node < nodes; node++)
    for (let channel = 0; channel < width; channel++) x[at++]! += layer.bias[channel]!
  const { mean, variance } =
    statistics === 'running' ? { mean: layer.bnMean, variance: layer.bnVar } : momentsOf(x, nodes, width)
  const wide = normalised(layer, x, mean, variance, take)
  const output = heads === 1 ? wide : meanOfHeads(wide, nodes, dim, heads, take)
  return { input, kept, z, raw, attention, used, messagesKept, mean, variance, normed: x, wide, output }
}

/** The batch norm and PReLU; `x` is then what the batch norm scales. */
function normalised(
  { bnGamma, bnBeta, prelu }: Layer,
  x: Float64Array,
  mean: Float64Array,
  variance: Float64Array,
  take: Take,
): Float64Array {
  const width = bnGamma.length
  const inverse = variance.map((value) => 1 / Math.sqrt(value + bnEpsilon))
  const wide = take(x.length)
  for (let at = 0; at < x.length;) {
    for (let channel = 0; channel < width; channel++, at++) {
      const norm = (x[at]! - mean[channel]!) * inverse[channel]!
      const y = norm * bnGamma[channel]! + bnBeta[channel]!
      x[at] = norm
      // without a branch, whose side could not be foreseen
      wide[at] = Math.max(y, 0) + Math.min(y, 0) * prelu[channel]!
    }
  }
  return wide
}

function meanOfHeads(wide: Float64Array, nodes: number, dim: number, heads: number, take: Take): Float64Array {
  const output = take(nodes * dim)
  for (let node = 0, at = 0; node < nodes; node++)
    for (let head = 0; head < heads; head++)
      for (let to = node * dim; to < (node + 1) * dim; to++) output[to]! += wide[at++]! / heads
  return output
}

/** What dropout leaves in, scaled so that the expected sum stays the same. */
function masked(length: number, share: number | undefined, dropout: Dropout | undefined): Kept | undefined {
  if (!dropout || !share) return undefined
  return { mask: randomMask(length, share, dropout.random), scale: 1 / (1 - share) }
}

/** What dropout leaves in of numbers. */
export function thinned(numbers: Float64Array, { mask, scale }: Kept, take: Take): Float64Array {
  const result = take(numbers.length)
  for (let at = 0; at < numbers.length; at++) result[at] = numbers[at]! * scale * mask[at]!
  return result
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
  for (let place = 0, at = 0; place < nodes * heads; place++) {
    const first = (place % heads) * dim
    let [own, other] = [0, 0]
    for (let channel = first; channel < first + dim; channel++, at++) {
      own += attnSrc[channel]! * z[at]!
      other += attnDst[channel]! * z[at]!
    }
    asSource[place] = own
    asDestination[place] = other
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
      for (let at = from; at < to; at += heads) sum += attention[at] = exp(attention[at]! - most)
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
  take: Take,
): Float64Array {
  const x = take(z.length)
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
  for (let at = 0; at < x.length;) for (let channel = 0; channel < width; channel++) mean[channel]! += x[at++]!
  for (let channel = 0; channel < width; channel++) mean[channel]! /= nodes
  for (let at = 0; at < x.length;) {
    for (let channel = 0; channel < width; channel++) {
      const apart = x[at++]! - mean[channel]!
      variance[channel]! += apart * apart
    }
  }
  for (let channel = 0; channel < width; channel++) variance[channel]! /= nodes
  return { mean, variance }
}
