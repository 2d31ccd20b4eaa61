import { rounding } from './descriptive.ts'
import { allSignSums, clusterTotalsFlips, exactUpTo, randomSums } from './sign-flips.ts'

/** A pair of systems by its sums of differences per cluster, 0 for an empty cluster. */
export interface PairSums {
  /** The pair's sums, or the two rows of `totals` whose difference they are. */
  readonly sums: Float64Array | { readonly a: number; readonly b: number }
  /** Clusters in which the pair has a question. */
  readonly clusters: number
}

interface MaxTOptions {
  readonly alpha: number
  readonly seed: number
}

/** A pair's statistic, its p-value, and its p-value adjusted over all pairs. */
interface MaxTPair {
  readonly statistic: number
  readonly p: number
  readonly pAdjusted: number
}

export interface MaxT {
  readonly pairs: readonly MaxTPair[]
  /** Sign vectors tried: all, or random ones. */
  readonly permutations: number
  readonly exact: boolean
  /** The smallest attainable p of a pair with all clusters. */
  readonly smallestP: number
  /** Critical value: the maximum over all pairs exceeds it with probability alpha under the null. */
  readonly critical: number
}

/** Up to here all sign vectors are tried for the family; single pairs are exact up to `exactUpTo`. */
const exactFamilyUpTo = 12

/** Random sign vectors per round; rounds continue while a decisive p is uncertain. */
const draws = 9999
const mostRounds = 10

/** Number of pairs above which there is only one round. */
const manyPairs = 2000

/** Tolerance of equal statistics. */
const slack = 1e-10

/**
 * Westfall and Young's step-down test of all pairs at once (1993, algorithm 2.8), by sign flips of cluster sums. With
 * S_g the sum of the differences of a pair in cluster g, its statistic is |Σ S_g| / √(Σ S_g²); every draw flips the
 * same clusters of all pairs. Exact up to 12 clusters, else from 9,999 draws, and up to ten times as many while an
 * adjusted p is within three standard errors of alpha. `totals`: sums of rows by cluster, which several pairs share.
 */
export function maxT(
  clusters: number,
  totals: readonly Float64Array[],
  pairs: readonly PairSums[],
  options: MaxTOptions,
): MaxT {
  const exact = clusters <= exactFamilyUpTo
  const differenceOf = (sums: PairSums['sums']) => {
    if (sums instanceof Float64Array) return sums
    const subtrahend = totals[sums.b]!
    return totals[sums.a]!.map((sum, g) => sum - subtrahend[g]!)
  }
  const differences = pairs.map(({ sums }) => differenceOf(sums).map((sum) => (Math.abs(sum) <= rounding ? 0 : sum)))
  const scales = differences.map((sums) => {
    const squares = sums.reduce((all, sum) => all + sum ** 2, 0)
    return inverse(Math.sqrt(squares))
  })
  const statistics = differences.map((sums, i) => {
    const total = sums.reduce((all, sum) => all + sum, 0)
    return Math.abs(total * scales[i]!)
  })
  const rising = statistics.map((_, i) => i).sort((x, y) => statistics[x]! - statistics[y]! || y - x)
  const alone = new Float64Array(pairs.length)
  const among = new Float64Array(pairs.length)
  const largest: Float64Array[] = []
  // the identity counts as one draw
  let trials = exact ? 0 : 1
  if (!exact) [alone, among].forEach((counts) => counts.fill(1))
  for (let round = 0; round < mostRounds; round++) {
    const flips = (sums: Float64Array): Float64Array =>
      exact ? allSignSums(sums) : randomSums(sums, draws, options.seed + round)
    const ofRows = totals.map(flips)
    const count = exact ? 2 ** clusters : draws
    const most = new Float64Array(count).fill(-Infinity)
    const difference = new Float64Array(count)
    for (const i of rising) {
      const { sums: of } = pairs[i]!
      const sums = of instanceof Float64Array ? flips(of) : differenceInto(difference, ofRows[of.a]!, ofRows[of.b]!)
      const counts = countAtLeast(sums, scales[i]!, statistics[i]! - slack, most)
      alone[i]! += counts.alone
      among[i]! += counts.among
    }
    largest.push(most)
    trials += count
    const near = 3 * Math.sqrt((options.alpha * (1 - options.alpha)) / trials)
    const isOpen = among.some((atLeast) => Math.abs(atLeast / trials - options.alpha) < near)
    if (exact || !isOpen || pairs.length > manyPairs) break
  }
  const adjustedPs = new Float64Array(pairs.length)
  let floor = 0
  for (const i of rising.toReversed()) adjustedPs[i] = floor = Math.max(floor, among[i]! / trials)
  const observedMax = exact || rising.length === 0 ? [] : [statistics[rising.at(-1)!]!]
  return {
    pairs: pairs.map((pair, i) => ({
      statistic: statistics[i]!,
      p:
        exact || pair.clusters > exactUpTo
          ? alone[i]! / trials
          : clusterTotalsFlips(differences[i]!.filter(Boolean), options).p,
      pAdjusted: adjustedPs[i]!,
    })),
    permutations: exact ? trials : trials - 1,
    exact,
    smallestP: exact ? Math.min(1, 2 / trials) : 1 / trials,
    critical: upperPoint([...largest, observedMax], options.alpha),
  }
}

const inverse = (value: number): number => (value > 0 ? 1 / value : 0)

function differenceInto(target: Float64Array, first: Float64Array, second: Float64Array): Float64Array {
  for (let draw = 0; draw < target.length; draw++) target[draw] = first[draw]! - second[draw]!
  return target
}

/** Counts draws where the pair, and the running maximum including it, reach `least`; updates the maximum. */
function countAtLeast(
  sums: Float64Array,
  scale: number,
  least: number,
  most: Float64Array,
): { readonly alone: number; readonly among: number } {
  let alone = 0
  let among = 0
  for (let draw = 0; draw < sums.length; draw++) {
    const statistic = Math.abs(sums[draw]! * scale)
    const before = most[draw]!
    const largest = statistic > before ? statistic : before
    most[draw] = largest
    if (statistic >= least) alone++
    if (largest >= least) among++
  }
  return { alone, among }
}

/** The upper `share` quantile. */
function upperPoint(lists: readonly ArrayLike<number>[], share: number): number {
  const length = lists.reduce((total, list) => total + list.length, 0)
  const values = new Float64Array(length)
  let at = 0
  for (const list of lists) {
    values.set(list, at)
    at += list.length
  }
  values.sort()
  return values[Math.ceil((1 - share) * length - 1e-9) - 1] ?? NaN
}

/**
 * Half-width of a pair's simultaneous interval in standard errors, from the critical value of the maximum statistic
 * (bounded by √G), by its monotone relation to Student's t of the sums of `clusters` clusters. NaN where the interval
 * is unbounded.
 */
export function criticalErrors(critical: number, clusters: number): number {
  const remainder = clusters - critical ** 2
  return remainder > 1e-9 ? critical * Math.sqrt((clusters - 1) / remainder) : NaN
}

/** The sums of a pair's differences by cluster, and how many questions each cluster has. */
export interface ClusterSums {
  readonly sums: ArrayLike<number>
  readonly sizes: ArrayLike<number>
}

/**
 * The true difference at which a pair's statistic exceeds `critical` in a share `power` of draws, by sign flips of its
 * cluster deviations, shifted by that difference. Deviations of cluster g are scaled by 1 / √(1 − h_g), as in CR2. In
 * the units of the scores; NaN where no difference suffices or all deviations are 0.
 */
export function detectableDifference(
  { sums, sizes }: ClusterSums,
  critical: number,
  power: number,
  seed: number,
): number {
  const n = total(sizes)
  const centre = total(sums) / n
  const deviations = Array.from(
    sums,
    (sum, g) => (sum - centre * sizes[g]!) / Math.sqrt(Math.max(1e-9, 1 - sizes[g]! / n)),
  )
  const square = critical ** 2
  const spread = total(deviations.map((deviation) => deviation ** 2))
  const weight = total(Array.from(sizes, (size) => size ** 2))
  const leading = n ** 2 - square * weight
  if (!(leading > 0 && spread > 1e-20 * n)) return NaN
  const plain = randomSums(deviations, powerDraws, seed)
  const weightedSums = randomSums(
    deviations.map((deviation, g) => deviation * sizes[g]!),
    powerDraws,
    seed,
  )
  // (sum + δ n)² = critical² Σ (S_g + δ n_g)², solved for δ
  const shifts = plain.map((sum, draw) => {
    const half = sum * n - square * weightedSums[draw]!
    const rest = sum ** 2 - square * spread
    return (Math.sqrt(Math.max(0, half ** 2 - leading * rest)) - half) / leading
  })
  return shifts.sort()[Math.ceil(power * powerDraws) - 1]!
}

const powerDraws = 999

function total(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum
}
