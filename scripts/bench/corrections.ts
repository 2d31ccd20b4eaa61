import { mulberry32 } from '../../src/math/random.ts'
import { mean } from '../../src/math/statistics/descriptive.ts'
import { comparePair, scoredSide, sharedPair } from '../../src/report/compare/compare-pair.ts'
import { testByT } from '../../src/report/compare/t-tests.ts'
import { humanMean, type Unit } from '../../src/report/judge/judged-rows.ts'
import { estimate, type QuestionScores } from '../../src/report/gather/estimate.ts'
import { normal, rate, small, type BenchRow } from './row.ts'

const runs = small ? 10 : 1000
const [questions, indexes, luck, alpha] = [200, 3, 0.04, 0.05]
const draw = <T>(make: () => T): readonly T[] => Array.from({ length: runs }, make)

/** Rows whose judge people corrected, and rows whose repeats have indexes of their own, with known truths. */
export const correctionsBench = (): readonly BenchRow[] => [...labelsBench(), ...luckBench()]

/** People accept half of the answers of both rows, or `lead` more of the first; the judge most of the second's. */
function labelsBench(): readonly BenchRow[] {
  const random = mulberry32(46)
  const judged = (lead: number): readonly Unit[] =>
    Array.from({ length: questions }, (_, cluster) => {
      const [x, y] = [Number(random() < 0.5 + lead), Number(random() < 0.5)]
      const judge = Number(random() < (x === 1 ? 0.85 : 0.1)) - Number(random() < (y === 1 ? 0.95 : 0.6))
      return { cluster, judge, ...(cluster < 60 && { labelled: { human: x - y, judge } }) }
    })
  const correct = (units: readonly Unit[]) => {
    const { corrected } = humanMean(units)
    if (!corrected) throw new Error('too few labels')
    return { ...corrected, difference: corrected.mean }
  }
  const byJudge = (units: readonly Unit[]): boolean =>
    differ(toScores(units.map(({ judge }) => [judge])), toScores(units.map(() => [0])))
  const alike = draw(() => judged(0))
  const apart = draw(() => correct(judged(0.3)))
  const note = `${runs} runs, labels of 60 of ${questions} questions`
  return [
    rate(
      'wrong at p <= .05 where labels correct a judge that flatters a row',
      alike.map((units) => isFound(correct(units))),
      { goal: alpha, reach: 0.02, note },
    ),
    rate('  the same runs by the judge alone', alike.map(byJudge), { note: 'as before' }),
    rate(
      '95 % interval of the corrected difference holds 30 points',
      apart.map((item) => holds(item, 0.3)),
      { goal: 0.95, reach: 0.02, note },
    ),
  ]
}

/** Every index of a row moves all its scores by a luck of 4 points. */
function luckBench(): readonly BenchRow[] {
  const random = mulberry32(47)
  const row = (): readonly QuestionScores[] => {
    const lucks = Array.from({ length: indexes }, () => luck * normal(random))
    const ease = Array.from({ length: questions }, () => 0.3 * normal(random))
    return toScores(ease.map((item) => lucks.map((shift) => item + shift + 0.2 * normal(random))))
  }
  const alike = draw(() => [row(), row()] as const)
  const results = alike.map(([x, y]) => withLuck(x, y))
  const note = `${runs} runs, ${questions} questions, ${indexes} indexes with a luck of 4 points`
  const nestedText = { note: 'as before' }
  const covers = (part: boolean) => alike.map(([x]) => holds(estimate(x, clusterOf, part), 0))
  return [
    rate('95 % interval holds the mean of an unseen index', covers(true), { goal: 0.95, reach: 0.025, note }),
    rate('  the same runs, repeats nested in questions', covers(false), nestedText),
    rate('wrong at p <= .05 where only indexes differ', results.map(isFound), { goal: alpha, reach: 0.025, note }),
    rate(
      '  the same runs, repeats nested in questions',
      alike.map(([x, y]) => differ(x, y)),
      nestedText,
    ),
  ]
}

type TestedDifference = Parameters<typeof testByT>[0][number]

const clusterOf = (question: number): number => question
const holds = ({ low, high }: { readonly low: number | null; readonly high: number | null }, truth: number): boolean =>
  low !== null && high !== null && low <= truth && truth <= high
const isFound = (results: TestedDifference): boolean => (testByT([results]).pairs[0]?.p ?? 1) <= alpha
const differ = (x: readonly QuestionScores[], y: readonly QuestionScores[]): boolean =>
  (comparePair(scoredSide(x, false), scoredSide(y, false), clusterOf, 42)?.p ?? 1) <= alpha

const toScores = (values: readonly (readonly number[])[]): readonly QuestionScores[] =>
  values.map((part, question) => ({
    question,
    mean: mean(part),
    repeats: part.map((value, repeat) => ({ repeat, values: [{ run: 0, value }] })),
  }))

/** The difference of two rows with the luck of their indexes in its error. */
const withLuck = (...rows: readonly [readonly QuestionScores[], readonly QuestionScores[]]): TestedDifference => {
  const difference = sharedPair(scoredSide(rows[0], true), scoredSide(rows[1], true), clusterOf)?.estimate
  if (!difference) throw new Error('two rows share no question')
  return difference
}
