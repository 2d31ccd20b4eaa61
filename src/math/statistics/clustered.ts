import { deviationsFrom, grouped } from './cr2.ts'
import { differences, mean, sum } from './descriptive.ts'
import { studentBound, studentOutside } from './distributions.ts'

/** A mean over items that are not independent within their clusters. What cannot be known from the data is NaN. */
export interface ClusteredMean {
  readonly n: number
  readonly clusters: number
  readonly mean: number
  /** As if all items were independent: sd / √n, ddof 1. */
  readonly plainError: number
  /** Cluster-robust, without and with the correction for few clusters. */
  readonly cr0: number
  readonly cr1: number
  /** Around the mean by CR1 and Student's t with clusters - 1 degrees of freedom. */
  readonly low: number
  readonly high: number
  /** CR1² / plain²: how many times larger the variance is than that of independent items. */
  readonly designEffect: number
  /** Intraclass correlation (one-way analysis of variance, unequal sizes). */
  readonly icc: number
}

/**
 * Mean and errors of values that come in clusters (Miller, arXiv 2411.00640, section 2.2): CR0 = √(Σ_c (Σ_{i∈c} u_i)²)
 * / n with u_i = s_i − s̄, and CR1 = CR0·√(G/(G−1)). One cluster gives no error. Throws RangeError for lists of
 * different lengths or none.
 */
export function clusteredMean(
  values: readonly number[],
  clusters: readonly (string | number)[],
  level = 0.95,
): ClusteredMean {
  if (values.length !== clusters.length) throw new RangeError('a cluster for every value')
  if (values.length === 0) throw new RangeError('a mean needs at least one value')
  const n = values.length
  const centre = mean(values)
  const deviations = deviationsFrom(centre, values)
  const groups = [...grouped(deviations, clusters).values()]
  const count = groups.length
  const squares = sum(deviations.map((u) => u ** 2))
  const plainError = n > 1 ? Math.sqrt(squares / (n - 1) / n) : NaN
  const cr0 = Math.sqrt(sum(groups.map((group) => sum(group) ** 2))) / n
  const cr1 = count > 1 ? cr0 * Math.sqrt(count / (count - 1)) : NaN
  const reach = count > 1 ? studentBound(level, count - 1) * cr1 : NaN
  return {
    ...{ n, clusters: count, mean: centre, plainError, cr0, cr1 },
    ...{ low: centre - reach, high: centre + reach },
    designEffect: cr1 ** 2 / plainError ** 2,
    icc: intraclass(groups, n),
  }
}

/**
 * The mean of x - y with its clustered errors, and the two-sided t test of it. Throws RangeError as `differences` does.
 */
export function clusteredDifference(
  x: readonly number[],
  y: readonly number[],
  clusters: readonly (string | number)[],
): ClusteredMean & { readonly t: number; readonly p: number } {
  const found = clusteredMean(differences(x, y), clusters)
  const t = found.mean / found.cr1
  return { ...found, t, p: found.clusters > 1 ? studentOutside(t, found.clusters - 1) : NaN }
}

/** An error of a mean and its 95 % interval; null for one cluster, or values that are all equal. */
export interface MeanError {
  readonly error: number | null
  readonly low: number | null
  readonly high: number | null
}

/** The larger of CR1 and the error of independent items, and its interval by Student's t, clusters - 1 degrees. */
export function largerError({ mean: centre, cr1, plainError, clusters }: ClusteredMean): MeanError {
  const error = clusters > 1 ? Math.max(cr1, plainError) : NaN
  if (!(error > 0)) return { error: null, low: null, high: null }
  const reach = studentBound(0.95, clusters - 1) * error
  return { error, low: centre - reach, high: centre + reach }
}

/** (MSB − MSW) / (MSB + (m0 − 1)·MSW), m0 = (n − Σ n_c²/n) / (G − 1), from deviations from the grand mean. */
function intraclass(groups: readonly (readonly number[])[], n: number): number {
  const between = sum(groups.map((group) => group.length * mean(group) ** 2)) / (groups.length - 1)
  const inside = groups.flatMap((group) => {
    const centre = mean(group)
    return group.map((u) => (u - centre) ** 2)
  })
  const within = sum(inside) / (n - groups.length)
  const size = (n - sum(groups.map((group) => group.length ** 2)) / n) / (groups.length - 1)
  return (between - within) / (between + (size - 1) * within)
}
