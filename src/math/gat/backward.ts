import { thinned, type LayerPass, type Pass } from './forward.ts'
import {
  type Messages,
  attentionSlope,
  bnEpsilon,
  type Layer,
  type Network,
  type trained,
  newRoom,
  type Take,
} from './network.ts'
import { product, transposed } from '../kernels.ts'

/** The gradient of the loss by every trained parameter of a layer. */
export type LayerGradients = Readonly<Record<(typeof trained)[number], Float64Array>>

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
