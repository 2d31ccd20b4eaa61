import { partitioner } from '../kmeans.ts'
import { lanes } from '../spectrum/kernels.ts'
import type { Panel, Rows } from '../spectrum/products.ts'
import { bayesianInformation } from './bic.ts'
import { diagonal } from './diagonal.ts'
import { certain, expectation, maximisation, type Component } from './em.ts'
import type { Family } from './family.ts'
import { full } from './full.ts'
import type { Covariance, Mixture, Unfit } from './mixture.ts'
import { spherical } from './spherical.ts'
import { centred, statisticsOf, type Points, type Statistics } from './statistics.ts'

export interface FitOptions {
  readonly covariance?: Covariance
  readonly seed?: number
  /** The gain of log-likelihood per row below which EM ends (scikit-learn). */
  readonly tolerance?: number
  readonly maxIterations?: number
}

const families: Readonly<Record<Covariance, Family>> = { full, diag: diagonal, spherical }

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
  const { covariance = 'diag', seed = 0 } = options
  const points = centred(rows)
  const reason = obstacle(points, covariance)
  if (reason !== undefined) return () => ({ reason })
  const statistics = statisticsOf(points, families[covariance])
  const partition = partitioner(points, { seed })
  return (components) => {
    const { labels, clusters } = partition(components)
    // 1e-6 and 1e-4 of the mean variance: our reading
    let floor = Math.max(1e-6, 1e-4 * points.meanVariance)
    for (let attempt = 0; attempt < floors; attempt++, floor *= 10) {
      const climbed = climb(statistics, certain(labels, clusters), floor, options)
      if (climbed) return describe(climbed, points, { covariance, floor })
    }
    return { reason: `no ${covariance} covariance of ${components} components is positive definite` }
  }
}

function obstacle({ rows, columns, meanVariance }: Points, covariance: Covariance): string | undefined {
  if (rows === 0) return 'there are no rows'
  if (!Number.isFinite(meanVariance)) return 'the variance of the rows is not finite'
  if (covariance === 'full' && columns > mostFullColumns) return `${columns} columns are too many for a full covariance`
  return undefined
}

interface Climbed {
  readonly components: readonly Component[]
  readonly posteriors: readonly Panel[]
  readonly trace: readonly number[]
}

/** EM until it gains too little. Undefined on a failure. */
function climb(
  statistics: Statistics,
  start: readonly Panel[],
  floor: number,
  options: FitOptions,
): Climbed | undefined {
  const { tolerance = 1e-3, maxIterations = 100 } = options
  let posteriors = start
  let before = Infinity
  let trace: number[] = []
  for (let iteration = 1; ; iteration++) {
    const components = maximisation(statistics, posteriors, floor)
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
