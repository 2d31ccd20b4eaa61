import { valueOf } from '../../basics/collections.ts'
import { errorOrNull, type MeanError } from '../../math/statistics/cr2.ts'
import { differences } from '../../math/statistics/descriptive.ts'
import { studentOutside } from '../../math/statistics/distributions.ts'
import { mcnemar } from '../../math/statistics/paired-tests.ts'
import { newcombePaired } from '../../math/statistics/proportions.ts'
import { clusterSignFlips } from '../../math/statistics/sign-flips.ts'
import { clusteredMean, type QuestionScores, valuesByRepeat } from '../gather/estimate.ts'

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

/** Scores of two rows on their common questions, and their difference. */
export type SharedPair<Q extends string | number = number> = NonNullable<ReturnType<typeof sharedPair<Q>>>

/** Undefined without a common question. */
export function sharedPair<Q extends string | number>(
  first: ScoredSide<Q>,
  second: ScoredSide<Q>,
  clusterOf: (question: Q) => string | number,
) {
  const questions = [...first.scores.keys()].filter((question) => second.scores.has(question))
  if (questions.length === 0) return undefined
  const [x, y] = [first, second].map(({ scores }) => questions.map((question) => valueOf(scores, question)))
  if (!x || !y) return undefined
  const clusters = questions.map(clusterOf)
  const isYesOrNo = [x, y].every((values) => values.every((value) => value === 0 || value === 1))
  const binary = isYesOrNo && new Set(clusters).size === clusters.length
  const hasIndexes = first.repeats !== undefined || second.repeats !== undefined
  const repeats = questions.map((question) => differencesByRepeat(first, second, question))
  const { indexVariance, ...summary } = clusteredMean(differences(x, y), clusters, hasIndexes ? repeats : undefined)
  const isByT = indexVariance !== undefined && indexVariance.deviation !== null
  const counts = winsOf(x, y)
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
      ...(binary && !isByT && newcombe(x, y, counts)),
      ...counts,
    },
    // whether the error includes between-index variance, which sign flips cannot
    isByT,
    ...(indexVariance && { indexVariance }),
  }
}

function winsOf(x: readonly number[], y: readonly number[]): Pick<MeanDifference, 'win' | 'tie' | 'loss'> {
  const signs = differences(x, y).map(Math.sign)
  const countOf = (sign: number): number => signs.filter((value) => value === sign).length
  return { win: countOf(1), tie: countOf(0), loss: countOf(-1) }
}

/** Newcombe's interval of a difference of independent binary scores. */
function newcombe(
  x: readonly number[],
  y: readonly number[],
  { win, tie, loss }: Pick<MeanDifference, 'win' | 'tie' | 'loss'>,
) {
  const bothYes = x.filter((value, i) => value === 1 && y[i] === 1).length
  const { low, high } = newcombePaired({ bothYes, onlyX: win, onlyY: loss, neither: tie - bothYes })
  return { low, high }
}

/** Differences of a question by repeat, so that effects that rows share cancel; a row without repeats has one score. */
function differencesByRepeat<Q>(first: ScoredSide<Q>, second: ScoredSide<Q>, question: Q): ReadonlyMap<number, number> {
  const scoreAt = ({ scores, repeats }: ScoredSide<Q>, repeat: number): number | undefined =>
    repeats ? repeats.get(question)?.get(repeat) : scores.get(question)
  const repeats = (first.repeats ?? second.repeats)?.get(question)?.keys() ?? []
  return new Map(
    [...repeats].flatMap((repeat) => {
      const x = scoreAt(first, repeat)
      const y = scoreAt(second, repeat)
      return x === undefined || y === undefined ? [] : [[repeat, x - y] as const]
    }),
  )
}

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
