import { rounding } from './descriptive.ts'
import { allSignSums, clusterTotalsFlips, exactUpTo, randomSums } from './sign-flips.ts'

/** A pair of rows by the sums of its differences by cluster, 0 where a cluster has none. */
export interface PairSums {
  /** Those of row `a` less those of row `b`, by their numbers, or sums of its own. */
  readonly sums: Float64Array | { readonly a: number; readonly b: number }
  /** Clusters in which the pair has a question. */
  readonly clusters: number
}

interface MaxTOptions {
  readonly alpha: number
  readonly seed: number
}

/** A pair's statistic, its p alone and its p among all pairs. */
interface MaxTPair {
  readonly statistic: number
  readonly p: number
  readonly pAdjusted: number
}

export interface MaxT {
  readonly pairs: readonly MaxTPair[]
  /** Signs that were tried: all, or so many at random. */
  readonly permutations: number
  readonly exact: boolean
  /** The least p that a pair with all clusters can have. */
  readonly smallestP: number
  /** The statistic that the largest of all pairs exceeds by chance with probability alpha. */
  readonly critical: number
}

/** Up to so many clusters all signs are tried for all pairs; a pair alone is exact up to `exactUpTo`. */
const exactFamilyUpTo = 12

/** Random signs of a round; more rounds follow while a p that decides is uncertain. */
const draws = 9999
const mostRounds = 10

/** Pairs above which no further round is drawn. */
const manyPairs = 2000

/** Statistics that differ by no more are equal. */
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
  const differences = pairs.map(({ sums }) =>
    (sums instanceof Float64Array ? sums : totals[sums.a]!.map((one, g) => one - totals[sums.b]![g]!)).map((one) =>
      Math.abs(one) <= rounding ? 0 : one,
    ),
  )
  const scales = differences.map((sums) => inverse(Math.sqrt(sums.reduce((all, one) => all + one ** 2, 0))))
  const statistics = differences.map((sums, i) => Math.abs(sums.reduce((all, one) => all + one, 0) * scales[i]!))
  const rising = statistics.map((_, i) => i).sort((x, y) => statistics[x]! - statistics[y]! || y - x)
  const alone = new Float64Array(pairs.length)
  const among = new Float64Array(pairs.length)
  const largest: Float64Array[] = []
  // signs as they are are one of all, and are counted beside those that are drawn
  let tried = exact ? 0 : 1
  if (!exact) [alone, among].forEach((counts) => counts.fill(1))
  for (let round = 0; round < mostRounds; round++) {
    const flips = (sums: Float64Array): Float64Array =>
      exact ? allSignSums(sums) : randomSums(sums, draws, options.seed + round)
    const ofRows = totals.map(flips)
    const count = exact ? 2 ** clusters : draws
    const [most, difference] = [new Float64Array(count).fill(-Infinity), new Float64Array(count)]
    for (const i of rising) {
      const { sums: of } = pairs[i]!
      const sums = of instanceof Float64Array ? flips(of) : differenceInto(difference, ofRows[of.a]!, ofRows[of.b]!)
      const found = countAtLeast(sums, scales[i]!, statistics[i]! - slack, most)
      alone[i]! += found.alone
      among[i]! += found.among
    }
    largest.push(most)
    tried += count
    const near = 3 * Math.sqrt((options.alpha * (1 - options.alpha)) / tried)
    const isOpen = among.some((one) => Math.abs(one / tried - options.alpha) < near)
    if (exact || !isOpen || pairs.length > manyPairs) break
  }
  const adjusted = new Float64Array(pairs.length)
  let floor = 0
  for (const i of rising.toReversed()) adjusted[i] = floor = Math.max(floor, among[i]! / tried)
  const observed = exact || rising.length === 0 ? [] : [statistics[rising.at(-1)!]!]
  return {
    pairs: pairs.map((pair, i) => ({
      statistic: statistics[i]!,
      p:
        exact || pair.clusters > exactUpTo
          ? alone[i]! / tried
          : clusterTotalsFlips(differences[i]!.filter(Boolean), options).p,
      pAdjusted: adjusted[i]!,
    })),
    permutations: exact ? tried : tried - 1,
    exact,
    smallestP: exact ? Math.min(1, 2 / tried) : 1 / tried,
    critical: upperPoint([...largest, observed], options.alpha),
  }
}

const inverse = (value: number): number => (value > 0 ? 1 / value : 0)

function differenceInto(target: Float64Array, first: Float64Array, second: Float64Array): Float64Array {
  for (let draw = 0; draw < target.length; draw++) target[draw] = first[draw]! - second[draw]!
  return target
}

/** How often a pair alone, and the largest of it and those before it, is at least as great; raises the largest ones. */
function countAtLeast(
  sums: Float64Array,
  scale: number,
  least: number,
  most: Float64Array,
): { readonly alone: number; readonly among: number } {
  let [alone, among] = [0, 0]
  for (let draw = 0; draw < sums.length; draw++) {
    const one = Math.abs(sums[draw]! * scale)
    const before = most[draw]!
    const largest = one > before ? one : before
    most[draw] = largest
    if (one >= least) alone++
    if (largest >= least) among++
  }
  return { alone, among }
}

/** The largest value that more than a share of the values reach. */
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
 * How many errors of a pair its simultaneous interval reaches, from the critical value of the largest statistic, which
 * is bounded by √G: as Student's t of the sums of `clusters` clusters, which orders alike. NaN where no interval is
 * short enough to exist.
 */
export function criticalErrors(critical: number, clusters: number): number {
  const left = clusters - critical ** 2
  return left > 1e-9 ? critical * Math.sqrt((clusters - 1) / left) : NaN
}

/** The sums of a pair's differences by cluster, and how many questions each cluster has. */
export interface ClusterSums {
  readonly sums: ArrayLike<number>
  readonly sizes: ArrayLike<number>
}

/**
 * The true difference with which the statistic of a pair exceeds `critical` in a share `power` of draws, from the
 * pair's own differences: their deviations, of which a draw flips whole clusters, are shifted by it. The deviations of
 * cluster g are widened by 1 / √(1 − h_g), as CR2 widens them. In the units of the scores; NaN where no difference
 * would do, or no deviation is known.
 */
export function differenceSeen({ sums, sizes }: ClusterSums, critical: number, power: number, seed: number): number {
  const n = total(sizes)
  const centre = total(sums) / n
  const deviations = Array.from(
    sums,
    (one, g) => (one - centre * sizes[g]!) / Math.sqrt(Math.max(1e-9, 1 - sizes[g]! / n)),
  )
  const square = critical ** 2
  const [spread, weight] = [total(deviations.map((one) => one ** 2)), total(Array.from(sizes, (one) => one ** 2))]
  const leading = n ** 2 - square * weight
  if (!(leading > 0 && spread > 1e-20 * n)) return NaN
  const plain = randomSums(deviations, drawsSeen, seed)
  const weighted = randomSums(
    deviations.map((one, g) => one * sizes[g]!),
    drawsSeen,
    seed,
  )
  // (sum + δ n)² = critical² Σ (S_g + δ n_g)², solved for δ
  const needed = plain.map((sum, draw) => {
    const half = sum * n - square * weighted[draw]!
    const rest = sum ** 2 - square * spread
    return (Math.sqrt(Math.max(0, half ** 2 - leading * rest)) - half) / leading
  })
  return needed.sort()[Math.ceil(power * drawsSeen) - 1]!
}

const drawsSeen = 999

function total(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum
}
