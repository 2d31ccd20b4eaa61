import { exp, log } from '../portable.ts'
import { holm } from './corrections.ts'
import { midRanks, sum, tieTerm } from './descriptive.ts'
import { bisect, chiSquaredAbove, fisherAbove, normalTail } from './distributions.ts'

/** Systems ranked over several datasets. Undetermined values are NaN. */
export interface AverageRanks {
  /** By row: 1 is best, ties share. */
  readonly ranks: readonly number[]
  /** Friedman's, corrected for ties. */
  readonly chiSquared: number
  readonly p: number
  /** Iman and Davenport's, less conservative; Infinity where every dataset has the same order. */
  readonly f: number
  readonly fP: number
  /** Nemenyi's critical difference of mean ranks at .05. */
  readonly criticalDifference: number
  /** The first row with the second, with the third, …; z below 0: the first has the better rank. */
  readonly pairs: readonly RankPair[]
}

interface RankPair {
  readonly first: number
  readonly second: number
  readonly z: number
  /** Two-sided, by the normal curve. */
  readonly p: number
  readonly pHolm: number
  readonly pNemenyi: number
}

/**
 * Tests of rows over datasets by their mean ranks (Demšar 2006, JMLR 7, section 3.2): `scores` is a list a dataset,
 * with a score a row, higher better. Throws RangeError for no dataset, or fewer than two rows.
 */
export function averageRanks(scores: readonly (readonly number[])[]): AverageRanks {
  const sets = scores.length
  const rows = scores[0]?.length ?? 0
  if (rows < 2) throw new RangeError('ranks need a dataset and two rows')
  const rankings = scores.map((datasetScores) => midRanks(datasetScores.map((score) => -score)))
  const rankSum = (row: number) => sum(rankings.map((dataset) => dataset.ranks[row]!))
  const ranks = Array.from({ length: rows }, (_, row) => rankSum(row) / sets)
  const unit = (rows * (rows + 1)) / (6 * sets)
  const tieTerms = sum(rankings.map(({ ties }) => tieTerm(ties)))
  const tieCorrection = 1 - tieTerms / (sets * rows * (rows ** 2 - 1))
  const spread = sum(ranks.map((rank) => (rank - (rows + 1) / 2) ** 2))
  const factor = (12 * sets) / (rows * (rows + 1))
  const chiSquared = tieCorrection > 0 ? factor * (spread / tieCorrection) : NaN
  // non-negative up to rounding
  const remainder = sets * (rows - 1) - chiSquared
  const isTotal = remainder <= 1e-9 * sets * rows
  const f = sets < 2 ? NaN : isTotal ? Infinity : ((sets - 1) * chiSquared) / remainder
  const pairs = ranks.flatMap((rank, first) =>
    ranks.slice(first + 1).map((otherRank, offset) => {
      const z = (rank - otherRank) / Math.sqrt(unit)
      const p = 2 * normalTail(Math.abs(z))
      const pNemenyi = rangeAbove(Math.SQRT2 * Math.abs(z), rows)
      return { first, second: first + 1 + offset, z, p, pNemenyi }
    }),
  )
  const holmPs = holm(pairs.map(({ p }) => p))
  const criticalRange = bisect((q) => rangeAbove(q, rows) > 0.05)
  return {
    ranks,
    chiSquared,
    f,
    p: Number.isNaN(chiSquared) ? NaN : chiSquaredAbove(chiSquared, rows - 1),
    fP: Number.isNaN(f) ? NaN : fisherAbove(f, rows - 1, (rows - 1) * (sets - 1)),
    criticalDifference: (criticalRange / Math.SQRT2) * Math.sqrt(unit),
    pairs: pairs.map((pair, index) => ({ ...pair, pHolm: holmPs[index]! })),
  }
}

/**
 * Probability that the largest of so many standard normal variables exceeds the smallest by q or more: 1 - k ∫ φ(z)
 * (Φ(z + q) - Φ(z))^(k - 1) dz, z being the smallest. The sum over equal steps is exact to rounding.
 */
function rangeAbove(q: number, count: number): number {
  if (q <= 0) return 1
  const step = 1 / 16
  let within = 0
  for (let z = -9; z <= 9; z += step) within += exp((-z * z) / 2 + (count - 1) * log(normalTail(z) - normalTail(z + q)))
  return Math.max(0, 1 - (count * step * within) / Math.sqrt(2 * Math.PI))
}
