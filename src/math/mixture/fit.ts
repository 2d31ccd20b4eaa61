import { diagonal, type Family, spherical, full } from './family.ts'
import {
  certain,
  expectation,
  maximisation,
  type Component,
  centred,
  statisticsOf,
  type Points,
  type Statistics,
} from './em.ts'
import { unpanelled, type Panel, type Rows } from '../kernels.ts'
import { partitioner } from './partitions.ts'
import { log } from '../portable.ts'

export interface FitOptions {
  readonly covariance?: Covariance
  readonly seed?: number
  /**
   * How small components are kept from covariances without an inverse. `floor`: no variance is below a floor that
   * follows the data, and components of fewer than 1.5 rows are dropped (our reading). `scikit-learn`: 1e-6 is added to
   * the diagonal of every covariance, no component that explains a row is dropped, and a covariance that has no inverse
   * all the same is a failure.
   */
  readonly regularisation?: 'floor' | 'scikit-learn'
}

const families: Readonly<Record<Covariance, Family>> = { full, diag: diagonal, spherical }

/** scikit-learn's `reg_covar`. */
const regCovar = 1e-6

/** Floors of the variances that are tried, each ten times the one before. */
const floors = 6

/** More columns than this are not given a full covariance: it would have over 2000 free numbers (our reading). */
const mostFullColumns = 64

/**
 * Gaussian mixtures of so many components, or of fewer where rows are few or alike: EM in float64 from a k-means
 * partition (Dempster, Laird and Rubin 1977). Never throws: what cannot be fitted is an `Unfit`.
 */
export function mixtureFitter(rows: Rows, options: FitOptions = {}): (components: number) => Mixture | Unfit {
  const { covariance = 'diag', seed = 0, regularisation = 'floor' } = options
  const points = centred(rows)
  const reason = obstacle(points, covariance)
  if (reason !== undefined) return () => ({ reason })
  const statistics = statisticsOf(points, families[covariance])
  const partition = partitioner(points, seed)
  return (components) => {
    const { labels, clusters } = partition(components)
    const reason = `no ${covariance} covariance of ${components} components is positive definite`
    if (regularisation === 'scikit-learn') {
      const climbed = climbAsReference(statistics, certain(labels, clusters), regCovar)
      return climbed ? describe(climbed, points, { covariance, floor: regCovar }) : { reason }
    }
    // 1e-6 and 1e-4 of the mean variance: our reading
    let floor = Math.max(1e-6, 1e-4 * points.meanVariance)
    for (let attempt = 0; attempt < floors; attempt++, floor *= 10) {
      const climbed = climb(statistics, certain(labels, clusters), floor)
      if (climbed) return describe(climbed, points, { covariance, floor })
    }
    return { reason }
  }
}

function obstacle({ rows, columns, meanVariance }: Points, covariance: Covariance): string | undefined {
  if (rows === 0) return 'there are no rows'
  if (!Number.isFinite(meanVariance)) return 'the variance of the rows is not finite'
  if (covariance === 'full' && columns > mostFullColumns) return `${columns} columns are too many for a full covariance`
  return undefined
}

function describe(
  { components, posteriors, trace }: Climbed,
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
    posteriors: unpanelled(posteriors, rows, count),
    logLikelihood,
    trace,
    bic: bayesianInformation(logLikelihood, rows, { covariance, components: count, columns }),
    floor,
  }
}

/** What is free in a covariance: everything, the variance of every column, or one variance for all. */
export type Covariance = 'full' | 'diag' | 'spherical'

/** A fitted Gaussian mixture. */
export interface Mixture {
  readonly covariance: Covariance
  /** Those left: a component that explains less than 1.5 rows is dropped while fitting. */
  readonly components: number
  readonly weights: Float64Array
  /** components x columns */
  readonly means: Float64Array
  /** The chance that a row came from a component: rows x components, summing to 1 in a row. */
  readonly posteriors: Float64Array
  readonly logLikelihood: number
  /** The log-likelihood since a component was last dropped: it never falls, unless variances are added to. */
  readonly trace: readonly number[]
  readonly bic: number
  /** No variance in any direction is below it. */
  readonly floor: number
}

/** Why nothing could be fitted. */
export interface Unfit {
  readonly reason: string
}

/** Whether there is a mixture. */
export const isFit = <T extends object>(outcome: T | Unfit): outcome is T => !('reason' in outcome)

/** What the number of free numbers of a mixture follows from. */
interface Size {
  readonly covariance: Covariance
  readonly components: number
  readonly columns: number
}

/** Free numbers of one covariance of d columns. */
const ofCovariance: Readonly<Record<Covariance, (d: number) => number>> = {
  full: (d) => (d * (d + 1)) / 2,
  diag: (d) => d,
  spherical: () => 1,
}

/** Free numbers of a mixture: weights that sum to 1, means, covariances. */
export const freeNumbers = ({ covariance, components, columns }: Size): number =>
  components - 1 + components * (columns + ofCovariance[covariance](columns))

/** Schwarz's criterion, -2 log L + p ln n: the less the better. */
const bayesianInformation = (logLikelihood: number, rows: number, size: Size): number =>
  -2 * logLikelihood + freeNumbers(size) * log(rows)

/** Where EM ended: the components, and the posteriors and log-likelihood that follow from them. */
interface Climbed {
  readonly components: readonly Component[]
  readonly posteriors: readonly Panel[]
  readonly trace: readonly number[]
}

/** EM ends by the gain of log-likelihood per row, or so many iterations (scikit-learn). */
const [tolerance, maxIterations] = [1e-3, 100]

/** Components that explain less than this many rows are dropped (our reading). */
const leastRows = 1.5

/** EM until it gains too little, with no variance below the floor. Undefined on a failure. */
function climb(statistics: Statistics, start: readonly Panel[], floor: number): Climbed | undefined {
  let posteriors = start
  let before = Infinity
  let trace: number[] = []
  for (let iteration = 1; ; iteration++) {
    const components = maximisation(statistics, posteriors, { floor, added: 0 }, leastRows)
    if (!components) return undefined
    if (components.length < before) trace = []
    before = components.length
    const expected = expectation(statistics, components, posteriors)
    if (!Number.isFinite(expected.logLikelihood)) return undefined
    posteriors = expected.posteriors
    const gain = expected.logLikelihood - (trace.at(-1) ?? -Infinity)
    trace.push(expected.logLikelihood)
    if (gain < tolerance * statistics.table.rows || iteration >= maxIterations) return { components, posteriors, trace }
  }
}

/** A component of fewer rows explains none: it is not in the mixture any more. */
const noRows = 1e-12

/**
 * EM as scikit-learn's GaussianMixture does it: a number is added to every variance, no component that explains a row
 * is dropped, and after the iteration that changes too little the components are estimated once more. Undefined on a
 * failure.
 */
function climbAsReference(statistics: Statistics, start: readonly Panel[], added: number): Climbed | undefined {
  const estimated = (posteriors: readonly Panel[]) => maximisation(statistics, posteriors, { floor: 0, added }, noRows)
  const trace: number[] = []
  let components = estimated(start)
  let posteriors = start
  let ended = false
  for (let iteration = 1; components; iteration++) {
    const expected = expectation(statistics, components, posteriors)
    if (!Number.isFinite(expected.logLikelihood)) return undefined
    posteriors = expected.posteriors
    const change = expected.logLikelihood - (trace.at(-1) ?? -Infinity)
    trace.push(expected.logLikelihood)
    // the iterations are over: this was the expectation under what the last of them estimated
    if (iteration > maxIterations || ended) return { components, posteriors, trace }
    ended = Math.abs(change) < tolerance * statistics.table.rows
    components = estimated(posteriors)
  }
  return undefined
}
