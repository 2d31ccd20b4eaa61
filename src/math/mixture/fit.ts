import { diagonal, type Family, type Regularisation, spherical, full } from './family.ts'
import { expectation, hardPosteriors, maximisation, statisticsOf, type Statistics } from './em.ts'
import { fromPanels, type Panel, type Rows } from '../kernels.ts'
import { partitioner } from './partitions.ts'
import { centreRows } from '../pca.ts'
import { log } from '../portable.ts'

export interface FitOptions {
  readonly covariance?: Covariance
  readonly seed?: number
  /**
   * Regularisation of covariances. `floor`: variances have a floor relative to the data, and components of fewer than
   * 1.5 rows are dropped (our reading). `scikit-learn`: 1e-6 is added to every diagonal, no component that explains a
   * row is dropped, and a singular covariance is a failure.
   */
  readonly regularisation?: 'floor' | 'scikit-learn'
}

/** The covariance structure: full, a variance per column, or one variance for all. */
export type Covariance = 'full' | 'diag' | 'spherical'

const families: Readonly<Record<Covariance, Family>> = { full, diag: diagonal, spherical }

/** Column limit of full covariances: above, one has over 2000 parameters (our reading). */
const mostFullColumns = 64

/** A fitted Gaussian mixture. */
export interface Mixture {
  /** After dropping components that explain less than 1.5 rows. */
  readonly components: number
  /** rows x components; each row sums to 1. */
  readonly posteriors: Float64Array
  /** Log-likelihoods since a component was last dropped: non-decreasing without a ridge. */
  readonly trace: readonly number[]
  readonly bic: number
}

export interface FitFailure {
  readonly reason: string
}

export const isFit = <T extends object>(outcome: T | FitFailure): outcome is T => !('reason' in outcome)

/**
 * Fits Gaussian mixtures with up to `components` components: EM in float64 from a k-means partition (Dempster, Laird
 * and Rubin 1977). Never throws: a failure is a `FitFailure`.
 */
export function mixtureFitter(rows: Rows, options: FitOptions = {}): (components: number) => Mixture | FitFailure {
  const { covariance = 'diag', seed = 0, regularisation: kind = 'floor' } = options
  const points = centreRows(rows)
  const squares = points.data.reduce((sum, value) => sum + value * value, 0)
  const meanVariance = squares / Math.max(1, points.data.length)
  const reason = findObstacle(points, meanVariance, covariance)
  if (reason !== undefined) return () => ({ reason })
  const statistics = statisticsOf(points, families[covariance])
  const partition = partitioner(points, seed)
  const regularisations = kind === 'floor' ? floorsOf(meanVariance) : [{ floor: 0, ridge: regCovar }]
  return (components) => {
    const { labels, clusters } = partition(components)
    for (const regularisation of regularisations) {
      const mixture = runEm(statistics, hardPosteriors(labels, clusters), regularisation)
      if (mixture) return mixture
    }
    return { reason: `no ${covariance} covariance of ${components} components is positive definite` }
  }
}

function findObstacle({ rows, columns }: Rows, meanVariance: number, covariance: Covariance): string | undefined {
  if (rows === 0) return 'there are no rows'
  if (!Number.isFinite(meanVariance)) return 'the variance of the rows is not finite'
  if (covariance === 'full' && columns > mostFullColumns) return `${columns} columns are too many for a full covariance`
  return undefined
}

/** scikit-learn's `reg_covar`. */
const regCovar = 1e-6

/** Six variance floors to try, each ten times the previous one; 1e-6 and 1e-4 of the mean variance: our reading. */
function floorsOf(meanVariance: number): readonly Regularisation[] {
  const least = Math.max(1e-6, 1e-4 * meanVariance)
  return [1, 10, 100, 1e3, 1e4, 1e5].map((factor) => ({ floor: factor * least, ridge: 0 }))
}

/** Convergence threshold on the mean log-likelihood per row, and iteration limit (scikit-learn). */
const tolerance = 1e-3
const maxIterations = 100

/** Components that explain fewer rows are dropped (our reading). */
const leastRows = 1.5

/** A component with fewer rows is empty. */
const noRows = 1e-12

/**
 * EM. With a variance floor, components that explain few rows are dropped,
 * and the trace begins again. As scikit-learn's GaussianMixture, it has a
 * ridge on every variance, drops empty components alone, and takes one
 * more M step after convergence. Undefined on a failure.
 */
function runEm(statistics: Statistics, start: readonly Panel[], regularisation: Regularisation): Mixture | undefined {
  const isReference = regularisation.ridge > 0
  const { rows } = statistics.table
  const least = tolerance * rows
  let posteriors = start
  let before = Infinity
  let trace: number[] = []
  let isLast = false
  for (let iteration = 1; ; iteration++) {
    const components = maximisation(statistics, posteriors, regularisation, isReference ? noRows : leastRows)
    if (!components) return undefined
    const count = components.length
    if (!isReference && count < before) trace = []
    before = count
    const eStep = expectation(statistics, components, posteriors)
    if (!Number.isFinite(eStep.logLikelihood)) return undefined
    posteriors = eStep.posteriors
    const gain = eStep.logLikelihood - (trace.at(-1) ?? -Infinity)
    trace.push(eStep.logLikelihood)
    const isSettled = (isReference ? Math.abs(gain) : gain) < least || iteration >= maxIterations
    if (isLast || (isSettled && !isReference)) {
      const bic = -2 * eStep.logLikelihood + parametersOf(statistics, count) * log(rows)
      return { components: count, posteriors: fromPanels(posteriors, rows, count), trace, bic }
    }
    isLast = isSettled
  }
}

/** The number of free parameters of a mixture: weights that sum to 1, means, covariances. */
const parametersOf = ({ family, dimensions }: Statistics, components: number): number =>
  components - 1 + components * (dimensions + family.size(dimensions))
