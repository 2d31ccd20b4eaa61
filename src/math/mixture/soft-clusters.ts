import { isFit, type Covariance, type FitFailure, mixtureFitter, type FitOptions, type Mixture } from './fit.ts'
import type { Rows } from '../kernels.ts'
import { kmeans } from '../kmeans.ts'

/** Clustering methods, from most to least demanding. The caller makes consecutive groups. */
type Step = Covariance | 'kmeans' | 'consecutive'

/** A step that failed, its replacement, and the reason. */
export interface Fallback {
  readonly from: Step
  readonly to: Step
  readonly reason: string
}

interface SoftClusterOptions extends ChoiceOptions {
  /** A row belongs to every component with a posterior above this. */
  readonly threshold?: number
}

/** Clusters and the step that made them. Empty where `by` is 'consecutive'. */
interface SoftClusters {
  readonly clusters: Clusters
  readonly by: Step
  readonly fallbacks: readonly Fallback[]
}

type ClusterBy = (rows: Rows, options: SoftClusterOptions) => Pick<SoftClusters, 'clusters'> | FitFailure

/**
 * Overlapping clusters by a Gaussian mixture whose size BIC chooses. Never throws: a failed step falls back to the next
 * (requested covariance, diag, spherical, k-means, none), and `fallbacks` lists each.
 */
export function softClusters(rows: Rows, options: SoftClusterOptions = {}): SoftClusters {
  const order: readonly (keyof typeof steps)[] = ['full', 'diag', 'spherical', 'kmeans']
  const fallbacks: Fallback[] = []
  for (let i = order.indexOf(options.covariance ?? 'diag'); i < order.length; i++) {
    const by = order[i]!
    const outcome = steps[by](rows, options)
    if (isFit(outcome)) return { ...outcome, by, fallbacks }
    fallbacks.push({ from: by, to: order[i + 1] ?? 'consecutive', reason: outcome.reason })
  }
  return { clusters: [], by: 'consecutive', fallbacks }
}

const byMixture =
  (covariance: Covariance): ClusterBy =>
  (rows, options) => {
    const choice = chooseMixture(rows, { ...options, covariance })
    if (!isFit(choice)) return choice
    return { clusters: memberships(choice.mixture.posteriors, rows.rows, options.threshold ?? 0.1) }
  }

/** √(n/2) clusters (Mardia, Kent and Bibby 1979): without a likelihood there is no BIC to choose by. */
const byKmeans: ClusterBy = (rows, { seed = 0 }) => {
  if (rows.rows === 0) return { reason: 'there are no rows' }
  if (!rows.data.every(Number.isFinite)) return { reason: 'a number is not finite' }
  return { clusters: partitionOf(kmeans(rows, Math.ceil(Math.sqrt(rows.rows / 2)), { seed }).labels) }
}

const steps: Readonly<Record<Exclude<Step, 'consecutive'>, ClusterBy>> = {
  full: byMixture('full'),
  diag: byMixture('diag'),
  spherical: byMixture('spherical'),
  kmeans: byKmeans,
}

/** Ascending row numbers, and for a mixture component their posteriors. */
interface RowCluster {
  readonly rows: readonly number[]
  readonly posteriors?: readonly number[]
}

/** Every row is in at least one cluster; clusters are sorted by their first row. */
export type Clusters = readonly RowCluster[]

/**
 * Every row joins each component whose posterior exceeds the threshold, or the likeliest where none does (RAPTOR
 * section 3, its code's strict >). `posteriors` are rows x components. Empty components are omitted.
 */
export function memberships(posteriors: Float64Array, rows: number, threshold: number): Clusters {
  const components = rows === 0 ? 0 : posteriors.length / rows
  const members = Array.from({ length: components }, (): number[] => [])
  for (let row = 0; row < rows; row++) {
    const rowPosteriors = posteriors.subarray(row * components, (row + 1) * components)
    const likeliest = rowPosteriors.reduce((best, posterior, c) => (posterior > rowPosteriors[best]! ? c : best), 0)
    const anywhere = rowPosteriors[likeliest]! > threshold
    for (let c = 0; c < components; c++)
      if (anywhere ? rowPosteriors[c]! > threshold : c === likeliest) members[c]!.push(row)
  }
  return byFirstRow(
    members.map((memberRows, c) => ({
      rows: memberRows,
      posteriors: memberRows.map((row) => posteriors[row * components + c]!),
    })),
  )
}

/** The rows of every label. */
export function partitionOf(labels: ArrayLike<number>): Clusters {
  const clusters: number[][] = []
  for (let row = 0; row < labels.length; row++) (clusters[labels[row]!] ??= []).push(row)
  return byFirstRow(clusters.map((rows) => ({ rows })))
}

const byFirstRow = (clusters: Clusters): Clusters =>
  clusters.filter(({ rows }) => rows.length > 0).sort((a, b) => a.rows[0]! - b.rows[0]!)

export interface ChoiceOptions extends FitOptions {
  /** Exclusive upper bound of components, also bounded by the row count (RAPTOR: 50). */
  readonly maxComponents?: number
  /** `early`: up to rows / 2, stopping after 8 counts without improvement. `exhaustive`: all, as RAPTOR. */
  readonly search?: 'early' | 'exhaustive'
}

/** The mixture of least BIC, and the BIC of 1, 2, … components. */
export interface Choice {
  readonly mixture: Mixture
  readonly bics: readonly number[]
}

/** Counts without a better BIC before the early search stops (our reading). */
const patience = 8

/** Fits 1, 2, … components and takes the first of lowest BIC. Never throws: a failure is a `FitFailure`. */
export function chooseMixture(rows: Rows, options: ChoiceOptions = {}): Choice | FitFailure {
  const { maxComponents = 50, search = 'early' } = options
  const fit = mixtureFitter(rows, options)
  const most = Math.min(maxComponents, rows.rows) - 1
  const last = Math.max(1, search === 'early' ? Math.min(most, Math.floor(rows.rows / 2)) : most)
  const bics: number[] = []
  let best: Mixture | undefined
  let bestCount = 0
  for (let count = 1; count <= last; count++) {
    const mixture = fit(count)
    if (!isFit(mixture)) return mixture
    bics.push(mixture.bic)
    if (!best || mixture.bic < best.bic) [best, bestCount] = [mixture, count]
    if (search === 'early' && count - bestCount >= patience) break
  }
  return best ? { mixture: best, bics } : { reason: 'there are no rows' }
}
