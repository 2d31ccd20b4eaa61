import { mean } from './sum.ts'
import { pooledVariance, variance } from './variance.ts'

/** Where the variance of a mean over questions and runs comes from. */
export interface VarianceComponents {
  /** Of the true scores of questions; negative where runs differ more than questions: read as 0. */
  readonly betweenQuestions: number
  /** Of one question over runs. */
  readonly withinQuestion: number
  readonly varianceOfMean: number
}

/**
 * Variance components of a balanced table, a row a question and a column a run (one-way random effects): within = MSE, between =
 * (MSQ − MSE) / R, variance of the mean = MSQ / (nR). One run gives no `within`: NaN. Throws RangeError for rows of different lengths.
 */
export function varianceComponents(scores: readonly (readonly number[])[]): VarianceComponents {
  const runs = scores[0]?.length ?? 0
  if (runs === 0 || scores.some((row) => row.length !== runs)) throw new RangeError('every question needs as many runs')
  const n = scores.length
  const questions = runs * variance(scores.map((row) => mean(row)))
  const error = pooledVariance(scores)
  return {
    betweenQuestions: (questions - error) / runs,
    withinQuestion: error,
    varianceOfMean: questions / (n * runs),
  }
}
