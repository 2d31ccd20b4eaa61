import { chooseMixture, type ChoiceOptions } from './select-components.ts'
import { memberships, partitionOf, type Clusters } from './memberships.ts'
import { isFit, type Covariance, type Unfit } from './mixture.ts'
import type { Rows } from '../kernels.ts'
import { kmeans } from '../kmeans.ts'

/** Ways to cluster, the least demanding last. Consecutive groups of rows are the caller's to make. */
export type Step = Covariance | 'kmeans' | 'consecutive'

/** A step that could not be taken, the one taken in its place, and why. */
export interface Fallback {
  readonly from: Step
  readonly to: Step
  readonly reason: string
}

export interface SoftClusterOptions extends ChoiceOptions {
  /** A row belongs to every component with a posterior above this. */
  readonly threshold?: number
}

/** Clusters and how they came about. There are none where `by` is 'consecutive'. */
export interface SoftClusters {
  readonly clusters: Clusters
  readonly by: Step
  readonly fallbacks: readonly Fallback[]
}

/** What one step makes of the rows. */
export type ClusterBy = (rows: Rows, options: SoftClusterOptions) => Pick<SoftClusters, 'clusters'> | Unfit

/**
 * Overlapping clusters by a Gaussian mixture whose size BIC chooses. Never throws: where a step fails the next is taken, from
 * the covariance asked for over diag and spherical to k-means and at last to nothing, and each of these falls is told.
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
