import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { graphOperator, normalizeWeights } from './graph-operator.ts'
import { leadingEigenpairs } from './leading-eigenpairs.ts'
import { eigenOrder, type EigenOrder } from './operator.ts'
import { spectrumStats, largestGap, themeEstimate } from './statistics.ts'
import type { Weights } from './weights.ts'

/** Where eigenvalues lie that a search for the largest magnitudes did not come to. */
const rest = { low: -0.05, high: 0.05 }

describe('for a partially computed spectrum', () => {
  test.each<[string, number[], { low: number; high: number }, number | null]>([
    ['the step from the last positive to the first negative value is no gap', [1, 0.3, 0.25, -0.4], rest, null],
    ['a far negative value may be a wide gap away', [1, 0.3, 0.05, -0.3], { low: -0.02, high: 0.02 }, null],
    ['a gap that is wider than any there can be further down', [1, 0.3, 0.05], { low: -0.02, high: 0.02 }, 2],
    ['one that leads to what is not known, and is wide enough all the same', [1, 0.77, 0.7], rest, 3],
    ['one that is too narrow to be sure', [1, 0.2, 0.15], { low: -0.1, high: 0.1 }, null],
    ['nothing is known', [], { low: -Infinity, high: Infinity }, null],
    ['what is not known has no lower bound', [1, 0.5, 0.1], { low: -Infinity, high: 0.1 }, null],
  ])('the largest gap: %s', (_, values, unknown, expected) => {
    expect(largestGap(values, unknown)).toBe(expected)
  })

  test.each<[string, number[], { low: number; high: number }, number | null]>([
    ['no value further down can be near 1', [1, 0.3, 0.05], rest, null],
    ['the first alone stands out', [1], rest, null],
    ['the gap leads to what is not known', [1, 0.77, 0.7, -0.06], rest, 3],
    ['the next value may be near', [1, 0.77, 0.7], { low: -0.65, high: 0.65 }, null],
    ['the second may be near 1', [1], { low: -0.9, high: 0.9 }, null],
    ['nothing is known', [], { low: -Infinity, high: Infinity }, null],
    ['values of any scale', [2, 1.54, 1.4], { low: -0.1, high: 0.1 }, 3],
  ])('remark 2: %s', (_, values, unknown, expected) => {
    expect(themeEstimate(values, {}, unknown)).toBe(expected)
  })

  test.each<EigenOrder>(['magnitude', 'algebraic'])('by %s: estimates agree with the full spectrum', (order) => {
    const spectra = fc.array(fc.integer({ min: -64, max: 64 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(spectra, fc.nat(20), (others, count) => {
        const all = [64, ...others]
        const first = eigenOrder(all, order).slice(0, count)
        const known = spectrumStats(
          diagonal(all),
          Float64Array.from(first, (index) => all[index]!),
          { order },
        )
        const whole = spectrumStats(diagonal(all), all)
        if (known.themeEstimate !== null) expect(known.themeEstimate).toBe(whole.themeEstimate)
        if (known.largestGapIndex !== null) expect(known.largestGapIndex).toBe(whole.largestGapIndex)
      }),
    )
  })

  test('ten eigenvalues of a larger graph show its four clusters', () => {
    const n = 310
    const operator = graphOperator(clusteredFactors({ n, d: 32, clusters: 4, common: 0 }))
    const { values } = leadingEigenpairs(operator, 10)
    const all = leadingEigenpairs(operator, n, { solver: 'dense' }).values
    expect(spectrumStats(operator, values)).toEqual(spectrumStats(operator, all))
    expect(spectrumStats(operator, values)).toMatchObject({ largestGapIndex: 4 })
  })
})

/** An operator of which only the number of nodes counts. */
function diagonal(values: readonly number[]) {
  const n = values.length
  const weights: Weights = {
    n,
    form: 'stored',
    nonNegative: false,
    pairStats: { asymmetryMax: 0, negativeShare: 0 },
    times: (panels) => panels.map((panel) => panel.slice()),
    squares: () => 0,
    dense: () => new Float64Array(n * n),
  }
  return normalizeWeights(weights)
}
