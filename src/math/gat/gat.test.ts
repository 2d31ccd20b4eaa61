import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { forward } from './forward.ts'
import { rankByLabel } from './losses.ts'
import { messagesOf, type Direction, freshNetwork, initialScales, trainedParameters, type Network } from './network.ts'
import { gradientsOf, fitNetwork, type Example } from './train.ts'

const dim = 4
const weighing = { contrastive: 1, coe: 0.5, tieRule: 'position' } as const

/** Numbers between −1 and 1. */
function numbers(length: number, seed: number): Float64Array {
  const random = mulberry32(seed)
  return Float64Array.from({ length }, () => 2 * random() - 1)
}

/** A graph in which every third node was made of the three before it; the labels of its queries are all different. */
function example(nodes: number, queries: number, seed: number, direction: Direction = 'both'): Example {
  const edges = Array.from({ length: nodes }, (_, node) => node).flatMap((node) =>
    node % 3 === 2 ? [node - 2, node - 1].map((from) => [from, node] as const) : [],
  )
  return {
    nodes,
    features: numbers(nodes * dim, seed),
    messages: messagesOf(nodes, edges, { direction, duplicateSelfLoop: 'merge' }),
    queries: numbers(queries * dim, seed + 1),
    rankings: Array.from({ length: queries }, (_, query) => rankByLabel(numbers(nodes, seed + 2 + query))),
  }
}

const outputOf = (network: Network, { features, messages }: Pick<Example, 'features' | 'messages'>) =>
  forward(network, features, messages, 'running').output

describe('forward', () => {
  const network = freshNetwork(dim, 2, 2, 7)

  test.each([
    ['toResponse', false],
    ['both', true],
  ] as const)('%s: the outputs of materials depend on the features of their response: %s', (direction, depends) => {
    const { messages, features } = example(3, 1, 3, direction)
    const changed = features.map((value, at) => (at >= 2 * dim ? -value : value))
    const [before, after] = [features, changed].map((given) => outputOf(network, { messages, features: given }))
    expect(after!.subarray(2 * dim)).not.toEqual(before!.subarray(2 * dim))
    if (depends) expect(after!.subarray(0, 2 * dim)).not.toEqual(before!.subarray(0, 2 * dim))
    else expect(after!.subarray(0, 2 * dim)).toEqual(before!.subarray(0, 2 * dim))
  })

  test('dropout zeroes its share of the inputs and keeps the mean', () => {
    const { messages } = example(300, 1, 3)
    const features = new Float64Array(300 * dim).fill(1)
    const dropout = { features: 0.25, attention: 0.5, random: mulberry32(5) }
    const [pass] = forward(network, features, messages, 'batch', dropout).layers
    const out = pass!.input.filter((value) => value === 0).length / features.length
    expect(out).toBeCloseTo(0.25, 1)
    expect(pass!.input.reduce((sum, value) => sum + value, 0) / features.length).toBeCloseTo(1, 1)
    expect(pass!.messageWeights.filter((value) => value === 0).length / pass!.messageWeights.length).toBeCloseTo(0.5, 1)
  })
})

test('initial weights are normal with the documented scale, and equal for equal seeds', () => {
  const [layer] = freshNetwork(64, 2, 2, 3).layers
  const scale = initialScales(64, 64, 2)
  const deviation = Math.sqrt(layer!.weight.reduce((sum, value) => sum + value * value, 0) / layer!.weight.length)
  expect(deviation / scale.weight).toBeCloseTo(1, 1)
  expect(layer!.weight.filter((value) => Math.abs(value) < scale.weight).length / layer!.weight.length).toBeCloseTo(
    0.6827,
    1,
  )
  expect(freshNetwork(64, 2, 2, 3)).toEqual(freshNetwork(64, 2, 2, 3))
  expect(freshNetwork(64, 2, 2, 4)).not.toEqual(freshNetwork(64, 2, 2, 3))
})

test('the backward pass is the slope of the loss with dropout', () => {
  const network = freshNetwork(dim, 2, 2, 7)
  const batch = [example(6, 2, 3), example(5, 3, 20, 'toResponse')]
  // the same draws each time
  const total = () => gradientsOf(network, batch, weighing, { features: 0.2, attention: 0.1, random: mulberry32(11) })
  const { gradients } = total()
  for (const [place, layer] of network.layers.entries()) {
    for (const name of trainedParameters) {
      for (let at = 0; at < layer[name].length; at += 3) {
        const value = layer[name][at]!
        const [above, below] = [1e-5, -1e-5].map((by) => {
          layer[name][at] = value + by
          return total().total
        })
        layer[name][at] = value
        expect(gradients[place]![name][at]).toBeCloseTo((above! - below!) / 2e-5, 6)
      }
    }
  }
})

describe('training', () => {
  const batches = Array.from({ length: 50 }, () => [example(10, 4, 3)])
  const training = { ...weighing, rate: 1e-2 }

  test('training leaves the initial network unchanged and is deterministic by seed', async () => {
    const fresh = freshNetwork(dim, 1, 2, 7)
    const once = () =>
      fitNetwork(
        fresh,
        batches.slice(0, 5),
        { ...training, dropout: { features: 0.2, attention: 0.1, random: mulberry32(1) } },
        () => undefined,
      )
    const [first, second] = [await once(), await once()]
    expect(first).toEqual(second)
    expect(fresh).toEqual(freshNetwork(dim, 1, 2, 7))
    expect(first.layers[0]!.weight).not.toEqual(fresh.layers[0]!.weight)
    expect(first.layers[0]!.bias).toEqual(fresh.layers[0]!.bias)
  })

  test('a loss of weight 0 does not affect the weights', () => {
    const network = freshNetwork(dim, 1, 2, 7)
    const { contrastive, ranking, total } = gradientsOf(network, [example(10, 4, 3)], { ...weighing, contrastive: 0 })
    expect(total).toBe(0.5 * ranking)
    expect(contrastive).toBeGreaterThan(0)
    const neither = gradientsOf(network, [example(10, 4, 3)], { ...weighing, contrastive: 0, coe: 0 })
    expect(neither.gradients.flatMap((layer) => [...layer.weight]).every((value) => value === 0)).toBe(true)
  })
})
