import { cr2Difference, knownError, type MeanError } from '../../math/statistics/cr2.ts'
import { valuesByRepeat, withLuck, type Luck, type QuestionScores } from '../table/estimate.ts'

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

/**
 * What indexes add to the difference of two rows on some questions: repeat by repeat, so that what two rows share of an
 * index cancels. Undefined where no row has several indexes.
 */
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
  const scoreOf = ({ scores }: LuckySide) => questions.map((question) => scores.get(question) ?? NaN)
  const difference = cr2Difference(scoreOf(first), scoreOf(second), questions.map(clusterOf))
  const { found, luck } = withLuck(difference, repeated)
  return { luck, ...(luck.deviation !== null && { known: knownError(found) }) }
}

/** A row's values of a question by repeat, or the one that stands for all of them. */
function valuesOf({ scores, repeats }: LuckySide, question: number): ReadonlyMap<number | 'all', number> {
  return repeats?.get(question) ?? new Map([['all', scores.get(question) ?? NaN]])
}
