import { cr2Difference, fewestDegrees, tost, type MeanError } from '../../math/statistics/cr2.ts'
import { unitsNeeded } from '../../math/statistics/power.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'

/** Whether a row lost more than a margin: a one-sided t test with the error CR2; null for what cannot be known. */
export interface LossTest {
  /** As a fraction. */
  readonly margin: number
  /** p of a loss of the margin or more; null where no score differs, all differ alike, or one text holds too many. */
  readonly p: number | null
  /** The largest loss that the same test does not exclude; below 0 where a gain is shown. */
  readonly largest: number | null
  /** Questions with which a row that did not change would be told, with a power of .8. */
  readonly needed: number | null
}

/** Tests for a loss of `margin` or more from the scores of the same questions; `known`: an error with the luck of indexes. */
export function lossTest(
  after: readonly number[],
  before: readonly number[],
  clusters: readonly (string | number)[],
  margin: number,
  known?: Pick<MeanError, 'error' | 'degrees'>,
): LossTest {
  const bare = cr2Difference(after, before, clusters)
  const found = { ...bare, error: known?.error ?? bare.error, degrees: known?.degrees ?? bare.degrees }
  if (!(found.error > 0 && found.degrees >= fewestDegrees)) return { margin, p: null, largest: null, needed: null }
  const { lower, low } = tost(found, margin)
  const ofCluster = found.error ** 2 * found.clusters
  // one-sided at alpha is two-sided at twice as much
  const units = unitsNeeded(ofCluster, margin, { alpha: 2 * alpha, power: usualPower })
  return { margin, p: lower, largest: -low, needed: Math.ceil((units * found.n) / found.clusters - 1e-9) }
}
