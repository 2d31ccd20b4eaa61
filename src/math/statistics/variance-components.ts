import { mean, sum } from './descriptive.ts'

/** Of scores of questions by indexes by judge runs, a number for each part. */
type Parts = Readonly<Record<(typeof parts)[number], number>>

/** Parts of a score, by the factors that they vary with. */
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

/** Negative components are given as they come, and count as 0 in `varianceOfMean`. */
interface CrossedComponents {
  readonly mean: number
  readonly meanSquares: Parts
  readonly components: Parts
  /** Σ component / number of its levels in the mean. */
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
  if (scores.some((own) => own.length !== indexes || own.some(({ length }) => length !== runs)))
    throw new RangeError('components need a score of every question, index and judge run')
  const first = scores[0]?.[0]?.[0] ?? NaN
  const values = scores.flatMap((own, q) =>
    own.flatMap((ofIndex, i) => ofIndex.map((score, j) => ({ at: [q, i, j], score: score - first }))),
  )
  const centre = mean(values.map(({ score }) => score))
  /** Σ over all scores of the squared deviation of the mean at their levels of these factors. */
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
  const isWithin = (part: keyof Parts, other: keyof Parts): boolean =>
    factorsOf[part].every((factor) => factorsOf[other].includes(factor))
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
  const signed = (part: keyof Parts, other: keyof Parts): number =>
    (factorsOf[part].length - factorsOf[other].length) % 2 === 0 ? 1 : -1
  const meanSquares = mapParts((part) => {
    const own = sum(
      parts.flatMap((other) => (isWithin(other, part) ? [signed(part, other) * (sums[other] ?? NaN)] : [])),
    )
    return own / factorsOf[part].reduce((product, factor) => product * ((sizes[factor] ?? NaN) - 1), 1)
  })
  const levels = (part: keyof Parts): number =>
    factorsOf[part].reduce((product, factor) => product * (sizes[factor] ?? NaN), 1)
  const components = mapParts(
    (part) =>
      sum(parts.flatMap((other) => (isWithin(part, other) ? [signed(part, other) * meanSquares[other]] : []))) /
      ((questions * indexes * runs) / levels(part)),
  )
  const varianceOfMean = sum(parts.map((part) => Math.max(0, components[part]) / levels(part)))
  return { mean: first + centre, meanSquares, components, varianceOfMean }
}
