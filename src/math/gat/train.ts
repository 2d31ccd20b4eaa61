import { backward, type LayerGradients } from './backward.ts'
import { batchLoss, type Asked, type Loss, type Weighing } from './losses.ts'
import { forward, type Dropout, type Pass } from './forward.ts'
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
} from './network.ts'
import { cos } from '../portable.ts'

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
 * over all of them. `told` hears of every step; where it gives a promise, the next step waits for it.
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
