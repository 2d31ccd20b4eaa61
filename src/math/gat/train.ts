import { batchLoss, concatenate, type GraphQueries, type Loss, type Weighing } from './losses.ts'
import { forward, type Dropout, type Pass, applyMask, type LayerPass } from './forward.ts'
import {
  joinMessages,
  type Messages,
  bnMomentum,
  copyOf,
  type Network,
  trainedParameters,
  attentionSlope,
  bnEpsilon,
  type Layer,
} from './network.ts'
import { cos } from '../portable.ts'
import { product, transposedProduct } from '../kernels.ts'

/** A training graph: `dim` features per node, its messages, its queries with their labels. */
export interface Example extends GraphQueries {
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
): Loss & { readonly total: number; readonly gradients: readonly LayerGradients[]; readonly pass: Pass } {
  const features = concatenate(batch.map((example) => example.features))
  const messages = joinMessages(batch.map((example) => example.messages))
  const pass = forward(network, features, messages, 'batch', dropout)
  const { byOutput, ...loss } = batchLoss(batch, pass.output, network.dim, weighing)
  return { ...loss, gradients: backward(network, messages, pass, byOutput), pass }
}

/**
 * Trains a copy of the network: one Adam step per batch, in order, with a cosine learning-rate schedule. Awaits
 * `onStep` after every step.
 */
export async function fitNetwork(
  network: Network,
  batches: readonly (readonly Example[])[],
  { rate: highest, dropout, ...weighing }: Training,
  onStep: (step: Step, index: number) => unknown,
): Promise<Network> {
  const model = copyOf(network)
  const optimiser = adam(model)
  for (const [index, batch] of batches.entries()) {
    const rate = cosineRate(highest, index, batches.length)
    const { gradients, pass, contrastive, ranking, total } = gradientsOf(model, batch, weighing, dropout)
    moveStatistics(model, pass)
    optimiser.step(gradients, rate)
    await onStep({ rate, contrastive, ranking, total }, index)
  }
  return model
}

/** Updates the running statistics; the variance is the unbiased one. */
export function moveStatistics({ layers }: Network, pass: Pass): void {
  for (const [place, { bnMean, bnVar }] of layers.entries()) {
    const { mean, variance, xHat } = pass.layers[place]!
    const nodes = xHat.length / bnMean.length
    const besselFactor = nodes > 1 ? nodes / (nodes - 1) : 1
    for (let channel = 0; channel < bnMean.length; channel++) {
      bnMean[channel]! += bnMomentum * (mean[channel]! - bnMean[channel]!)
      bnVar[channel]! += bnMomentum * (variance[channel]! * besselFactor - bnVar[channel]!)
    }
  }
}

/** Adam's β₁, β₂ and ε (PyTorch defaults). */
const beta1 = 0.9
const beta2 = 0.999
const epsilon = 1e-8

/** Adam without weight decay; `step` updates the network's parameters in place. */
function adam(network: Network) {
  const moments = network.layers.map((layer) =>
    trainedParameters.map((name) => ({
      name,
      first: new Float64Array(layer[name].length),
      second: new Float64Array(layer[name].length),
    })),
  )
  // powers of β₁ and β₂, for bias correction
  let decay1 = 1
  let decay2 = 1
  return {
    step(gradients: readonly LayerGradients[], rate: number): void {
      decay1 *= beta1
      decay2 *= beta2
      const size = rate / (1 - decay1)
      const correction = 1 / Math.sqrt(1 - decay2)
      for (const [place, layerMoments] of moments.entries()) {
        for (const { name, first, second } of layerMoments) {
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

/** Cosine schedule: the rate of a step, counted from 0. */
const cosineRate = (rate: number, step: number, steps: number): number =>
  (rate * (1 + cos((Math.PI * step) / steps))) / 2

/** The gradient of the loss by every trained parameter of a layer. */
type LayerGradients = Readonly<Record<(typeof trainedParameters)[number], Float64Array>>

/** The backward pass of a forward pass with the statistics of its batch, from the gradient by the output. */
export function backward(
  network: Network,
  messages: Messages,
  { layers, winner }: Pass,
  byOutput: Float64Array,
): readonly LayerGradients[] {
  const { dim, heads } = network
  const gradients: LayerGradients[] = []
  let byNext: Float64Array | undefined
  for (let place = layers.length - 1; place >= 0; place--) {
    const pass = layers[place]!
    const layer = network.layers[place]!
    // through the mean over heads, where this layer is the maximum
    const nodes = messages.first.length - 1
    const byWide: Float64Array = byNext ?? new Float64Array(pass.wide.length)
    for (let node = 0, at = 0; node < nodes; node++)
      for (let head = 0; head < heads; head++)
        for (let of = node * dim; of < (node + 1) * dim; of++, at++)
          byWide[at]! += (Number(winner[of] === place) * byOutput[of]!) / heads
    const { byX, ...ofNorm } = throughNorm(layer, pass, byWide)
    const { byZ, ...ofAttention } = throughAttention(layer, pass, messages, byX, dim, heads)
    const width = dim * heads
    const weight = transposedProduct(byZ, pass.input, width, nodes, layer.inputs)
    gradients.unshift({ weight, ...ofAttention, ...ofNorm })
    if (place > 0) {
      byNext = product(byZ, layer.weight, nodes, width, layer.inputs)
      if (pass.featureMask) byNext = applyMask(byNext, pass.featureMask)
    }
  }
  return gradients
}

/** Back through PReLU and the batch norm, in place. */
function throughNorm({ bnGamma, bnBeta, prelu }: Layer, { xHat, variance }: LayerPass, byX: Float64Array) {
  const width = bnGamma.length
  const nodes = byX.length / width
  const ofGamma = new Float64Array(width)
  const ofBeta = new Float64Array(width)
  const ofPrelu = new Float64Array(width)
  for (let at = 0; at < byX.length;) {
    for (let channel = 0; channel < width; channel++, at++) {
      const norm = xHat[at]!
      const y = norm * bnGamma[channel]! + bnBeta[channel]!
      const byWide = byX[at]!
      // branch-free: the branch would be unpredictable
      const below = Number(y <= 0)
      const byY = byWide * (1 - below + below * prelu[channel]!)
      ofPrelu[channel]! += Math.min(y, 0) * byWide
      byX[at] = byY
      ofBeta[channel]! += byY
      ofGamma[channel]! += byY * norm
    }
  }
  const inverse = variance.map((value, channel) => bnGamma[channel]! / Math.sqrt(value + bnEpsilon))
  const meanOfBeta = ofBeta.map((value) => value / nodes)
  const meanOfGamma = ofGamma.map((value) => value / nodes)
  for (let at = 0; at < byX.length;)
    for (let channel = 0; channel < width; channel++, at++)
      byX[at] = inverse[channel]! * (byX[at]! - meanOfBeta[channel]! - xHat[at]! * meanOfGamma[channel]!)
  return { byX, bnGamma: ofGamma, bnBeta: ofBeta, prelu: ofPrelu }
}

/** Back through the messages, their softmax and the leaky slope. */
function throughAttention(
  { attnSrc, attnDst }: Layer,
  { z, raw, attention, messageWeights, attentionMask }: LayerPass,
  { source, destination, first }: Messages,
  byX: Float64Array,
  dim: number,
  heads: number,
) {
  const byZ = new Float64Array(z.length)
  const byAttention = new Float64Array(attention.length)
  for (let message = 0; message < source.length; message++) {
    for (let head = 0; head < heads; head++) {
      const place = message * heads + head
      const from = (source[message]! * heads + head) * dim
      const to = (destination[message]! * heads + head) * dim
      const share = messageWeights[place]!
      let sum = 0
      for (let at = 0; at < dim; at++) {
        sum += byX[to + at]! * z[from + at]!
        byZ[from + at]! += share * byX[to + at]!
      }
      byAttention[place] = attentionMask ? sum * attentionMask.mask[place]! * attentionMask.scale : sum
    }
  }
  const nodes = first.length - 1
  const bySource = new Float64Array(nodes * heads)
  const byDestination = new Float64Array(nodes * heads)
  for (let node = 0; node < nodes; node++) {
    for (let head = 0; head < heads; head++) {
      const from = first[node]! * heads + head
      const to = first[node + 1]! * heads
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
  const ofSource = new Float64Array(width)
  const ofDestination = new Float64Array(width)
  for (let place = 0, at = 0; place < nodes * heads; place++) {
    const start = (place % heads) * dim
    const bySourceTerm = bySource[place]!
    const byDestinationTerm = byDestination[place]!
    for (let channel = start; channel < start + dim; channel++, at++) {
      byZ[at]! += bySourceTerm * attnSrc[channel]! + byDestinationTerm * attnDst[channel]!
      ofSource[channel]! += bySourceTerm * z[at]!
      ofDestination[channel]! += byDestinationTerm * z[at]!
    }
  }
  return { byZ, attnSrc: ofSource, attnDst: ofDestination }
}
