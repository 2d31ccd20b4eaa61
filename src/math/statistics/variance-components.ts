import { mean, sum } from './descriptive.ts'

/** A number per variance component of a questions x indexes x judge runs design. */
type Parts = Readonly<Record<(typeof parts)[number], number>>

/** Components by the factors they vary with. */
const parts = ['question', 'index', 'judge', 'questionIndex', 'questionJudge', 'indexJudge', 'residual'] as const
const factorsOf: Readonly<Record<keyof Parts, readonly number[]>> = {
  question: [0],
  index: [1],
  judge: [2],
  questionIndex: [0, 1],
  questionJudge: [0, 2],
  indexJudge: [1, 2],
  residual: [0, 1, 2],
}

/** Negative estimates stay, and count as 0 in `varianceOfMean`. */
interface CrossedComponents {
  readonly mean: number
  readonly meanSquares: Parts
  readonly components: Parts
  /** Σ component / number of its levels. */
  readonly varianceOfMean: number
}

/**
 * Components of variance of scores[question][index][judge run], crossed and random, judge run j the same for every
 * answer: expected mean squares of a balanced model (Searle, Casella and McCulloch 1992; Brennan 2001). Throws
 * RangeError for fewer than two questions, indexes or judge runs, and for gaps.
 */
export function crossedComponents(scores: readonly (readonly (readonly number[])[])[]): CrossedComponents {
  const sizes = [scores.length, scores[0]?.length ?? 0, scores[0]?.[0]?.length ?? 0]
  const [questions = 0, indexes = 0, runs = 0] = sizes
  if (Math.min(...sizes) < 2) throw new RangeError('components need two questions, two indexes and two judge runs')
  if (scores.some((ofQuestion) => ofQuestion.length !== indexes || ofQuestion.some(({ length }) => length !== runs)))
    throw new RangeError('components need a score of every question, index and judge run')
  const first = scores[0]?.[0]?.[0] ?? NaN
  const values = scores.flatMap((ofQuestion, q) =>
    ofQuestion.flatMap((ofIndex, i) => ofIndex.map((score, j) => ({ at: [q, i, j], score: score - first }))),
  )
  const centre = mean(values.map(({ score }) => score))
  /** Σ over all scores of the squared deviation of their level mean. */
  const squaresOf = (factors: readonly number[]): number => {
    const groups = new Map<string, number[]>()
    for (const { at, score } of values) {
      const key = factors.map((factor) => at[factor]).join(' ')
      const group = groups.get(key)
      if (group) group.push(score)
      else groups.set(key, [score])
    }
    return sum(Array.from(groups.values(), (group) => group.length * (mean(group) - centre) ** 2))
  }
  const sums = Object.fromEntries(parts.map((part) => [part, squaresOf(factorsOf[part])]))
  const isWithin = (part: keyof Parts, superset: keyof Parts): boolean =>
    factorsOf[part].every((factor) => factorsOf[superset].includes(factor))
  const mapParts = (of: (part: keyof Parts) => number): Parts => ({
    question: of('question'),
    index: of('index'),
    judge: of('judge'),
    questionIndex: of('questionIndex'),
    questionJudge: of('questionJudge'),
    indexJudge: of('indexJudge'),
    residual: of('residual'),
  })
  // inclusion and exclusion over the parts within a part
  const signOf = (part: keyof Parts, subset: keyof Parts): number =>
    (factorsOf[part].length - factorsOf[subset].length) % 2 === 0 ? 1 : -1
  const meanSquares = mapParts((part) => {
    const sumOfSquares = sum(
      parts.flatMap((subset) => (isWithin(subset, part) ? [signOf(part, subset) * (sums[subset] ?? NaN)] : [])),
    )
    return sumOfSquares / factorsOf[part].reduce((product, factor) => product * ((sizes[factor] ?? NaN) - 1), 1)
  })
  const levels = (part: keyof Parts): number =>
    factorsOf[part].reduce((product, factor) => product * (sizes[factor] ?? NaN), 1)
  const components = mapParts(
    (part) =>
      sum(
        parts.flatMap((superset) => (isWithin(part, superset) ? [signOf(part, superset) * meanSquares[superset]] : [])),
      ) /
      ((questions * indexes * runs) / levels(part)),
  )
  const varianceOfMean = sum(parts.map((part) => Math.max(0, components[part]) / levels(part)))
  return { mean: first + centre, meanSquares, components, varianceOfMean }
}
