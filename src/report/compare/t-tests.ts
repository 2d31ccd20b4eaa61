import { itemAt } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { around, fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import { median } from '../../math/statistics/descriptive.ts'
import { studentOutside } from '../../math/statistics/distributions.ts'
import { errorsToDetect, requiredUnits } from '../../math/statistics/power.ts'
import { alpha, usualPower, type MeanDifference } from './compare-pair.ts'

/** A difference of two rows by its error, which may hold more than what questions vary. */
type EstimatedDifference = Pick<MeanDifference, 'difference' | 'error' | 'degrees'>

/**
 * Student's t tests of differences for which no form by sign flips is defined: p of each alone and by Holm over all,
 * with intervals that hold all differences together (Bonferroni). Without an error, p is 1. `smallestDifference`: the
 * median over pairs of the difference found with a power of .8 after the correction; null where unknown.
 */
export function testByT(differences: readonly EstimatedDifference[]) {
  const level = alpha / differences.length
  const tests = differences.map(({ difference, error, degrees }) =>
    error === null || degrees === null
      ? { p: 1, simultaneous: { low: null, high: null } }
      : {
          p: studentOutside(difference / error, degrees),
          simultaneous: around(difference, { error, degrees }, 1 - level),
          detectable: errorsToDetect({ alpha: level, power: usualPower }, degrees) * error,
        },
  )
  const adjustedPs = holm(tests.map(({ p }) => p))
  const detectableDifferences = tests.flatMap(({ detectable }) => detectable ?? [])
  return {
    pairs: tests.map(({ p, simultaneous }, i) => ({
      test: 't' as const,
      p,
      pAdjusted: itemAt(adjustedPs, i),
      simultaneous,
    })),
    smallestDifference: detectableDifferences.length === 0 ? null : median(detectableDifferences),
  }
}

/** The test of sameness (TOST), alone and by Holm over the family; null without an error of two degrees of freedom. */
export interface Equivalence {
  readonly p: number | null
  readonly pAdjusted: number | null
}

/** Whether differences lie within ±margin. */
export function equivalences(
  differences: readonly EstimatedDifference[],
  margin: number | null,
): readonly Equivalence[] {
  if (margin === null) return []
  const ps = differences.map(({ difference, error, degrees }) =>
    error === null || degrees === null || degrees < fewestDegrees
      ? NaN
      : tost({ mean: difference, error, degrees }, margin).p,
  )
  const adjustedPs = holm(ps.map((p) => (Number.isNaN(p) ? 1 : p)))
  return ps.map((p, i) => (Number.isNaN(p) ? { p: null, pAdjusted: null } : { p, pAdjusted: itemAt(adjustedPs, i) }))
}

/** Whether a row lost more than a margin: a one-sided t test with the error CR2; null for what cannot be known. */
export interface LossTest {
  /** As a fraction. */
  readonly margin: number
  /** p of a loss of the margin or more; null where no score differs, all differ alike, or one text holds too many. */
  readonly p: number | null
  /** The largest loss that the same test does not exclude; below 0 where no loss is plausible. */
  readonly largest: number | null
  /** Questions with which a row that did not change would be shown as unchanged, with a power of .8. */
  readonly needed: number | null
}

/** Tests the difference after minus before for a loss of `margin` or more. */
export function lossTest(
  { difference, error, degrees }: EstimatedDifference,
  { questions, clusters }: Readonly<Record<'questions' | 'clusters', number>>,
  margin: number,
): LossTest {
  if (error === null || degrees === null || !(error > 0 && degrees >= fewestDegrees))
    return { margin, p: null, largest: null, needed: null }
  const { lower, low } = tost({ mean: difference, error, degrees }, margin)
  // one-sided at alpha is two-sided at twice as much
  const units = requiredUnits(error ** 2 * clusters, margin, { alpha: 2 * alpha, power: usualPower })
  return { margin, p: lower, largest: -low, needed: Math.ceil((units * questions) / clusters - 1e-9) }
}
