import { itemAt } from '../../basics/collections.ts'
import { around, cr2Mean, errorOrNull, type Cr2Mean, type MeanError } from '../../math/statistics/cr2.ts'
import { mean, variance as varianceOf } from '../../math/statistics/descriptive.ts'
import { betweenIndexVariance } from '../../math/statistics/between-index-variance.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import type { Row } from '../../records.ts'
import { valuesByRepeat, type ClusterOf, type QuestionScores } from './observations.ts'

/** A mean over questions with its uncertainty; null where scores do not determine a value. */
export interface Estimate {
  /** Mean over questions of means over repeats and judge runs; null without scores. */
  readonly mean: number | null
  /** Scored questions, and their clusters, such as questions on one text. */
  readonly n: number
  readonly clusters: number
  /** Share of questions in the largest cluster. */
  readonly largest: number
  /** CR2 standard error; includes between-index variance from three indexes on; null for fewer than two clusters. */
  readonly error: number | null
  /**
   * 95 % interval: Wilson's for independent binary scores, or clusters that are all right or all wrong; else Student's
   * t with Bell and McCaffrey's degrees of freedom.
   */
  readonly low: number | null
  readonly high: number | null
  /** Sample variance of repeat means over the questions with all repeats; null for fewer than two. */
  readonly repeats: number
  readonly repeatVariance: number | null
  /** Sample variance of judge run means, averaged over repeats; null for fewer than two. */
  readonly judgeRuns: number
  readonly judgeVariance: number | null
  /** Set where repeats have their own indexes. */
  readonly luck?: IndexVariance
}

/** Standard deviation of the mean between indexes; null where the error does not include it. */
export interface IndexVariance {
  readonly indexes: number
  readonly deviation: number | null
}

/**
 * Judge runs nest in repeats, and repeats in questions; with `ownIndexes`, a repeat is an index and crosses questions.
 */
export function estimate(scores: readonly QuestionScores[], clusterOf: ClusterOf, ownIndexes = false): Estimate {
  const runs = runsOf(scores)
  if (scores.length === 0) return { ...emptyEstimate, ...runs }
  const values = scores.map((question) => question.mean)
  const { indexVariance, ...summary } = clusteredMean(
    values,
    scores.map(({ question }) => clusterOf(question)),
    ownIndexes && runs.repeats > 1 ? scores.map(valuesByRepeat) : undefined,
  )
  const { mean: centre, n, clusters, largest } = summary
  const { error, ...interval } = errorOrNull(summary)
  const isYesOrNo = values.every((value) => value === 0 || value === 1)
  const isUniform = clusters === n || (error === null && clusters > 1)
  const { low, high } = isYesOrNo && isUniform ? wilson(Math.round(centre * clusters), clusters) : interval
  return {
    mean: centre,
    n,
    clusters,
    largest,
    error,
    low,
    high,
    ...runs,
    ...(indexVariance && { luck: indexVariance }),
  }
}

/**
 * Mean with its CR2 error. `repeats`: values by repeat, where each repeat has its own index; from three indexes on, the
 * error then includes the between-index variance.
 */
export function clusteredMean(
  values: readonly number[],
  clusters: readonly (string | number)[],
  repeats?: readonly ReadonlyMap<number, number>[],
): Cr2Mean & { readonly indexVariance?: IndexVariance } {
  const base = cr2Mean(values, clusters)
  if (!repeats) return base
  const { indexes, ...between } = betweenIndexVariance(
    base,
    repeats.map((ofQuestion, i) => ({ cluster: itemAt(clusters, i), values: ofQuestion })),
  )
  const { variance, error, degrees } = between
  if (variance === null || error === undefined || degrees === undefined)
    return { ...base, indexVariance: { indexes, deviation: null } }
  const indexVariance = { indexes, deviation: Math.sqrt(Math.max(0, variance)) }
  return { ...base, error, degrees, ...around(base.mean, { error, degrees }), indexVariance }
}

const emptyEstimate = { mean: null, n: 0, clusters: 0, largest: 0, error: null, low: null, high: null } as const

function runsOf(scores: readonly QuestionScores[]) {
  const runMeans = runMeansOf(scores)
  const repeats = runMeans.length
  // repeats must be compared on the same questions
  const complete = scores.filter((question) => valuesByRepeat(question).size === repeats)
  const commonMeans = complete.length === scores.length ? runMeans : runMeansOf(complete)
  const judgeRuns = Math.max(0, ...runMeans.map((means) => means.length))
  const judgeVariance = mean(runMeans.filter(({ length }) => length > 1).map(spread))
  return {
    repeats,
    repeatVariance: finiteOrNull(spread(commonMeans.map((means) => mean(means)))),
    judgeRuns,
    judgeVariance: finiteOrNull(judgeVariance),
  }
}

/** Means over questions, by repeat and judge run. */
function runMeansOf(scores: readonly QuestionScores[]): readonly (readonly number[])[] {
  const valuesOfRuns = new Map<number, number[][]>()
  for (const { values } of scores)
    for (const { repeat, run, value } of values) {
      const runs = valuesOfRuns.get(repeat) ?? []
      valuesOfRuns.set(repeat, runs)
      const valuesOfRun = (runs[run] ??= [])
      valuesOfRun.push(value)
    }
  // a run without a value is a gap
  return Array.from(valuesOfRuns.values(), (runs) => Object.values(runs).map((values) => mean(values)))
}

/** Subtracts the first, so that equal means have variance 0 despite rounding. */
const spread = (means: readonly number[]) => varianceOf(means.map((value) => value - (means[0] ?? 0)))

export const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** A mean over questions by human labels. */
export interface HumanMean {
  /** Number of labelled questions. */
  readonly labelled: number
  /** Null without labels. */
  readonly human: number | null
  /** PPI++ estimate from labels and all judge scores; null for too few labels. */
  readonly corrected: CorrectedMean | null
}

/** The error is null where labels do not determine it. */
export interface CorrectedMean extends MeanError {
  readonly mean: number
  /** Weight of the judge, 0 to 1. */
  readonly lambda: number
}

/** A value of the table. Scores are fractions; null without scores. */
export interface Cell extends Row, Estimate {
  readonly dataset: string
  readonly scorer: string
  readonly metric: string
  /** `all`, a tag of the questions, or a subset from the scorer. */
  readonly subset: string
  /** Failed scores, including those of failed trials. */
  readonly failed: number
  /** The mean if failed questions had the least or the greatest score; null for unbounded metrics. */
  readonly least: number | null
  readonly greatest: number | null
  /** Skipped answers: the largest number of any run. */
  readonly skipped: number
  /** Set where labels were given. */
  readonly people?: HumanMean
}
