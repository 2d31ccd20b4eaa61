import { describe, expect, test } from 'vitest'
import { bestMatch, greedyMatch, rescaled, inverseDocumentFrequency } from '../../bert-score.ts'
const text = (vectors: number[][], weights: number[] = vectors.map((_, i) => (i % (vectors.length - 1) ? 1 : 0))) => ({
  vectors,
  weights,
})

describe('greedyMatch', () => {
  const [east, north, west] = [
    [1, 0],
    [0, 2],
    [-3, 0],
  ]

  test('every token takes its nearest; special tokens weigh nothing but can be taken', () => {
    const score = greedyMatch(text([west, east, west]), text([west, east, north, west]))
    expect(score.precision).toBeCloseTo(0.5, 12)
    expect(score.recall).toBeCloseTo(1, 12)
    expect(score.f1).toBeCloseTo(2 / 3, 12)
    expect(greedyMatch(text([north, east, west]), text([east, north, east])).precision).toBeCloseTo(1, 12)
  })

  test('weights move the mean', () => {
    const candidate = text([west, east, north, west], [0, 3, 1, 0])
    expect(greedyMatch(text([west, east, west]), candidate).precision).toBeCloseTo(0.75, 12)
  })

  test('an empty text scores 0, opposite ones below', () => {
    expect(greedyMatch(text([east, east], [0, 0]), text([east, east, east]))).toEqual({
      precision: 0,
      recall: 0,
      f1: 0,
    })
    expect(greedyMatch(text([west, west, west]), text([east, east, east]))).toEqual({
      precision: -1,
      recall: -1,
      f1: -1,
    })
  })
})

test('the best reference is taken part by part, then rescaled by three baselines', () => {
  const best = bestMatch([
    { precision: 0.7, recall: 0.9, f1: 0.78 },
    { precision: 0.8, recall: 0.6, f1: 0.69 },
  ])
  expect(best).toEqual({ precision: 0.8, recall: 0.9, f1: 0.78 })
  expect(rescaled(best, { precision: 0.8, recall: 0.8, f1: 0.56 })).toEqual({
    precision: 0,
    recall: expect.closeTo(0.5, 12) as number,
    f1: expect.closeTo(0.5, 12) as number,
  })
})

test('a token counts once per text', () => {
  const weight = inverseDocumentFrequency([
    ['the', 'cat', 'cat'],
    ['the', 'dog'],
  ])
  expect([weight('the'), weight('cat'), weight('cow')]).toEqual([0, Math.log(3 / 2), Math.log(3)])
})
