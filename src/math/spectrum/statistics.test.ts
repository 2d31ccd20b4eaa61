import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { graphOperator } from './graph-operator.ts'
import { leadingEigenpairs } from './leading-eigenpairs.ts'
import { canonicalSign, eigenOrder } from './operator.ts'
import { largestGap, spectrumStats, themeEstimate } from './statistics.ts'

test.each([
  ['magnitude falls', 'magnitude', [0.2, -0.5, 1, -0.1], [2, 1, 0, 3]],
  ['of equal magnitudes the larger value first', 'magnitude', [-1, 0.3, 1, -0.3], [2, 0, 1, 3]],
  ['equal magnitudes may differ by rounding', 'magnitude', [-1 - 4e-16, 1], [1, 0]],
  ['equal values by index', 'magnitude', [0.5, 0.5, 0.5], [0, 1, 2]],
  ['none', 'magnitude', [], []],
  ['values fall, negative ones last', 'algebraic', [0.2, -0.5, 1, -0.1], [2, 0, 3, 1]],
] as const)('the order of eigenvalues: %s', (_, order, values, expected) => {
  expect(eigenOrder(values, order)).toEqual(expected)
})

test.each([
  ['the largest entry turns positive', [0.1, -0.9, 0.3], [-0.1, 0.9, -0.3]],
  ['the first of equal ones counts', [-0.5, 0.5], [0.5, -0.5]],
  ['equal ones may differ by rounding', [0.5, -0.5 - 1e-12], [0.5, -0.5 - 1e-12]],
  ['a vector of zeros stays', [0, 0], [0, 0]],
])('sign: %s', (_, vector, expected) => {
  expect([...canonicalSign(Float64Array.from(vector))]).toEqual(expected)
})

test.each<[string, number[], number | undefined, number | null]>([
  ['four clusters', [1, 0.77, 0.7, 0.65, -0.02], undefined, 4],
  ['the first gap wide enough counts, not the widest', [1, 0.77, 0.67, 0.51, -0.02], undefined, 3],
  ['a dense positive graph never shows it', [1, 0.227, 0.169, 0.156, -0.04], undefined, null],
  ['two clusters, values in any order and of any scale', [-0.1, 2, 1.9], undefined, 2],
  ['no gap is wide enough', [1, 0.95, 0.9, 0.85], undefined, null],
  ['the last value given has no gap', [1, 0.9], undefined, null],
  ['none', [], undefined, null],
  ['no unknown value can be near 1', [1, 0.3, 0.05], 0.05, null],
  ['the first alone stands out', [1], 0.05, null],
  ['the gap leads to what is not known', [1, 0.77, 0.7, -0.06], 0.05, 3],
  ['the next value may be near', [1, 0.77, 0.7], 0.65, null],
  ['the second may be near 1', [1], 0.9, null],
  ['nothing is known', [], Infinity, null],
])('remark 2: %s', (_, values, bound, expected) => {
  expect(themeEstimate(values, bound)).toBe(expected)
})

test.each<[string, number[], number | undefined, number | null]>([
  ['of all values', [1, 0.3, 0.28, 0.1, 0.09], undefined, 3],
  ['the first of equal ones', [1, 0.75, 0.5, 0.25], undefined, 2],
  ['two values have none', [1, 0.5], undefined, null],
  ['the step from the last positive to the first negative value is none', [1, 0.3, 0.25, -0.4], 0.05, null],
  ['a far negative value may be a wide gap away', [1, 0.3, 0.05, -0.3], 0.02, null],
  ['wider than any there can be further down', [1, 0.3, 0.05], 0.02, 2],
  ['it leads to what is not known, and is wide enough all the same', [1, 0.77, 0.7], 0.05, 3],
  ['too narrow to be sure', [1, 0.2, 0.15], 0.1, null],
  ['nothing is known', [], Infinity, null],
])('the largest gap: %s', (_, values, bound, expected) => {
  expect(largestGap(values, bound)).toBe(expected)
})

describe('for a partially computed spectrum', () => {
  test('estimates agree with the full spectrum', () => {
    const spectra = fc.array(fc.integer({ min: -64, max: 64 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(spectra, fc.nat(20), (others, count) => {
        const all = [64, ...others]
        const operator = { n: all.length, form: 'stored' as const, squares: () => 0 }
        const first = eigenOrder(all, 'magnitude').slice(0, count)
        const ofLeadingValues = spectrumStats(
          operator,
          first.map((index) => all[index]!),
        )
        const whole = spectrumStats(operator, all)
        if (ofLeadingValues.themeEstimate !== null) expect(ofLeadingValues.themeEstimate).toBe(whole.themeEstimate)
        if (ofLeadingValues.largestGapIndex !== null)
          expect(ofLeadingValues.largestGapIndex).toBe(whole.largestGapIndex)
      }),
    )
  })

  test('ten eigenvalues of a larger graph show its four clusters', () => {
    const n = 310
    const operator = graphOperator(clusteredFactors({ n, d: 32, clusters: 4, common: 0 }))
    const values = (k: number) => [...leadingEigenpairs(operator, k, { solver: k < n ? 'auto' : 'dense' }).values]
    expect(spectrumStats(operator, values(10))).toEqual(spectrumStats(operator, values(n)))
    expect(spectrumStats(operator, values(10))).toMatchObject({ largestGapIndex: 4 })
  })
})
