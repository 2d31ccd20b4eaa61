import type { Covariance } from './mixture.ts'
import { log } from '../portable.ts'

/** What the number of free numbers of a mixture follows from. */
export interface Size {
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
export const bayesianInformation = (logLikelihood: number, rows: number, size: Size): number =>
  -2 * logLikelihood + freeNumbers(size) * log(rows)
