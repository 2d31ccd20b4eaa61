import { itemAt, valueOf } from '../../basics/collections.ts'
import { studentCritical } from '../../math/statistics/distributions.ts'
import { differences, mean, median } from '../../math/statistics/descriptive.ts'
import { mcnemar } from '../../math/statistics/paired-tests.ts'
import { around } from '../../math/statistics/cr2.ts'
import { criticalErrors, detectableDifference, maxT } from '../../math/statistics/max-t.ts'
import type { ClusterOf, ScoredSide } from '../gather/observations.ts'
import { alpha, sharedPair, usualPower, type SharedPair } from './compare-pair.ts'
import { testByT } from './t-tests.ts'

/** Null where unknown. */
export interface Interval {
  readonly low: number | null
  readonly high: number | null
}

/** A pair with its test, corrected for the family of pairs. */
export type TestedPair = ReturnType<typeof testPairs>['pairs'][number]

/** The test of a pair; an interval replaces that of its estimate. */
interface PairTest extends Partial<Interval> {
  readonly test: 'McNemar' | 'sign flips' | 't'
  /** Uncorrected. */
  readonly p: number
  readonly midP?: number
  /** Westfall and Young's step-down max-T; Holm's for t tests; the plain p of a single pair. */
  readonly pAdjusted: number
  /** 95 % intervals that hold all differences at once (single-step max-T or Bonferroni). */
  readonly simultaneous: Interval
}

/** A pair; `rowNumbers` where it covers all scores of both rows. */
interface FamilyPair extends Omit<SharedPair, 'questions'> {
  readonly rowNumbers?: { readonly a: number; readonly b: number }
}

/** A pair alone: its test, and the smallest p that it can reach; undefined without a common question. */
export function comparePair(first: ScoredSide, second: ScoredSide, clusterOf: ClusterOf, seed: number) {
  const pair = sharedPair(first, second, clusterOf)
  if (!pair) return undefined
  const { pairs, smallestP } = testPairs([pair], seed)
  return { ...itemAt(pairs, 0), smallestP }
}

/**
 * Tests all pairs at once (specification of statistics, sections 3 and 7): McNemar's exact test for a single binary
 * pair, else sign flips with Westfall and Young's max-T. Errors with between-index variance use Student's t and Holm.
 * `smallestP`: the smallest corrected p that a pair can reach; `smallestDifference`: the minimum detectable difference
 * at 80 % power, the median over pairs; null where unknown.
 */
export function testPairs(pairs: readonly FamilyPair[], seed: number) {
  const family = pairs.some(({ isByT }) => isByT) ? testFamilyByT(pairs) : testByFlips(pairs, seed)
  return {
    ...family,
    pairs: pairs.map(({ x, y, clusters, estimate, indexVariance }, i) => {
      const test = { ...estimate, ...itemAt(family.pairs, i) }
      const { p, low, high } = test
      return {
        ...test,
        ...(pairs.length === 1 && { pAdjusted: p, simultaneous: { low, high } }),
        // common questions and their clusters, with the means on these
        questions: x.length,
        clusters: new Set(clusters).size,
        means: { a: mean(x), b: mean(y) },
        // between-index variance of the difference, where a row has several indexes
        ...(indexVariance && { luck: indexVariance }),
      }
    }),
  }
}

/** Its intervals are not Newcombe's, which do not belong to the t test. */
function testFamilyByT(pairs: readonly FamilyPair[]) {
  const { pairs: tests, smallestDifference } = testByT(pairs.map(({ estimate }) => estimate))
  // fewer indexes estimate their variance too badly: power falls to 70 %
  const isPowerKnown = pairs.every(({ isByT, indexVariance }) => !isByT || (indexVariance?.indexes ?? 0) >= 10)
  return {
    pairs: pairs.map(({ estimate: { difference, error, degrees } }, i): PairTest => ({
      ...(error !== null && degrees !== null && around(difference, { error, degrees })),
      ...itemAt(tests, i),
    })),
    smallestP: 0,
    smallestDifference: isPowerKnown ? smallestDifference : null,
  }
}

/** Single-step intervals hold together in 95 % of runs and are no shorter than those of single pairs. */
function testByFlips(pairs: readonly FamilyPair[], seed: number) {
  const { size, sumsOf } = sumsByCluster(pairs.map(({ clusters }) => clusters))
  const differencesOf = ({ x, y, clusters }: FamilyPair) => sumsOf(clusters, differences(x, y))
  // flip the sums of a row once for all pairs that cover all of its scores
  const rows = new Map<number, Float64Array>()
  for (const { rowNumbers, x, y, clusters } of pairs) {
    if (!rowNumbers) continue
    if (!rows.has(rowNumbers.a)) rows.set(rowNumbers.a, sumsOf(clusters, x))
    if (!rows.has(rowNumbers.b)) rows.set(rowNumbers.b, sumsOf(clusters, y))
  }
  const places = new Map([...rows.keys()].map((row, place) => [row, place]))
  const clustersOf = ({ clusters }: FamilyPair) => new Set(clusters).size
  const results = maxT(
    size,
    [...rows.values()],
    pairs.map((pair) => ({
      clusters: clustersOf(pair),
      sums: pair.rowNumbers
        ? { a: valueOf(places, pair.rowNumbers.a), b: valueOf(places, pair.rowNumbers.b) }
        : differencesOf(pair),
    })),
    { alpha, seed },
  )
  const detectable = samplePairs(pairs).map((pair) => {
    const sizes = sumsOf(
      pair.clusters,
      pair.x.map(() => 1),
    )
    // shifted differences of binary scores keep a variance that larger true differences would not have
    const step = pair.binary ? 1 / pair.x.length : pair.step
    return detectableDifference({ sums: differencesOf(pair), sizes }, results.critical, usualPower, seed) + step
  })
  const detectableDifferences = detectable.filter((difference) => !Number.isNaN(difference))
  return {
    pairs: pairs.map((pair, i): PairTest => {
      const { p, pAdjusted } = itemAt(results.pairs, i)
      const exact = pair.binary ? mcnemar(pair.estimate.win, pair.estimate.loss) : undefined
      return {
        test: exact ? 'McNemar' : 'sign flips',
        p: exact?.p ?? p,
        ...(exact && { midP: exact.midP }),
        pAdjusted,
        simultaneous: simultaneousOf(pair, results.critical),
      }
    }),
    smallestP: Math.max(results.smallestP, smallestOf(Math.max(...pairs.map(clustersOf)))),
    smallestDifference: detectableDifferences.length === 0 ? null : median(detectableDifferences),
  }
}

/** Smallest two-sided p of sign flips. */
export const smallestOf = (clusters: number): number => Math.min(1, 2 / 2 ** clusters)

/** Sums values by cluster, in the order of the clusters. */
function sumsByCluster(lists: readonly (readonly (string | number)[])[]) {
  const numbers = new Map([...new Set(lists.flat())].map((cluster, number) => [cluster, number]))
  return {
    size: numbers.size,
    sumsOf: (clusters: readonly (string | number)[], values: readonly number[]): Float64Array => {
      const sums = new Float64Array(numbers.size)
      clusters.forEach((cluster, place) => {
        const at = valueOf(numbers, cluster)
        sums[at] = itemAt(sums, at) + itemAt(values, place)
      })
      return sums
    },
  }
}

function simultaneousOf({ estimate, clusters }: FamilyPair, criticalSize: number): Interval {
  const { error, degrees, difference } = estimate
  const errors = criticalErrors(criticalSize, new Set(clusters).size)
  if (error === null || degrees === null || Number.isNaN(errors)) return { low: null, high: null }
  const reach = Math.max(errors, studentCritical(1 - alpha, degrees)) * error
  return { low: difference - reach, high: difference + reach }
}

/** Limits the pairs that estimate the detectable difference, to bound its time. */
const maxSampleSize = 101

const samplePairs = (pairs: readonly FamilyPair[]) =>
  pairs.filter(
    (_, i) =>
      pairs.length <= maxSampleSize ||
      Math.floor((i * maxSampleSize) / pairs.length) !== Math.floor(((i - 1) * maxSampleSize) / pairs.length),
  )
