import { itemAt, valueOf } from '../../basics/collections.ts'
import { studentCritical } from '../../math/statistics/distributions.ts'
import { median } from '../../math/statistics/descriptive.ts'
import { mcnemar } from '../../math/statistics/paired-tests.ts'
import { around } from '../../math/statistics/cr2.ts'
import { criticalErrors, detectableDifference, maxT } from '../../math/statistics/max-t.ts'
import { alpha, smallestOf, usualPower, type MeanDifference, type SharedPair, type TestName } from './compare-pair.ts'
import { testByT } from './t-tests.ts'

/** Null where it is not known. */
export interface Interval {
  readonly low: number | null
  readonly high: number | null
}

/** A pair as it is tested among others. */
export interface TestedPair extends MeanDifference {
  readonly test: TestName
  /** Of the pair alone. */
  readonly p: number
  /** Beside the exact p of McNemar's test. */
  readonly midP?: number
  /** Among all pairs: Westfall and Young's step-down max-T; of t tests, Holm's. Of a single pair, its p. */
  readonly pAdjusted: number
  /** 95 % intervals that hold all differences together (single-step max-T; Bonferroni); null where not known. */
  readonly simultaneous: Interval
}

interface TestedFamily {
  /** In the order of the pairs that were given. */
  readonly pairs: readonly TestedPair[]
  /** The smallest p that a pair could have after the correction. */
  readonly smallestP: number
  /** The median over pairs of the difference that earns a letter with a power of .8; null where it is not known. */
  readonly smallestDifference: number | null
}

/** A pair with the numbers of its rows, where these have a score of no other question. */
interface FamilyPair extends SharedPair {
  readonly whole?: { readonly a: number; readonly b: number }
}

/**
 * Tests all pairs at once (specification of statistics, sections 3 and 7): by sign flips, McNemar's exact test alone,
 * Westfall and Young's max-T together; where an error holds the luck of indexes all by Student's t and Holm.
 */
export function testPairs(pairs: readonly FamilyPair[], seed: number): TestedFamily {
  const isSingle = pairs.length === 1
  if (pairs.some(({ isByT }) => isByT)) {
    const { pairs: tested, smallestDifference } = testByT(pairs.map(({ estimate }) => estimate))
    // so few say their luck so badly that what is promised is found in 7 of 10 runs, not in 8
    const isKnown = pairs.every(({ isByT, luck }) => !isByT || (luck !== undefined && luck.indexes >= 10))
    return {
      pairs: pairs.map(({ estimate }, i) => {
        const difference = { ...estimate, ...intervalByT(estimate) }
        const { p, pAdjusted, simultaneous } = itemAt(tested, i)
        const alone = { pAdjusted: p, simultaneous: intervalOf(difference) }
        return { ...difference, test: 't', p, ...(isSingle ? alone : { pAdjusted, simultaneous }) }
      }),
      smallestP: 0,
      smallestDifference: isKnown ? smallestDifference : null,
    }
  }
  const { pairs: tested, ...family } = testByFlips(pairs, seed)
  return {
    ...family,
    pairs: pairs.map(({ binary, estimate }, i) => {
      const { p: ofFlips, pAdjusted, simultaneous } = itemAt(tested, i)
      const exact = binary ? mcnemar(estimate.win, estimate.loss) : undefined
      const p = exact?.p ?? ofFlips
      return {
        ...estimate,
        test: exact ? 'McNemar' : 'sign flips',
        p,
        ...(exact && { midP: exact.midP }),
        ...(isSingle ? { pAdjusted: p, simultaneous: intervalOf(estimate) } : { pAdjusted, simultaneous }),
      }
    }),
  }
}

const intervalOf = ({ low, high }: Interval): Interval => ({ low, high })

/** As the test is: not Newcombe's, which other tests of right and wrong answers have. */
const intervalByT = ({ difference, error, degrees }: MeanDifference): Partial<Interval> =>
  error === null || degrees === null ? {} : around(difference, { error, degrees })

/** Intervals by the single-step form hold together in 95 % of runs and are no shorter than those of single pairs. */
function testByFlips(pairs: readonly FamilyPair[], seed: number) {
  const { size, sumsOf } = sumsByCluster(pairs.map(({ clusters }) => clusters))
  const differencesOf = ({ x, y, clusters }: SharedPair): Float64Array =>
    sumsOf(clusters, (i) => itemAt(x, i) - itemAt(y, i))
  // a row is the same in all pairs that have all of it: its sums are flipped once
  const rows = new Map<number, Float64Array>()
  for (const { whole, x, y, clusters } of pairs) {
    if (!whole) continue
    if (!rows.has(whole.a))
      rows.set(
        whole.a,
        sumsOf(clusters, (i) => itemAt(x, i)),
      )
    if (!rows.has(whole.b))
      rows.set(
        whole.b,
        sumsOf(clusters, (i) => itemAt(y, i)),
      )
  }
  const places = new Map([...rows.keys()].map((row, place) => [row, place]))
  const clustersOf = ({ clusters }: SharedPair): number => new Set(clusters).size
  const tested = maxT(
    size,
    [...rows.values()],
    pairs.map((pair) => ({
      clusters: clustersOf(pair),
      sums: pair.whole ? { a: valueOf(places, pair.whole.a), b: valueOf(places, pair.whole.b) } : differencesOf(pair),
    })),
    { alpha, seed },
  )
  const seen = spaced(pairs).map((pair) => {
    const sizes = sumsOf(pair.clusters, () => 1)
    // shifted differences of right and wrong answers keep a variance that larger true ones would not
    const step = pair.binary ? 1 / pair.x.length : pair.step
    return detectableDifference({ sums: differencesOf(pair), sizes }, tested.critical, usualPower, seed) + step
  })
  const known = seen.filter((one) => !Number.isNaN(one))
  return {
    pairs: pairs.map((pair, i) => {
      const { p, pAdjusted } = itemAt(tested.pairs, i)
      return { p, pAdjusted, simultaneous: simultaneousOf(pair, tested.critical) }
    }),
    smallestP: Math.max(tested.smallestP, smallestOf(Math.max(...pairs.map(clustersOf)))),
    smallestDifference: known.length === 0 ? null : median(known),
  }
}

/** Adds up values by cluster; clusters are numbered in the order in which they are met. */
function sumsByCluster(lists: readonly (readonly (string | number)[])[]) {
  const numbers = new Map([...new Set(lists.flat())].map((cluster, number) => [cluster, number]))
  return {
    size: numbers.size,
    sumsOf: (clusters: readonly (string | number)[], of: (place: number) => number): Float64Array => {
      const sums = new Float64Array(numbers.size)
      clusters.forEach((cluster, place) => {
        const at = valueOf(numbers, cluster)
        sums[at] = itemAt(sums, at) + of(place)
      })
      return sums
    },
  }
}

function simultaneousOf({ estimate, clusters }: SharedPair, criticalSize: number): Interval {
  const { error, degrees, difference } = estimate
  const errors = criticalErrors(criticalSize, new Set(clusters).size)
  if (error === null || degrees === null || Number.isNaN(errors)) return { low: null, high: null }
  const reach = Math.max(errors, studentCritical(1 - alpha, degrees)) * error
  return { low: difference - reach, high: difference + reach }
}

/** Pairs from which the difference that could be seen is taken: at most so many, in equal steps through all. */
const mostSeen = 101

const spaced = (pairs: readonly SharedPair[]): readonly SharedPair[] =>
  pairs.filter(
    (_, i) =>
      pairs.length <= mostSeen ||
      Math.floor((i * mostSeen) / pairs.length) !== Math.floor(((i - 1) * mostSeen) / pairs.length),
  )
