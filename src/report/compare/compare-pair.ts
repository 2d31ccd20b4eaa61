import { valueOf } from '../../basics/collections.ts'
import { cr2Difference, knownError, type MeanError } from '../../math/statistics/cr2.ts'
import { differences } from '../../math/statistics/descriptive.ts'
import { studentOutside } from '../../math/statistics/distributions.ts'
import { mcnemar } from '../../math/statistics/paired-tests.ts'
import { newcombePaired } from '../../math/statistics/proportions.ts'
import { clusterSignFlips } from '../../math/statistics/sign-flips.ts'
import { type QuestionScores, type QuestionNumbers, valuesByRepeat, withLuck, type Luck } from '../table/estimate.ts'

/** Level of every test of rows. */
export const alpha = 0.05

/** How often a smallest detectable difference is found, where nothing else is wanted. */
export const usualPower = 0.8

/** First minus second. The interval is Newcombe's where the test is McNemar's, else by CR2 and Student's t. */
export interface Difference extends MeanError {
  readonly difference: number
  readonly test: 'McNemar' | 'sign flips' | 't'
  readonly p: number
  /** Beside the exact p of McNemar's test. */
  readonly midP?: number
  /** Questions in which the first is above, equal to and below the second. */
  readonly win: number
  readonly tie: number
  readonly loss: number
}

/** How differences are tested: `binary` where scores are 0 or 1 and questions independent. */
interface PairTest {
  readonly clusters: readonly (string | number)[]
  readonly binary: boolean
  readonly seed: number
}

/** The difference of two rows, on how many questions and clusters, and the smallest p that these could give. */
export interface ComparedPair extends Difference {
  readonly questions: number
  readonly clusters: number
  readonly smallestP: number
}

/**
 * Compares two rows on the questions of both, or undefined. `lucky`: whether repeats of a row have indexes of their
 * own.
 */
export function comparePair(
  first: readonly QuestionScores[],
  second: readonly QuestionScores[],
  { clusterOf }: Pick<QuestionNumbers, 'clusterOf'>,
  seed: number,
  lucky: readonly [first: boolean, second: boolean],
): ComparedPair | undefined {
  const sides = [luckySide(first, lucky[0]), luckySide(second, lucky[1])] as const
  const { questions, x, y, clusters } = commonScores(sides[0].scores, sides[1].scores, clusterOf)
  if (questions.length === 0) return undefined
  const { difference, smallestP } = differenceOf(x, y, { ...testOf([x, y], clusters), seed })
  const counted = { questions: questions.length, clusters: new Set(clusters).size }
  const luck = pairLuck(...sides, questions, clusterOf)
  if (!luck?.known) return { ...difference, ...counted, smallestP }
  const { midP: _, ...untested } = { ...difference, ...luck.known }
  return { ...untested, ...byT(untested), ...counted }
}

/** The questions that two rows have a score for, in the order of the first row, with both scores and their clusters. */
export function commonScores(
  first: ReadonlyMap<number, number>,
  second: ReadonlyMap<number, number>,
  clusterOf: (question: number) => string | number,
) {
  const questions = [...first.keys()].filter((question) => second.has(question))
  const of = (scores: ReadonlyMap<number, number>) => questions.map((question) => valueOf(scores, question))
  return { questions, x: of(first), y: of(second), clusters: questions.map(clusterOf) }
}

/** Student's t test of a difference whose error holds more than what signs can tell. */
export const byT = ({ difference, error, degrees }: Pick<Difference, 'difference' | 'error' | 'degrees'>) => ({
  test: 't' as const,
  p: error === null || degrees === null ? 1 : studentOutside(difference / error, degrees),
  smallestP: 0,
})

/** Which test fits scores, and the half step that a smallest difference has to take beyond what their error says. */
export interface Testing extends Pick<PairTest, 'clusters' | 'binary'> {
  readonly step: number
}

/**
 * McNemar's test for scores of 0 or 1 without clusters. In clusters sign flips move in steps of 2 / n and ties count
 * against a difference: half a step more is needed; McNemar's falling variance makes up for it (`npm run bench tests`).
 */
export function testOf(rows: readonly (readonly number[])[], clusters: readonly (string | number)[]): Testing {
  const isYesOrNo = rows.every((values) => values.every((one) => one === 0 || one === 1))
  const binary = isYesOrNo && new Set(clusters).size === clusters.length
  return { clusters, binary, step: isYesOrNo && !binary ? 1 / clusters.length : 0 }
}

/** The mean of x - y over questions with its cluster-robust error, untested. */
export function untestedDifference(
  x: readonly number[],
  y: readonly number[],
  { clusters, binary }: Pick<PairTest, 'clusters' | 'binary'>,
): Omit<Difference, 'test' | 'p' | 'midP'> {
  const found = cr2Difference(x, y, clusters)
  const signs = differences(x, y).map(Math.sign)
  const countOf = (sign: number): number => signs.filter((one) => one === sign).length
  const [win, tie, loss] = [countOf(1), countOf(0), countOf(-1)]
  const known = { difference: found.mean, ...knownError(found), win, tie, loss }
  if (!binary) return known
  const both = x.filter((value, i) => value === 1 && y[i] === 1).length
  const { low, high } = newcombePaired({ both, onlyX: win, onlyY: loss, neither: tie - both })
  return { ...known, low, high }
}

/** The same with McNemar's exact test where scores are binary, else sign flips of cluster sums. */
export function differenceOf(
  x: readonly number[],
  y: readonly number[],
  { clusters, binary, seed }: PairTest,
): { readonly difference: Difference; readonly smallestP: number } {
  const { win, tie, loss, ...known } = untestedDifference(x, y, { clusters, binary })
  const counted = { win, tie, loss }
  if (!binary) {
    const { p, smallestP } = clusterSignFlips(x, y, clusters, { seed })
    return { difference: { ...known, test: 'sign flips', p, ...counted }, smallestP }
  }
  const { p, midP } = mcnemar(win, loss)
  const units = new Set(clusters).size
  return {
    difference: { ...known, test: 'McNemar', p, midP, ...counted },
    smallestP: Math.min(1, 2 / 2 ** units),
  }
}

/** A row's scores by question, and by repeat, too, where its repeats have indexes of their own. */
export interface LuckySide {
  readonly scores: ReadonlyMap<number, number>
  readonly repeats?: ReadonlyMap<number, ReadonlyMap<number, number>>
}

/** A row's scores, by repeat too where `hasOwnIndexes`. */
export const luckySide = (scores: readonly QuestionScores[], hasOwnIndexes: boolean): LuckySide => ({
  scores: new Map(scores.map(({ question, mean }) => [question, mean])),
  ...(hasOwnIndexes && { repeats: new Map(scores.map((one) => [one.question, valuesByRepeat(one)])) }),
})

/** The error of a difference with the luck of indexes in it; none for fewer than three indexes. */
export interface PairLuck {
  readonly luck: Luck
  readonly known?: MeanError
}

/** What indexes add to a difference, repeat by repeat, so that what both share cancels; undefined without several. */
export function pairLuck(
  first: LuckySide,
  second: LuckySide,
  questions: readonly number[],
  clusterOf: (question: number) => string | number,
): PairLuck | undefined {
  if (!first.repeats && !second.repeats) return undefined
  const repeated = questions.map((question) => {
    const [x, y] = [valuesOf(first, question), valuesOf(second, question)]
    const repeats = [...(first.repeats ? x : y).keys()]
    const both = repeats.flatMap((repeat) => {
      const [ofX, ofY] = [x.get(repeat) ?? x.get('all'), y.get(repeat) ?? y.get('all')]
      return ofX === undefined || ofY === undefined ? [] : [[Number(repeat), ofX - ofY] as const]
    })
    return { cluster: clusterOf(question), values: new Map(both) }
  })
  const scoreOf = ({ scores }: LuckySide) => questions.map((question) => valueOf(scores, question))
  const difference = cr2Difference(scoreOf(first), scoreOf(second), questions.map(clusterOf))
  const { found, luck } = withLuck(difference, repeated)
  return { luck, ...(luck.deviation !== null && { known: knownError(found) }) }
}

/** A row's values of a question by repeat, or the one that stands for all of them. */
function valuesOf({ scores, repeats }: LuckySide, question: number): ReadonlyMap<number | 'all', number> {
  return repeats?.get(question) ?? new Map([['all', valueOf(scores, question)]])
}
