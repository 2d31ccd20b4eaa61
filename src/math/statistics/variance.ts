import { mean, sum } from './sum.ts'

/** Mean squared distance from the mean; `freedom` is what is taken from n: 1 for a sample (NaN for one value), 0 for a population. */
export function variance(values: readonly number[], freedom: 0 | 1 = 1): number {
  const centre = mean(values)
  return values.length <= freedom ? NaN : sum(values.map((value) => (value - centre) ** 2)) / (values.length - freedom)
}

/** Square root of the sample variance. */
export const standardDeviation = (values: readonly number[]): number => Math.sqrt(variance(values))

/** The variance within groups: their squared distances from their own means over the sum of n - 1; NaN where no group has two values. */
export function pooledVariance(groups: readonly (readonly number[])[]): number {
  const several = groups.filter(({ length }) => length > 1)
  const freedom = sum(several.map(({ length }) => length - 1))
  return freedom === 0 ? NaN : sum(several.map((group) => variance(group, 0) * group.length)) / freedom
}
