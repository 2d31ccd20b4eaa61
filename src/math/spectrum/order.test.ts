import { describe, expect, test } from 'vitest'
import { canonicalSign, eigenOrder } from './operator.ts'
import { largestGap, themeEstimate } from './statistics.ts'

describe('the order of eigenvalues', () => {
  test.each([
    ['magnitude falls', [0.2, -0.5, 1, -0.1], [2, 1, 0, 3]],
    ['of equal magnitudes the larger value first', [-1, 0.3, 1, -0.3], [2, 0, 1, 3]],
    ['equal magnitudes may differ by rounding', [-1 - 4e-16, 1], [1, 0]],
    ['equal values by index', [0.5, 0.5, 0.5], [0, 1, 2]],
    ['none', [], []],
  ])('%s', (_, values, expected) => {
    expect(eigenOrder(values, 'magnitude')).toEqual(expected)
  })

  test('algebraic: values fall, negative ones last', () => {
    expect(eigenOrder([0.2, -0.5, 1, -0.1], 'algebraic')).toEqual([2, 0, 3, 1])
  })
})

test.each([
  ['the largest entry turns positive', [0.1, -0.9, 0.3], [-0.1, 0.9, -0.3]],
  ['it is positive already', [0.1, 0.9, -0.3], [0.1, 0.9, -0.3]],
  ['the first of equal ones counts', [-0.5, 0.5], [0.5, -0.5]],
  ['equal ones may differ by rounding', [0.5, -0.5 - 1e-12], [0.5, -0.5 - 1e-12]],
  ['a vector of zeros stays', [0, 0], [0, 0]],
])('sign: %s', (_, vector, expected) => {
  expect([...canonicalSign(Float64Array.from(vector))]).toEqual(expected)
})

describe('the number of themes', () => {
  test.each<[string, number[], number | null]>([
    ['four clusters', [1, 0.77, 0.7, 0.65, -0.02], 4],
    ['the first gap wide enough counts, not the widest', [1, 0.77, 0.67, 0.51, -0.02], 3],
    ['a dense positive graph never shows it', [1, 0.227, 0.169, 0.156, -0.04], null],
    ['two clusters, values in any order and of any scale', [-0.1, 2, 1.9], 2],
    ['no gap is wide enough', [1, 0.95, 0.9, 0.85], null],
    ['the last value given has no gap', [1, 0.9], null],
    ['none', [], null],
  ])('remark 2: %s', (_, values, expected) => {
    expect(themeEstimate(values)).toBe(expected)
  })

  test('the largest gap after the first two values, and the first of equal ones', () => {
    expect(largestGap([1, 0.3, 0.28, 0.1, 0.09])).toBe(3)
    expect(largestGap([1, 0.75, 0.5, 0.25])).toBe(2)
    expect(largestGap([1, 0.5])).toBeNull()
  })
})
