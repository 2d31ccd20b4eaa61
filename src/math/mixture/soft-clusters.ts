import { isFit, type Covariance, type Unfit, mixtureFitter, type FitOptions, type Mixture } from './fit.ts'
import type { Rows } from '../kernels.ts'
import { kmeans } from '../kmeans.ts'

/** Ways to cluster, the least demanding last. Consecutive groups of rows are the caller's to make. */
type Step = Covariance | 'kmeans' | 'consecutive'

/** A step that could not be taken, the one taken in its place, and why. */
export interface Fallback {
  readonly from: Step
  readonly to: Step
  readonly reason: string
}

interface SoftClusterOptions extends ChoiceOptions {
  /** A row belongs to every component with a posterior above this. */
  readonly threshold?: number
}

/** Clusters and how they came about. There are none where `by` is 'consecutive'. */
interface SoftClusters {
  readonly clusters: Clusters
  readonly by: Step
  readonly fallbacks: readonly Fallback[]
}

/** What one step makes of the rows. */
type ClusterBy = (rows: Rows, options: SoftClusterOptions) => Pick<SoftClusters, 'clusters'> | Unfit

/**
 * Overlapping clusters by a Gaussian mixture whose size BIC chooses. Never throws: where a step fails the next is
 * taken, from the covariance asked for over diag and spherical to k-means and at last to nothing, and each of these
 * falls is told.
 */
export function softClusters(rows: Rows, options: SoftClusterOptions = {}, steps = standardSteps): SoftClusters {
  const order: readonly (keyof typeof steps)[] = ['full', 'diag', 'spherical', 'kmeans']
  const fallbacks: Fallback[] = []
  for (let i = order.indexOf(options.covariance ?? 'diag'); i < order.length; i++) {
    const by = order[i]!
    const found = steps[by](rows, options)
    if (isFit(found)) return { ...found, by, fallbacks }
    fallbacks.push({ from: by, to: order[i + 1] ?? 'consecutive', reason: found.reason })
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

/** The steps by name; a test may put a failing one in their place. */
export const standardSteps: Readonly<Record<Exclude<Step, 'consecutive'>, ClusterBy>> = {
  full: byMixture('full'),
  diag: byMixture('diag'),
  spherical: byMixture('spherical'),
  kmeans: byKmeans,
}

/** Row numbers, rising, and where the cluster is a component of a mixture the posterior of each of them in it. */
interface RowCluster {
  readonly rows: readonly number[]
  readonly posteriors?: readonly number[]
}

/** A row may stand in several clusters and stands in one at least; clusters rise by their first row. */
export type Clusters = readonly RowCluster[]

/**
 * Every row joins each component whose posterior exceeds the threshold, or the likeliest where none does (RAPTOR
 * section 3, its code's strict >). `posteriors` are rows x components. Components without rows are left out.
 */
export function memberships(posteriors: Float64Array, rows: number, threshold: number): Clusters {
  const components = rows === 0 ? 0 : posteriors.length / rows
  const joined = Array.from({ length: components }, (): number[] => [])
  for (let row = 0; row < rows; row++) {
    const own = posteriors.subarray(row * components, (row + 1) * components)
    const likeliest = own.reduce((best, posterior, c) => (posterior > own[best]! ? c : best), 0)
    const anywhere = own[likeliest]! > threshold
    for (let c = 0; c < components; c++) if (anywhere ? own[c]! > threshold : c === likeliest) joined[c]!.push(row)
  }
  return byFirstRow(
    joined.map((own, c) => ({ rows: own, posteriors: own.map((row) => posteriors[row * components + c]!) })),
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
  /** Fewer components than this are tried, and fewer than rows (RAPTOR: 50). */
  readonly maxComponents?: number
  /** `early`: at most rows / 2, and no more after 8 counts that were no better. `exhaustive`: all, as RAPTOR. */
  readonly search?: 'early' | 'exhaustive'
}

/** The mixture of least BIC, and the BIC of 1, 2, … components. */
export interface Choice {
  readonly mixture: Mixture
  readonly bics: readonly number[]
}

/** Counts without a better BIC after which the early search ends (our reading). */
const patience = 8

/** Fits 1, 2, … components and takes the first of least BIC. Never throws: what cannot be fitted is an `Unfit`. */
export function chooseMixture(rows: Rows, options: ChoiceOptions = {}): Choice | Unfit {
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
