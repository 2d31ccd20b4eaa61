import { expect, test } from 'vitest'
import { mulberry32 } from './random.ts'
import { cosine } from './vectors.ts'
import { skipGram, randomWalks } from './node2vec.ts'
/** Two groups of five, each with all edges, that one edge joins; the last node is alone. */
const neighbours = Array.from({ length: 11 }, (_, node) => {
  const group = Array.from({ length: 10 }, (_, other) => other).filter(
    (other) => node < 10 && other !== node && Math.floor(other / 5) === Math.floor(node / 5),
  )
  return new Set(node === 0 ? [...group, 5] : node === 5 ? [...group, 0] : group)
})
const usual = { walks: 20, length: 20 }

test('walks follow edges; isolated nodes have none', () => {
  const walks = randomWalks(neighbours, usual, mulberry32(1))
  expect(walks.length).toBe(200)
  for (const walk of walks)
    walk.forEach((node, at) => expect(at === 0 || neighbours[walk[at - 1]!]!.has(node)).toBe(true))
})

test('vectors of one group are nearer than of two, and deterministic by seed', () => {
  const vectors = () => {
    const random = mulberry32(1)
    const options = { dimensions: 8, window: 3, negatives: 5, epochs: 5, rate: 0.05 }
    return skipGram(11, randomWalks(neighbours, usual, random), options, random)
  }
  const [one, two, three] = [1, 2, 7].map((node) => vectors()[node]!)
  expect(cosine(one!, two!)).toBeGreaterThan(0.2 + cosine(one!, three!))
  expect(vectors()).toEqual(vectors())
  expect(vectors()[10]).toEqual(new Float32Array(8))
})
