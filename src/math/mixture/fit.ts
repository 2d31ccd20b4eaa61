import { diagonal, type Family, type Regularisation, spherical, full } from './family.ts'
import {
  hardPosteriors,
  expectation,
  maximisation,
  type Component,
  centreRows,
  statisticsOf,
  type Points,
  type Statistics,
} from './em.ts'
import { fromPanels, type Panel, type Rows } from '../kernels.ts'
import { partitioner } from './partitions.ts'
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

const families: Readonly<Record<Covariance, Family>> = { full, diag: diagonal, spherical }

/** scikit-learn's `reg_covar`. */
const regCovar = 1e-6

/** Variance floors to try, each ten times the previous one. */
const floors = 6

/** Column limit of full covariances: above, one has over 2000 parameters (our reading). */
const mostFullColumns = 64

/**
 * Fits Gaussian mixtures with up to `components` components: EM in float64 from a k-means partition (Dempster, Laird
 * and Rubin 1977). Never throws: a failure is a `FitFailure`.
 */
export function mixtureFitter(rows: Rows, options: FitOptions = {}): (components: number) => Mixture | FitFailure {
  const { covariance = 'diag', seed = 0, regularisation = 'floor' } = options
  const points = centreRows(rows)
  const reason = findObstacle(points, covariance)
  if (reason !== undefined) return () => ({ reason })
  const statistics = statisticsOf(points, families[covariance])
  const partition = partitioner(points, seed)
  return (components) => {
    const { labels, clusters } = partition(components)
    const reason = `no ${covariance} covariance of ${components} components is positive definite`
    if (regularisation === 'scikit-learn') {
      const solution = runEm(statistics, hardPosteriors(labels, clusters), { floor: 0, ridge: regCovar })
      return solution ? describe(solution, points, { covariance, floor: regCovar }) : { reason }
    }
    // 1e-6 and 1e-4 of the mean variance: our reading
    let floor = Math.max(1e-6, 1e-4 * points.meanVariance)
    for (let attempt = 0; attempt < floors; attempt++, floor *= 10) {
      const solution = runEm(statistics, hardPosteriors(labels, clusters), { floor, ridge: 0 })
      if (solution) return describe(solution, points, { covariance, floor })
    }
    return { reason }
  }
}

function findObstacle({ rows, columns, meanVariance }: Points, covariance: Covariance): string | undefined {
  if (rows === 0) return 'there are no rows'
  if (!Number.isFinite(meanVariance)) return 'the variance of the rows is not finite'
  if (covariance === 'full' && columns > mostFullColumns) return `${columns} columns are too many for a full covariance`
  return undefined
}

function describe(
  { components, posteriors, trace }: EmSolution,
  { rows, columns, centre }: Points,
  { covariance, floor }: Pick<Mixture, 'covariance' | 'floor'>,
): Mixture {
  const count = components.length
  const means = new Float64Array(count * columns)
  for (const [c, component] of components.entries()) {
    for (let j = 0; j < columns; j++) means[c * columns + j] = component.means[1 + j]! + centre[j]!
  }
  const logLikelihood = trace.at(-1)!
  return {
    covariance,
    components: count,
    weights: Float64Array.from(components, ({ weight }) => weight),
    means,
    posteriors: fromPanels(posteriors, rows, count),
    logLikelihood,
    trace,
    bic: bayesianInformation(logLikelihood, rows, { covariance, components: count, columns }),
    floor,
  }
}

/** The covariance structure: full, a variance per column, or one variance for all. */
export type Covariance = 'full' | 'diag' | 'spherical'

/** A fitted Gaussian mixture. */
export interface Mixture {
  readonly covariance: Covariance
  /** After dropping components that explain less than 1.5 rows. */
  readonly components: number
  readonly weights: Float64Array
  /** components x columns */
  readonly means: Float64Array
  /** rows x components; each row sums to 1. */
  readonly posteriors: Float64Array
  readonly logLikelihood: number
  /** Log-likelihoods since a component was last dropped: non-decreasing without a ridge. */
  readonly trace: readonly number[]
  readonly bic: number
  /** No variance in any direction is below it. */
  readonly floor: number
}

export interface FitFailure {
  readonly reason: string
}

export const isFit = <T extends object>(outcome: T | FitFailure): outcome is T => !('reason' in outcome)

/** Determines the parameter count of a mixture. */
interface Size {
  readonly covariance: Covariance
  readonly components: number
  readonly columns: number
}

/** Parameters of one covariance of d columns. */
const ofCovariance: Readonly<Record<Covariance, (d: number) => number>> = {
  full: (d) => (d * (d + 1)) / 2,
  diag: (d) => d,
  spherical: () => 1,
}

/** Parameters of a mixture: weights that sum to 1, means, covariances. */
const freeNumbers = ({ covariance, components, columns }: Size): number =>
  components - 1 + components * (columns + ofCovariance[covariance](columns))

/** Schwarz's criterion, -2 log L + p ln n; lower is better. */
const bayesianInformation = (logLikelihood: number, rows: number, size: Size): number =>
  -2 * logLikelihood + freeNumbers(size) * log(rows)

/** Converged components, their posteriors and the log-likelihood trace. */
interface EmSolution {
  readonly components: readonly Component[]
  readonly posteriors: readonly Panel[]
  readonly trace: readonly number[]
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
function runEm(
  statistics: Statistics,
  start: readonly Panel[],
  regularisation: Regularisation,
): EmSolution | undefined {
  const isReference = regularisation.ridge > 0
  const least = tolerance * statistics.table.rows
  let posteriors = start
  let before = Infinity
  let trace: number[] = []
  let isLast = false
  for (let iteration = 1; ; iteration++) {
    const components = maximisation(statistics, posteriors, regularisation, isReference ? noRows : leastRows)
    if (!components) return undefined
    if (!isReference && components.length < before) trace = []
    before = components.length
    const eStep = expectation(statistics, components, posteriors)
    if (!Number.isFinite(eStep.logLikelihood)) return undefined
    posteriors = eStep.posteriors
    const gain = eStep.logLikelihood - (trace.at(-1) ?? -Infinity)
    trace.push(eStep.logLikelihood)
    const isSettled = (isReference ? Math.abs(gain) : gain) < least || iteration >= maxIterations
    if (isLast || (isSettled && !isReference)) return { components, posteriors, trace }
    isLast = isSettled
  }
}
