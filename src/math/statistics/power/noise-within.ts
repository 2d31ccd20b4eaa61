import { mean } from '../sum.ts'
import { pooledVariance } from '../variance.ts'

/** Scores of a row, by question, repeat and judge run; as many of each as there are. */
export type NestedScores = readonly (readonly (readonly number[])[])[]

/** How a score of one question varies by chance; NaN where one repeat, or one judge run, says nothing of it. */
export interface NoiseWithin {
  /** Between repeats; with only one judge run what the judge adds is part of it. Negative where judge runs alone vary more: read as 0. */
  readonly repeats: number
  /** Between judge runs of one answer. */
  readonly judgeRuns: number
}

/** The variances within a question by nested analysis of variance: judge runs in repeats, repeats in questions; numbers of them may differ. */
export function noiseWithin(scores: NestedScores): NoiseWithin {
  const judgeRuns = pooledVariance(scores.flat())
  const means = pooledVariance(scores.map((repeats) => repeats.map((values) => mean(values))))
  return { repeats: means - orZero(judgeRuns) * shareOfRuns(scores.flat()), judgeRuns }
}

/** The variance by chance of a question's mean over so many repeats of so many judge runs each. */
export const noiseAt = (noise: NoiseWithin, repeats: number, judgeRuns: number): number =>
  noiseOf(noise, repeats, 1 / judgeRuns)

/** The same for the scores that there are, in the mean over questions. */
export const noiseOfMeans = (scores: NestedScores, noise: NoiseWithin): number =>
  mean(scores.map((own) => noiseOf(noise, own.length, shareOfRuns(own))))

const noiseOf = ({ repeats, judgeRuns }: NoiseWithin, count: number, share: number): number =>
  (Math.max(0, orZero(repeats)) + orZero(judgeRuns) * share) / count

/** The mean of 1 / judge runs. */
const shareOfRuns = (repeats: readonly (readonly number[])[]): number => mean(repeats.map(({ length }) => 1 / length))

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value)
