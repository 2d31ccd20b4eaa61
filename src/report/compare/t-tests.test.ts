import { expect, test } from 'vitest'
import { holm } from '../../math/statistics/corrections.ts'
import { studentCritical, studentOutside } from '../../math/statistics/distributions.ts'
import { equivalences, testByT } from './t-tests.ts'

const differences = [
  { difference: 0.3, error: 0.1, degrees: 20 },
  { difference: -0.1, error: 0.1, degrees: 5 },
  { difference: 0.2, error: null, degrees: null },
]

test('corrects t tests by Holm and intervals by Bonferroni, with p 1 where there is no error', () => {
  const { pairs, smallestDifference } = testByT(differences)
  const ps = [studentOutside(3, 20), studentOutside(1, 5), 1]
  expect(pairs.map(({ p }) => p)).toEqual(ps)
  expect(pairs.map(({ pAdjusted }) => pAdjusted)).toEqual(holm(ps))
  expect(pairs[0]?.simultaneous.high).toBeCloseTo(0.3 + 0.1 * studentCritical(1 - 0.05 / 3, 20), 12)
  expect(pairs[2]?.simultaneous).toEqual({ low: null, high: null })
  expect(smallestDifference).toBeGreaterThan(0.3)
})

test('tests no equivalence with fewer than two degrees of freedom', () => {
  const few = { difference: 0, error: 0.001, degrees: 1.92 }
  expect(equivalences([few, { ...few, degrees: 2 }], 0.5)).toEqual([
    { p: null, pAdjusted: null },
    { p: expect.closeTo(0, 4), pAdjusted: expect.closeTo(0, 4) },
  ])
  expect(equivalences([few], null)).toEqual([])
})
