import { batchLoss, type Asked, type Loss, type Weighing } from './losses.ts'
import { forward, type Dropout, type Pass, thinned, type LayerPass } from './forward.ts'
import {
  joined,
  type Messages,
  bnMomentum,
  copyOf,
  type Network,
  newRoom,
  reusedRoom,
  type Take,
  trained,
  attentionSlope,
  bnEpsilon,
  type Layer,
} from './network.ts'
import { cos } from '../portable.ts'
import { product, transposed } from '../kernels.ts'

/** A graph that is trained on: `dim` features for each node, its messages, its queries with their labels. */
export interface Example extends Asked {
  readonly features: Float64Array
  readonly messages: Messages
}

/** The losses of one step, and its learning rate. */
export interface Step extends Loss {
  readonly rate: number
  readonly total: number
}

interface Training extends Weighing {
  readonly rate: number
  readonly dropout?: Dropout
}

/** The losses of a batch, and their gradient by every trained parameter. */
export function gradientsOf(
  network: Network,
  batch: readonly Example[],
  weighing: Weighing,
  dropout?: Dropout,
  take: Take = newRoom,
): Loss & { readonly total: number; readonly gradients: readonly LayerGradients[]; readonly pass: Pass } {
  const features = joinedFeatures(batch, take)
  const messages = joined(batch.map((example) => example.messages))
  const pass = forward(network, features, messages, 'batch', dropout, take)
  const { byOutput, ...loss } = batchLoss(batch, pass.output, network.dim, weighing, take)
  return { ...loss, gradients: backward(network, messages, pass, byOutput, take), pass }
}

function joinedFeatures(batch: readonly Example[], take: Take): Float64Array {
  if (batch.length === 1) return batch[0]!.features
  const features = take(batch.reduce((sum, example) => sum + example.features.length, 0))
  let at = 0
  for (const example of batch) {
    features.set(example.features, at)
    at += example.features.length
  }
  return features
}

/**
 * Trains a copy of the network: one step of Adam for each batch, in their order, at a rate that falls along a cosine
 * over all of them. `told` is called after every step; where it gives a promise, the next step waits for it.
 */
export async function trainedOn(
  network: Network,
  batches: readonly (readonly Example[])[],
  { rate: highest, dropout, ...weighing }: Training,
  told: (step: Step, index: number) => unknown,
): Promise<Network> {
  const own = copyOf(network)
  const optimiser = adam(own)
  const { take, restart } = reusedRoom()
  for (const [index, batch] of batches.entries()) {
    restart()
    const rate = cosineRate(highest, index, batches.length)
    const { gradients, pass, contrastive, ranking, total } = gradientsOf(own, batch, weighing, dropout, take)
    moveStatistics(own, pass)
    optimiser.step(gradients, rate)
    await told({ rate, contrastive, ranking, total }, index)
  }
  return own
}

/** Running statistics move towards those of the batch, the variance towards the unbiased one. */
export function moveStatistics({ layers }: Network, pass: Pass): void {
  for (const [place, { bnMean, bnVar }] of layers.entries()) {
    const { mean, variance, normed } = pass.layers[place]!
    const nodes = normed.length / bnMean.length
    const unbiased = nodes > 1 ? nodes / (nodes - 1) : 1
    for (let channel = 0; channel < bnMean.length; channel++) {
      bnMean[channel]! += bnMomentum * (mean[channel]! - bnMean[channel]!)
      bnVar[channel]! += bnMomentum * (variance[channel]! * unbiased - bnVar[channel]!)
    }
  }
}

/** Adam's own numbers, as torch has them: decay of the two moments, and what keeps a step finite. */
const [beta1, beta2, epsilon] = [0.9, 0.999, 1e-8]

/** Adam without weight decay; `step` changes the parameters of the network that it was made for. */
function adam(network: Network) {
  const moments = network.layers.map((layer) =>
    trained.map((name) => ({
      name,
      first: new Float64Array(layer[name].length),
      second: new Float64Array(layer[name].length),
    })),
  )
  // beta1 and beta2 to the power of the steps so far
  let [left1, left2] = [1, 1]
  return {
    step(gradients: readonly LayerGradients[], rate: number): void {
      left1 *= beta1
      left2 *= beta2
      const size = rate / (1 - left1)
      const correction = 1 / Math.sqrt(1 - left2)
      for (const [place, own] of moments.entries()) {
        for (const { name, first, second } of own) {
          const parameters = network.layers[place]![name]
          const gradient = gradients[place]![name]
          for (let at = 0; at < parameters.length; at++) {
            const slope = gradient[at]!
            const mean = (first[at] = beta1 * first[at]! + (1 - beta1) * slope)
            const square = (second[at] = beta2 * second[at]! + (1 - beta2) * slope * slope)
            parameters[at]! -= (size * mean) / (Math.sqrt(square) * correction + epsilon)
          }
        }
      }
    },
  }
}

/** The rate of a step, counted from 0: half a cosine from `rate` down to just above 0. */
const cosineRate = (rate: number, step: number, steps: number): number =>
  (rate * (1 + cos((Math.PI * step) / steps))) / 2

/** The gradient of the loss by every trained parameter of a layer. */
type LayerGradients = Readonly<Record<(typeof trained)[number], Float64Array>>

/** The backward pass of a forward pass with the statistics of its batch, from the gradient by the output. */
export function backward(
  network: Network,
  messages: Messages,
  { layers, winner }: Pass,
  byOutput: Float64Array,
  take: Take = newRoom,
): readonly LayerGradients[] {
  const { dim, heads } = network
  const gradients: LayerGradients[] = []
  let byNext: Float64Array | undefined
  for (let place = layers.length - 1; place >= 0; place--) {
    const pass = layers[place]!
    const layer = network.layers[place]!
    // the mean of the heads, of those numbers that are the largest of all layers
    const nodes = messages.first.length - 1
    const byWide: Float64Array = byNext ?? take(pass.wide.length)
    for (let node = 0, at = 0; node < nodes; node++)
      for (let head = 0; head < heads; head++)
        for (let of = node * dim; of < (node + 1) * dim; of++, at++)
          byWide[at]! += (Number(winner[of] === place) * byOutput[of]!) / heads
    const { byX, ...ofNorm } = throughNorm(layer, pass, byWide)
    const { byZ, ...ofAttention } = throughAttention(layer, pass, messages, byX, dim, heads, take)
    const width = dim * heads
    const across = transposed(byZ, nodes, width, take(byZ.length))
    const weight = product(across, pass.input, width, nodes, layer.inputs, take(layer.weight.length))
    gradients.unshift({ weight, ...ofAttention, ...ofNorm })
    if (place > 0) {
      byNext = product(byZ, layer.weight, nodes, width, layer.inputs, take(nodes * layer.inputs))
      if (pass.kept) byNext = thinned(byNext, pass.kept, take)
    }
  }
  return gradients
}

/** Back through PReLU and the batch norm, in place. */
function throughNorm({ bnGamma, bnBeta, prelu }: Layer, { normed, variance }: LayerPass, byX: Float64Array) {
  const width = bnGamma.length
  const nodes = byX.length / width
  const [ofGamma, ofBeta, ofPrelu] = [0, 0, 0].map(() => new Float64Array(width)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let at = 0; at < byX.length;) {
    for (let channel = 0; channel < width; channel++, at++) {
      const norm = normed[at]!
      const y = norm * bnGamma[channel]! + bnBeta[channel]!
      const byWide = byX[at]!
      // without a branch, whose side could not be foreseen
      const below = Number(y <= 0)
      const byY = byWide * (1 - below + below * prelu[channel]!)
      ofPrelu[channel]! += Math.min(y, 0) * byWide
      byX[at] = byY
      ofBeta[channel]! += byY
      ofGamma[channel]! += byY * norm
    }
  }
  const inverse = variance.map((value, channel) => bnGamma[channel]! / Math.sqrt(value + bnEpsilon))
  const [meanOfBeta, meanOfGamma] = [ofBeta, ofGamma].map((all) => all.map((value) => value / nodes)) as [
    Float64Array,
    Float64Array,
  ]
  for (let at = 0; at < byX.length;)
    for (let channel = 0; channel < width; channel++, at++)
      byX[at] = inverse[channel]! * (byX[at]! - meanOfBeta[channel]! - normed[at]! * meanOfGamma[channel]!)
  return { byX, bnGamma: ofGamma, bnBeta: ofBeta, prelu: ofPrelu }
}

/** Back through the messages, their softmax and the leaky slope. */
function throughAttention(
  { attnSrc, attnDst }: Layer,
  { z, raw, attention, used, messagesKept }: LayerPass,
  { source, destination, first }: Messages,
  byX: Float64Array,
  dim: number,
  heads: number,
  take: Take,
) {
  const byZ = take(z.length)
  const byAttention = new Float64Array(attention.length)
  for (let message = 0; message < source.length; message++) {
    for (let head = 0; head < heads; head++) {
      const place = message * heads + head
      const from = (source[message]! * heads + head) * dim
      const to = (destination[message]! * heads + head) * dim
      const share = used[place]!
      let sum = 0
      for (let at = 0; at < dim; at++) {
        sum += byX[to + at]! * z[from + at]!
        byZ[from + at]! += share * byX[to + at]!
      }
      byAttention[place] = messagesKept ? sum * messagesKept.mask[place]! * messagesKept.scale : sum
    }
  }
  const nodes = first.length - 1
  const [bySource, byDestination] = [new Float64Array(nodes * heads), new Float64Array(nodes * heads)]
  for (let node = 0; node < nodes; node++) {
    for (let head = 0; head < heads; head++) {
      const [from, to] = [first[node]! * heads + head, first[node + 1]! * heads]
      let mean = 0
      for (let at = from; at < to; at += heads) mean += attention[at]! * byAttention[at]!
      for (let at = from; at < to; at += heads) {
        const slope = raw[at]! > 0 ? 1 : attentionSlope
        const byRaw = attention[at]! * (byAttention[at]! - mean) * slope
        bySource[source[Math.floor(at / heads)]! * heads + head]! += byRaw
        byDestination[node * heads + head]! += byRaw
      }
    }
  }
  const width = dim * heads
  const [ofSource, ofDestination] = [new Float64Array(width), new Float64Array(width)]
  for (let place = 0, at = 0; place < nodes * heads; place++) {
    const start = (place % heads) * dim
    const [own, other] = [bySource[place]!, byDestination[place]!]
    for (let channel = start; channel < start + dim; channel++, at++) {
      byZ[at]! += own * attnSrc[channel]! + other * attnDst[channel]!
      ofSource[channel]! += own * z[at]!
      ofDestination[channel]! += other * z[at]!
    }
  }
  return { byZ, attnSrc: ofSource, attnDst: ofDestination }
}
