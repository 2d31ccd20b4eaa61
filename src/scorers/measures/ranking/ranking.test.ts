import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { averagePrecisionAt, hitAt, ndcgAt, precisionAt, recallAt, reciprocalRank } from '../../retrieval.ts'
import { trecOrder } from '../../../math/trec-order.ts'

const order = (run: Readonly<Record<string, number>>) =>
  trecOrder(Object.entries(run).map(([id, score]) => ({ id, score }))).map(({ id }) => id)

describe('the order of trec_eval', () => {
  test('ties go by id, descending', () => expect(order({ a: 1, c: 1, b: 1, z: 0 })).toEqual(['c', 'b', 'a', 'z']))

  test('ids compare as UTF-8 bytes, not as UTF-16', () => {
    // U+FF5E is above the surrogates in UTF-16 and below U+1F408 in UTF-8
    expect(order({ '\uFF5E': 1, '🐈': 1, B: 1, b: 1 })).toEqual(['🐈', '\uFF5E', 'b', 'B'])
  })

  test('scores that are one 32-bit float tie', () => expect(order({ a: 0.1 + 1e-12, b: 0.1 })).toEqual(['b', 'a']))

  test('leaves the run as it was', () => {
    const run = [
      { id: 'a', score: 0 },
      { id: 'b', score: 1 },
    ]
    trecOrder(run)
    expect(run[0]?.id).toBe('a')
  })
})

describe('measures', () => {
  const gains = [0, 1, 0, 2]
  const judged = [1, 2, 1, -1]

  test('by hand', () => {
    expect([1, 2, 4, 10].map((k) => precisionAt(gains, k))).toEqual([0, 1 / 2, 2 / 4, 2 / 10])
    expect([1, 2, 4].map((k) => recallAt(gains, judged, k))).toEqual([0, 1 / 3, 2 / 3])
    expect([1, 2].map((k) => hitAt(gains, k))).toEqual([0, 1])
    expect([reciprocalRank(gains), reciprocalRank(gains, 1)]).toEqual([1 / 2, 0])
    expect(averagePrecisionAt(gains, judged, 4)).toBeCloseTo((1 / 2 + 2 / 4) / 3, 12)
  })

  test('nDCG divides by the best order, cut at the same rank; a negative judgement gains nothing', () => {
    const ideal = 2 + 1 / Math.log2(3) + 1 / Math.log2(4)
    expect(ndcgAt(gains, judged, 4)).toBeCloseTo((1 / Math.log2(3) + 2 / Math.log2(5)) / ideal, 12)
    expect(ndcgAt([-1, 2], judged, 2)).toBeCloseTo(2 / Math.log2(3) / (2 + 1 / Math.log2(3)), 12)
  })

  test('nothing relevant scores 0', () => {
    expect([recallAt([0], [], 1), averagePrecisionAt([0], [0], 1), ndcgAt([0], [-1], 1)]).toEqual([0, 0, 0])
  })

  test('recall and hits never fall with k, and the ideal order scores 1', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1 }), fc.nat(20), (gains, k) => {
        expect(recallAt(gains, gains, k + 1)).toBeGreaterThanOrEqual(recallAt(gains, gains, k))
        expect(hitAt(gains, k + 1)).toBeGreaterThanOrEqual(hitAt(gains, k))
        const best = gains.toSorted((a, b) => b - a)
        if (best[0] !== 0) expect(ndcgAt(best, gains, k + 1)).toBeCloseTo(1, 12)
      }),
    )
  })
})
