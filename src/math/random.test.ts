import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulberry32, randomMask, sample, seedFrom, shuffle } from './random.ts'

describe('seedFrom', () => {
  test('distinguishes the boundaries between parts', () => {
    const seeds = [seedFrom('a', 'bc'), seedFrom('ab', 'c'), seedFrom('abc'), seedFrom('abc', ''), seedFrom('c', 'ab')]
    expect(new Set(seeds).size).toBe(seeds.length)
  })

  test('keeps its values, since results depend on them', () => {
    expect([seedFrom(), seedFrom(42, 'retrieve'), seedFrom('né', '漢', '👩')]).toEqual([
      2166136261, 2389033669, 2320675562,
    ])
  })
})

test('a sample has the requested size, distinct items, and is a prefix of the shuffle', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.integer({ min: -1, max: 40 }), fc.nat(), (count, size, seed) => {
      const items = Array.from({ length: count }, (_, index) => index)
      const drawn = sample(items, size, mulberry32(seed))
      expect(drawn).toHaveLength(Math.max(0, Math.min(size, count)))
      expect(new Set(drawn).size).toBe(drawn.length)
      expect(shuffle(items, mulberry32(seed)).slice(0, drawn.length)).toEqual(drawn)
    }),
  )
})

test('a random mask has the requested share of zeros and is deterministic by seed', () => {
  const mask = randomMask(100_000, 0.2, mulberry32(7))
  expect(mask.reduce((sum, one) => sum + one, 0) / 100_000).toBeCloseTo(0.8, 2)
  // no run of ones is likelier than its probability: neighbours are independent
  const pairs = mask.reduce((sum, one, at) => sum + one * (mask[at + 1] ?? 0), 0) / 100_000
  expect(pairs).toBeCloseTo(0.64, 2)
  expect(randomMask(100_000, 0.2, mulberry32(7))).toEqual(mask)
  expect(randomMask(100_000, 0.2, mulberry32(8))).not.toEqual(mask)
  expect(new Set(randomMask(50, 0, mulberry32(7)))).toEqual(new Set([1]))
})
