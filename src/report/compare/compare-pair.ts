import { valueOf } from '../../basics/collections.ts'
import { cr2Difference, errorOrNull, type MeanError } from '../../math/statistics/cr2.ts'
import { differences } from '../../math/statistics/descriptive.ts'
import { studentOutside } from '../../math/statistics/distributions.ts'
import { mcnemar } from '../../math/statistics/paired-tests.ts'
import { newcombePaired } from '../../math/statistics/proportions.ts'
import { clusterSignFlips } from '../../math/statistics/sign-flips.ts'
import { type QuestionScores, valuesByRepeat, addIndexVariance, type IndexVariance } from '../gather/estimate.ts'

/** Level of all tests between rows. */
export const alpha = 0.05

/** Power of the minimum detectable difference. */
export const usualPower = 0.8

/** Scores of a row by question, and by repeat where each repeat has its own index. */
export interface ScoredSide<Q = number> {
  readonly scores: ReadonlyMap<Q, number>
  readonly repeats?: ReadonlyMap<Q, ReadonlyMap<number, number>>
}

export const scoredSide = (scores: readonly QuestionScores[], hasOwnIndexes: boolean): ScoredSide => ({
  scores: new Map(scores.map(({ question, mean }) => [question, mean])),
  ...(hasOwnIndexes && {
    repeats: new Map(scores.map((questionScores) => [questionScores.question, valuesByRepeat(questionScores)])),
  }),
})

/** First minus second, without a test. Interval by CR2 and Student's t, or Newcombe's for independent binary scores. */
export interface MeanDifference extends MeanError {
  readonly difference: number
  /** Questions in which the first is above, equal to and below the second. */
  readonly win: number
  readonly tie: number
  readonly loss: number
}

/** Scores `x` and `y` of two rows on their common questions. */
export interface SharedPair<Q = number> {
  readonly questions: readonly Q[]
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly clusters: readonly (string | number)[]
  /** Scores are 0 or 1 and questions are independent: McNemar's test applies. */
  readonly binary: boolean
  /**
   * Added to the minimum detectable difference. With clusters, sign flips of 0 and 1 move in steps of 2 / n and ties
   * count against a difference; McNemar's falling variance makes up for it (`npm run bench tests`).
   */
  readonly step: number
  readonly estimate: MeanDifference
  /** Whether the error includes between-index variance, which sign flips cannot. */
  readonly isByT: boolean
  /** Set where a row has several indexes. */
  readonly indexVariance?: IndexVariance
}

/** Undefined without a common question. */
export function sharedPair<Q extends string | number>(
  first: ScoredSide<Q>,
  second: ScoredSide<Q>,
  clusterOf: (question: Q) => string | number,
): SharedPair<Q> | undefined {
  const questions = [...first.scores.keys()].filter((question) => second.scores.has(question))
  if (questions.length === 0) return undefined
  const [x, y] = [first, second].map(({ scores }) => questions.map((question) => valueOf(scores, question)))
  if (!x || !y) return undefined
  const clusters = questions.map(clusterOf)
  const isYesOrNo = [x, y].every((values) => values.every((value) => value === 0 || value === 1))
  const binary = isYesOrNo && new Set(clusters).size === clusters.length
  const indexVariance = indexVarianceOf(first, second, questions, clusters)
  return {
    questions,
    x,
    y,
    clusters,
    binary,
    step: isYesOrNo && !binary ? 1 / clusters.length : 0,
    estimate: { ...meanDifference(x, y, clusters, binary), ...indexVariance?.error },
    isByT: indexVariance?.error !== undefined,
    ...(indexVariance && { indexVariance: indexVariance.variance }),
  }
}

function meanDifference(
  x: readonly number[],
  y: readonly number[],
  clusters: readonly (string | number)[],
  binary: boolean,
): MeanDifference {
  const estimate = cr2Difference(x, y, clusters)
  const signs = differences(x, y).map(Math.sign)
  const countOf = (sign: number): number => signs.filter((value) => value === sign).length
  const [win, tie, loss] = [countOf(1), countOf(0), countOf(-1)]
  const difference = { difference: estimate.mean, ...errorOrNull(estimate), win, tie, loss }
  if (!binary) return difference
  const bothCorrect = x.filter((value, i) => value === 1 && y[i] === 1).length
  const { low, high } = newcombePaired({ bothYes: bothCorrect, onlyX: win, onlyY: loss, neither: tie - bothCorrect })
  return { ...difference, low, high }
}

/**
 * Between-index variance of a difference, from differences by repeat, so that shared effects cancel. Undefined with one
 * index; no error with fewer than three.
 */
function indexVarianceOf<Q extends string | number>(
  first: ScoredSide<Q>,
  second: ScoredSide<Q>,
  questions: readonly Q[],
  clusters: readonly (string | number)[],
): { readonly variance: IndexVariance; readonly error?: MeanError } | undefined {
  if (!first.repeats && !second.repeats) return undefined
  const differencesByQuestion = questions.map((question, place) => {
    const [x, y] = [valuesOf(first, question), valuesOf(second, question)]
    const differencesByRepeat = [...(first.repeats ? x : y).keys()].flatMap((repeat) => {
      const [ofX, ofY] = [x.get(repeat) ?? x.get('all'), y.get(repeat) ?? y.get('all')]
      return ofX === undefined || ofY === undefined ? [] : [[Number(repeat), ofX - ofY] as const]
    })
    return { cluster: clusters[place] ?? question, values: new Map(differencesByRepeat) }
  })
  const scoresOf = ({ scores }: ScoredSide<Q>) => questions.map((question) => valueOf(scores, question))
  const { estimate, variance } = addIndexVariance(
    cr2Difference(scoresOf(first), scoresOf(second), clusters),
    differencesByQuestion,
  )
  return { variance, ...(variance.deviation !== null && { error: errorOrNull(estimate) }) }
}

/** A row's scores of a question by repeat, or one score for all repeats. */
const valuesOf = <Q>({ scores, repeats }: ScoredSide<Q>, question: Q): ReadonlyMap<number | 'all', number> =>
  repeats?.get(question) ?? new Map([['all', valueOf(scores, question)]])

export interface ComparedPair extends MeanDifference {
  readonly test: TestName
  readonly p: number
  readonly questions: number
  readonly clusters: number
  readonly smallestP: number
}

export type TestName = 'McNemar' | 'sign flips' | 't'

/**
 * Compares two rows: McNemar's exact test for binary scores, else sign flips of cluster sums; Student's t where the
 * error includes between-index variance. Undefined without a common question.
 */
export function comparePair(
  first: ScoredSide,
  second: ScoredSide,
  clusterOf: (question: number) => string | number,
  seed: number,
): ComparedPair | undefined {
  const pair = sharedPair(first, second, clusterOf)
  if (!pair) return undefined
  const { x, y, clusters: names, binary, estimate, isByT } = pair
  const clusters = new Set(names).size
  const summary = { ...estimate, questions: x.length, clusters }
  if (isByT) return { ...summary, test: 't', p: tTestP(estimate), smallestP: 0 }
  if (binary)
    return { ...summary, test: 'McNemar', p: mcnemar(estimate.win, estimate.loss).p, smallestP: smallestOf(clusters) }
  const { p, smallestP } = clusterSignFlips(x, y, names, { seed })
  return { ...summary, test: 'sign flips', p, smallestP }
}

/** Smallest two-sided p of sign flips. */
export const smallestOf = (clusters: number): number => Math.min(1, 2 / 2 ** clusters)

/** p of Student's t test; 1 without an error. */
export const tTestP = ({
  difference,
  error,
  degrees,
}: Pick<MeanDifference, 'difference' | 'error' | 'degrees'>): number =>
  error === null || degrees === null ? 1 : studentOutside(difference / error, degrees)
