import { bayesianInformation } from './bic.ts'
import { diagonal } from './diagonal.ts'
import { climb, climbAsReference } from './climb.ts'
import type { Climbed } from './climb.ts'
import { certain } from './em.ts'
import type { Family } from './family.ts'
import { full } from './full.ts'
import type { Covariance, Mixture, Unfit } from './mixture.ts'
import { spherical } from './spherical.ts'
import { centred, statisticsOf, type Points } from './statistics.ts'
import { lanes, type Panel, type Rows } from '../kernels.ts'
import { partitioner } from '../kmeans.ts'

export interface FitOptions {
  readonly covariance?: Covariance
  readonly seed?: number
  /** The gain of log-likelihood per row below which EM ends (scikit-learn). */
  readonly tolerance?: number
  readonly maxIterations?: number
  /**
   * How small components are kept from covariances without an inverse. `floor`: no variance is below a floor that follows the data, and
   * components of fewer than 1.5 rows are dropped (our reading). `scikit-learn`: 1e-6 is added to the diagonal of every covariance, no
   * component that explains a row is dropped, and a covariance that has no inverse all the same is a failure.
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

/** Fits one number of components after another to the same rows. */
export type Fitter = (components: number) => Mixture | Unfit

/**
 * A Gaussian mixture of so many components, or of fewer where rows are few or alike: EM in float64 from a k-means partition
 * (Dempster, Laird and Rubin 1977). Never throws: what cannot be fitted is an `Unfit`.
 */
export const fitMixture = (rows: Rows, components: number, options: FitOptions = {}): Mixture | Unfit =>
  mixtureFitter(rows, options)(components)

/** The same for several numbers of components. */
export function mixtureFitter(rows: Rows, options: FitOptions = {}): Fitter {
  const { covariance = 'diag', seed = 0, regularisation = 'floor' } = options
  const points = centred(rows)
  const reason = obstacle(points, covariance)
  if (reason !== undefined) return () => ({ reason })
  const statistics = statisticsOf(points, families[covariance])
  const partition = partitioner(points, { seed })
  return (components) => {
    const { labels, clusters } = partition(components)
    const reason = `no ${covariance} covariance of ${components} components is positive definite`
    if (regularisation === 'scikit-learn') {
      const climbed = climbAsReference(statistics, certain(labels, clusters), regCovar, options)
      return climbed ? describe(climbed, points, { covariance, floor: regCovar }) : { reason }
    }
    // 1e-6 and 1e-4 of the mean variance: our reading
    let floor = Math.max(1e-6, 1e-4 * points.meanVariance)
    for (let attempt = 0; attempt < floors; attempt++, floor *= 10) {
      const climbed = climb(statistics, certain(labels, clusters), floor, options)
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
    posteriors: byRow(posteriors, rows, count),
    logLikelihood,
    trace,
    bic: bayesianInformation(logLikelihood, rows, { covariance, components: count, columns }),
    floor,
  }
}

/** Rows x columns, from four columns to a panel. */
function byRow(panels: readonly Panel[], rows: number, columns: number): Float64Array {
  const values = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < columns; c++)
      values[row * columns + c] = panels[Math.floor(c / lanes)]![lanes * row + (c % lanes)]!
  }
  return values
}
