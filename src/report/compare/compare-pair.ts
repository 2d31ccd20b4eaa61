import { valueOf } from '../../basics/collections.ts'
import { errorOrNull, type MeanError } from '../../math/statistics/cr2.ts'
import { differences } from '../../math/statistics/descriptive.ts'
import { newcombePaired } from '../../math/statistics/proportions.ts'
import { clusteredMean } from '../gather/estimate.ts'
import type { ClusterOf, ScoredSide } from '../gather/observations.ts'

/** Level of all tests between rows. */
export const alpha = 0.05

/** Power of the minimum detectable difference. */
export const usualPower = 0.8

/** First minus second. Interval by CR2 and Student's t, or Newcombe's for independent binary scores. */
export interface MeanDifference extends MeanError {
  readonly difference: number
  /** Questions in which the first is above, equal to and below the second. */
  readonly win: number
  readonly tie: number
  readonly loss: number
}

/** Scores of two rows on their common questions, and their difference. */
export type SharedPair = NonNullable<ReturnType<typeof sharedPair>>

/** Undefined without a common question. */
export function sharedPair(first: ScoredSide, second: ScoredSide, clusterOf: ClusterOf) {
  const lead = differenceOf(first, second)
  const questions = [...lead.scores.keys()]
  if (questions.length === 0) return undefined
  const x = questions.map((question) => valueOf(first.scores, question))
  const y = questions.map((question) => valueOf(second.scores, question))
  const clusters = questions.map(clusterOf)
  const isYesOrNo = [x, y].every((values) => values.every((value) => value === 0 || value === 1))
  const binary = isYesOrNo && new Set(clusters).size === clusters.length
  const changes = differences(x, y)
  const { indexVariance, ...summary } = clusteredMean(changes, clusters, lead.repeats && [...lead.repeats.values()])
  const isByT = indexVariance !== undefined && indexVariance.deviation !== null
  const win = changes.filter((change) => change > 0).length
  const loss = changes.filter((change) => change < 0).length
  const tie = changes.length - win - loss
  const bothYes = x.filter((value, i) => value === 1 && y[i] === 1).length
  const newcombe = binary && !isByT && newcombePaired({ bothYes, onlyX: win, onlyY: loss, neither: tie - bothYes })
  return {
    questions,
    x,
    y,
    clusters,
    // scores are 0 or 1 and questions are independent: McNemar's test applies
    binary,
    // Added to the minimum detectable difference. With clusters, sign flips of 0 and 1 move in steps of 2 / n and ties
    // count against a difference; McNemar's falling variance makes up for it (`npm run bench tests`).
    step: isYesOrNo && !binary ? 1 / clusters.length : 0,
    estimate: {
      difference: summary.mean,
      ...errorOrNull(summary),
      ...(newcombe && { low: newcombe.low, high: newcombe.high }),
      win,
      tie,
      loss,
    },
    // whether the error includes between-index variance, which sign flips cannot
    isByT,
    ...(indexVariance && { indexVariance }),
  }
}

/**
 * First minus second on common questions; by repeat where either has several indexes, so that effects that rows share
 * cancel. A row without repeats has one score.
 */
export function differenceOf(first: ScoredSide, second: ScoredSide): ScoredSide {
  const questions = [...first.scores.keys()].filter((question) => second.scores.has(question))
  const scoreOf = (question: number) => valueOf(first.scores, question) - valueOf(second.scores, question)
  const scores = new Map(questions.map((question) => [question, scoreOf(question)]))
  const repeats = first.repeats ?? second.repeats
  if (!repeats) return { scores }
  const scoreAt = (side: ScoredSide, question: number, repeat: number) =>
    side.repeats ? side.repeats.get(question)?.get(repeat) : side.scores.get(question)
  const byRepeat = (question: number) =>
    [...(repeats.get(question)?.keys() ?? [])].flatMap((repeat) => {
      const x = scoreAt(first, question, repeat)
      const y = scoreAt(second, question, repeat)
      return x === undefined || y === undefined ? [] : [[repeat, x - y] as const]
    })
  const differencesByRepeat = questions.map((question) => [question, new Map(byRepeat(question))] as const)
  return { scores, repeats: new Map(differencesByRepeat) }
}
