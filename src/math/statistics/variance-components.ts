import { groupBy } from '../../basics/collections.ts'
import { mean, sum } from './descriptive.ts'

/** The factors that each component of a questions x indexes x judge runs design varies with. */
const factorsOfParts = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]

/** A number per variance component, in the same order. */
const byName = (numbers: readonly number[]) => ({
  question: numbers[0]!,
  index: numbers[1]!,
  judge: numbers[2]!,
  questionIndex: numbers[3]!,
  questionJudge: numbers[4]!,
  indexJudge: numbers[5]!,
  residual: numbers[6]!,
})

/**
 * Components of variance of scores[question][index][judge run], crossed and random, judge run j the same for every
 * answer: expected mean squares of a balanced model (Searle, Casella and McCulloch 1992; Brennan 2001). Negative
 * estimates stay, and count as 0 in `varianceOfMean`, which is Σ component / number of its levels. Throws RangeError
 * for fewer than two questions, indexes or judge runs, and for gaps.
 */
export function crossedComponents(scores: readonly (readonly (readonly number[])[])[]) {
  const sizes = [scores.length, scores[0]?.length ?? 0, scores[0]?.[0]?.length ?? 0]
  const [, indexes, runs] = sizes
  if (Math.min(...sizes) < 2) throw new RangeError('components need two questions, two indexes and two judge runs')
  const hasGap = (ofQuestion: readonly (readonly number[])[]) =>
    ofQuestion.length !== indexes || ofQuestion.some(({ length }) => length !== runs)
  if (scores.some(hasGap)) throw new RangeError('components need a score of every question, index and judge run')
  const first = scores[0]![0]![0]!
  const values = scores.flatMap((ofQuestion, q) =>
    ofQuestion.flatMap((ofIndex, i) => ofIndex.map((score, j) => ({ at: [q, i, j], score: score - first }))),
  )
  const centre = mean(values.map(({ score }) => score))
  // Σ over all scores of the squared deviation of their level mean
  const squares = factorsOfParts.map((factors) => {
    const groups = groupBy(values, ({ at }) => factors.map((factor) => at[factor]).join(' '))
    const levels = Array.from(groups.values(), (group) => group.map(({ score }) => score))
    return sum(levels.map((group) => group.length * (mean(group) - centre) ** 2))
  })
  // by inclusion and exclusion over the parts within a part
  const meanSquares = factorsOfParts.map((factors) => {
    const within = factorsOfParts.flatMap((subset, at) =>
      isWithin(subset, factors) ? [signOf(factors, subset) * squares[at]!] : [],
    )
    return sum(within) / product(factors.map((factor) => sizes[factor]! - 1))
  })
  const levels = factorsOfParts.map((factors) => product(factors.map((factor) => sizes[factor]!)))
  const components = factorsOfParts.map((factors, part) => {
    const around = factorsOfParts.flatMap((superset, at) =>
      isWithin(factors, superset) ? [signOf(factors, superset) * meanSquares[at]!] : [],
    )
    return sum(around) / (product(sizes) / levels[part]!)
  })
  const shares = components.map((component, part) => Math.max(0, component) / levels[part]!)
  return {
    mean: first + centre,
    meanSquares: byName(meanSquares),
    components: byName(components),
    varianceOfMean: sum(shares),
  }
}

const isWithin = (subset: readonly number[], factors: readonly number[]): boolean =>
  subset.every((factor) => factors.includes(factor))

const signOf = (a: readonly number[], b: readonly number[]): number => ((a.length - b.length) % 2 === 0 ? 1 : -1)

const product = (numbers: readonly number[]): number => numbers.reduce((total, number) => total * number, 1)
