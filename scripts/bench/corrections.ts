import { mulberry32 } from '../../src/math/random.ts'
import { mean } from '../../src/math/statistics/descriptive.ts'
import { comparePair } from '../../src/report/compare/compare-family.ts'
import { sharedPair } from '../../src/report/compare/compare-pair.ts'
import { testByT } from '../../src/report/compare/t-tests.ts'
import { humanMean } from '../../src/report/judge/judge-check.ts'
import type { Unit } from '../../src/report/judge/judged-rows.ts'
import { estimate } from '../../src/report/gather/estimate.ts'
import { scoredRow, type QuestionScores } from '../../src/report/gather/observations.ts'
import { normal, rate, small, type BenchRow } from './row.ts'

const runs = small ? 10 : 1000
const [questions, indexes, indexDeviation, alpha] = [200, 3, 0.04, 0.05]
const draw = <T>(make: () => T): readonly T[] => Array.from({ length: runs }, make)

/** Simulations with known truths: rows whose judge people corrected, and rows with an index per repeat. */
export const correctionsBench = (): readonly BenchRow[] => [...labelsBench(), ...indexBench()]

/**
 * People accept half of the answers of both rows, and a share of `lead` more of the first. The judge flatters the
 * second row.
 */
function labelsBench(): readonly BenchRow[] {
  const random = mulberry32(46)
  const drawUnits = (lead: number): readonly Unit[] =>
    Array.from({ length: questions }, (_, cluster) => {
      const [x, y] = [Number(random() < 0.5 + lead), Number(random() < 0.5)]
      const judge = Number(random() < (x === 1 ? 0.85 : 0.1)) - Number(random() < (y === 1 ? 0.95 : 0.6))
      return { cluster, judge, ...(cluster < 60 && { labelled: { human: x - y, judge } }) }
    })
  const correct = (units: readonly Unit[]) => {
    const { corrected: correctedMean } = humanMean(units)
    if (!correctedMean) throw new Error('too few labels')
    return { ...correctedMean, difference: correctedMean.mean }
  }
  const byJudge = (units: readonly Unit[]): boolean =>
    differ(toScores(units.map(({ judge }) => [judge])), toScores(units.map(() => [0])))
  const alike = draw(() => drawUnits(0))
  const apart = draw(() => correct(drawUnits(0.3)))
  const note = `${runs} runs, labels of 60 of ${questions} questions`
  return [
    rate(
      'wrong at p <= .05 where labels correct a judge that flatters a row',
      alike.map((units) => isSignificant(correct(units))),
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

/** Every index of a row shifts all its scores, with a standard deviation of 4 points. */
function indexBench(): readonly BenchRow[] {
  const random = mulberry32(47)
  const row = (): readonly QuestionScores[] => {
    const shifts = Array.from({ length: indexes }, () => indexDeviation * normal(random))
    const ease = Array.from({ length: questions }, () => 0.3 * normal(random))
    return toScores(ease.map((item) => shifts.map((shift) => item + shift + 0.2 * normal(random))))
  }
  const alike = draw(() => [row(), row()] as const)
  const results = alike.map(([x, y]) => differenceAcrossIndexes(x, y))
  const note = `${runs} runs, ${questions} questions, ${indexes} indexes that shift scores by 4 points (standard deviation)`
  const asBefore = { note: 'as before' }
  const covers = (withIndexVariance: boolean) => alike.map(([x]) => holds(estimate(x, clusterOf, withIndexVariance), 0))
  return [
    rate('95 % interval holds the mean of an unseen index', covers(true), { goal: 0.95, reach: 0.025, note }),
    rate('  the same interval, repeats nested in questions', covers(false), asBefore),
    rate('wrong at p <= .05 where only indexes differ', results.map(isSignificant), {
      goal: alpha,
      reach: 0.025,
      note,
    }),
    rate(
      '  the same test, repeats nested in questions',
      alike.map(([x, y]) => differ(x, y)),
      asBefore,
    ),
  ]
}

type TestedDifference = Parameters<typeof testByT>[0][number]

const clusterOf = (question: number): number => question
const holds = ({ low, high }: { readonly low: number | null; readonly high: number | null }, truth: number): boolean =>
  low !== null && high !== null && low <= truth && truth <= high
const isSignificant = (results: TestedDifference): boolean => (testByT([results]).pairs[0]?.p ?? 1) <= alpha
const differ = (x: readonly QuestionScores[], y: readonly QuestionScores[]): boolean =>
  (comparePair(
    scoredRow(() => x, false),
    scoredRow(() => y, false),
    clusterOf,
    42,
  )?.p ?? 1) <= alpha

const toScores = (values: readonly (readonly number[])[]): readonly QuestionScores[] =>
  values.map((part, question) => ({
    question,
    mean: mean(part),
    values: part.map((value, repeat) => ({ repeat, run: 0, value })),
  }))

/** The difference of two rows; its error has the variance between indexes. */
const differenceAcrossIndexes = (
  ...rows: readonly [readonly QuestionScores[], readonly QuestionScores[]]
): TestedDifference => {
  const difference = sharedPair(
    scoredRow(() => rows[0], true),
    scoredRow(() => rows[1], true),
    clusterOf,
  )?.estimate
  if (!difference) throw new Error('two rows share no question')
  return difference
}
