import { valueOf } from '../../basics/collections.ts'
import { cr2Difference, errorOrNull, type MeanError } from '../../math/statistics/cr2.ts'
import { differences } from '../../math/statistics/descriptive.ts'
import { studentOutside } from '../../math/statistics/distributions.ts'
import { mcnemar } from '../../math/statistics/paired-tests.ts'
import { newcombePaired } from '../../math/statistics/proportions.ts'
import { clusterSignFlips } from '../../math/statistics/sign-flips.ts'
import { type QuestionScores, valuesByRepeat, withLuck, type Luck } from '../table/estimate.ts'

/** Level of every test of rows. */
export const alpha = 0.05

/** How often a smallest detectable difference is found, where nothing else is wanted. */
export const usualPower = 0.8

/** A row's scores by question, and by repeat, too, where its repeats have indexes of their own. */
export interface ScoredSide {
  readonly scores: ReadonlyMap<number, number>
  readonly repeats?: ReadonlyMap<number, ReadonlyMap<number, number>>
}

export const scoredSide = (scores: readonly QuestionScores[], hasOwnIndexes: boolean): ScoredSide => ({
  scores: new Map(scores.map(({ question, mean }) => [question, mean])),
  ...(hasOwnIndexes && { repeats: new Map(scores.map((one) => [one.question, valuesByRepeat(one)])) }),
})

/**
 * First minus second, untested. The interval is by CR2 and Student's t, or Newcombe's where scores are 0 or 1 and
 * questions independent.
 */
export interface MeanDifference extends MeanError {
  readonly difference: number
  /** Questions in which the first is above, equal to and below the second. */
  readonly win: number
  readonly tie: number
  readonly loss: number
}

/** Two rows on the questions that both have a score for: their scores x and y, and how they differ. */
export interface SharedPair {
  readonly questions: readonly number[]
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly clusters: readonly (string | number)[]
  /** Whether scores are 0 or 1 and questions independent: then McNemar's test fits. */
  readonly binary: boolean
  /**
   * What a smallest difference has to take beyond what the error says. In clusters sign flips of 0 and 1 move in steps
   * of 2 / n and ties count against a difference; McNemar's falling variance makes up for it (`npm run bench tests`).
   */
  readonly step: number
  readonly estimate: MeanDifference
  /** Whether the error holds the luck of indexes, which signs cannot tell. */
  readonly isByT: boolean
  /** Where a row has several indexes. */
  readonly luck?: Luck
}

/** Two rows on the questions of both; undefined where there is none. */
export function sharedPair(
  first: ScoredSide,
  second: ScoredSide,
  clusterOf: (question: number) => string | number,
): SharedPair | undefined {
  const questions = [...first.scores.keys()].filter((question) => second.scores.has(question))
  if (questions.length === 0) return undefined
  const [x, y] = [first, second].map(({ scores }) => questions.map((question) => valueOf(scores, question)))
  if (!x || !y) return undefined
  const clusters = questions.map(clusterOf)
  const isYesOrNo = [x, y].every((values) => values.every((one) => one === 0 || one === 1))
  const binary = isYesOrNo && new Set(clusters).size === clusters.length
  const lucky = withLuckOf(first, second, questions, clusters)
  return {
    questions,
    x,
    y,
    clusters,
    binary,
    step: isYesOrNo && !binary ? 1 / clusters.length : 0,
    estimate: { ...meanDifference(x, y, clusters, binary), ...lucky?.error },
    isByT: lucky?.error !== undefined,
    ...(lucky && { luck: lucky.luck }),
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
  const countOf = (sign: number): number => signs.filter((one) => one === sign).length
  const [win, tie, loss] = [countOf(1), countOf(0), countOf(-1)]
  const difference = { difference: estimate.mean, ...errorOrNull(estimate), win, tie, loss }
  if (!binary) return difference
  const both = x.filter((value, i) => value === 1 && y[i] === 1).length
  const { low, high } = newcombePaired({ bothYes: both, onlyX: win, onlyY: loss, neither: tie - both })
  return { ...difference, low, high }
}

/**
 * What indexes add to a difference, repeat by repeat, so that what both share cancels; undefined without several, and
 * no error of fewer than three.
 */
function withLuckOf(
  first: ScoredSide,
  second: ScoredSide,
  questions: readonly number[],
  clusters: readonly (string | number)[],
): { readonly luck: Luck; readonly error?: MeanError } | undefined {
  if (!first.repeats && !second.repeats) return undefined
  const repeated = questions.map((question, place) => {
    const [x, y] = [valuesOf(first, question), valuesOf(second, question)]
    const both = [...(first.repeats ? x : y).keys()].flatMap((repeat) => {
      const [ofX, ofY] = [x.get(repeat) ?? x.get('all'), y.get(repeat) ?? y.get('all')]
      return ofX === undefined || ofY === undefined ? [] : [[Number(repeat), ofX - ofY] as const]
    })
    return { cluster: clusters[place] ?? question, values: new Map(both) }
  })
  const scoresOf = ({ scores }: ScoredSide) => questions.map((question) => valueOf(scores, question))
  const { found, luck } = withLuck(cr2Difference(scoresOf(first), scoresOf(second), clusters), repeated)
  return { luck, ...(luck.deviation !== null && { error: errorOrNull(found) }) }
}

/** A row's values of a question by repeat, or the one that stands for all of them. */
const valuesOf = ({ scores, repeats }: ScoredSide, question: number): ReadonlyMap<number | 'all', number> =>
  repeats?.get(question) ?? new Map([['all', valueOf(scores, question)]])

/** The difference of two rows, on how many questions and clusters, and the smallest p that these could give. */
export interface ComparedPair extends MeanDifference {
  readonly test: TestName
  readonly p: number
  readonly questions: number
  readonly clusters: number
  readonly smallestP: number
}

export type TestName = 'McNemar' | 'sign flips' | 't'

/**
 * Compares two rows by themselves: McNemar's exact test where scores are binary, else sign flips of cluster sums;
 * Student's t test of an error with the luck of indexes. Undefined where they share no question.
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
  const counted = { ...estimate, questions: x.length, clusters }
  if (isByT) return { ...counted, test: 't', p: tTestP(estimate), smallestP: 0 }
  if (binary)
    return { ...counted, test: 'McNemar', p: mcnemar(estimate.win, estimate.loss).p, smallestP: smallestOf(clusters) }
  const { p, smallestP } = clusterSignFlips(x, y, names, { seed })
  return { ...counted, test: 'sign flips', p, smallestP }
}

/** The smallest p of flips of so many signs. */
export const smallestOf = (clusters: number): number => Math.min(1, 2 / 2 ** clusters)

/** Student's t test of a difference; 1 without an error. */
export const tTestP = ({
  difference,
  error,
  degrees,
}: Pick<MeanDifference, 'difference' | 'error' | 'degrees'>): number =>
  error === null || degrees === null ? 1 : studentOutside(difference / error, degrees)
