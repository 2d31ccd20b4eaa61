import type { LayerGradients } from './backward.ts'
import { trained, type Network } from './network.ts'
import { cos } from '../portable.ts'

/** Adam's own numbers, as torch has them: decay of the two moments, and what keeps a step finite. */
const [beta1, beta2, epsilon] = [0.9, 0.999, 1e-8]

/** Adam without weight decay; `step` changes the parameters of the network that it was made for. */
export function adam(network: Network) {
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
export const cosineRate = (rate: number, step: number, steps: number): number =>
  (rate * (1 + cos((Math.PI * step) / steps))) / 2
