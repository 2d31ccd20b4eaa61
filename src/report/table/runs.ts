import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { mean, sum } from '../../math/statistics/descriptive.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { comparePair, scoredSide, type ComparedPair } from '../compare/compare-pair.ts'
import { pairsAmong } from '../compare/rows-to-compare.ts'
import { valuesByRepeat, type QuestionScores } from '../gather/estimate.ts'
import type { Scores } from '../gather/scores.ts'

/** Single runs (repeats) of a scorer with count columns. */
export type Runs = ReturnType<typeof runsOf>[number]

/** Compares two rows by question, and the counts of their runs. */
export type RunsTest = ReturnType<typeof testsOf>[number]

type ReadScores = Pick<Scores, 'byQuestion' | 'questions' | 'hasOwnIndexes'>

/** Runs of every scorer with count columns and scores. */
export const runsOf = (manifest: Manifest, scores: ReadScores) =>
  manifest.scorers.flatMap(({ scorer, id: scorerId, columns, failures }) => {
    // causes of failures have no better or worse
    const metrics = columns.flatMap(({ metric, unit }) => (unit === 'count' && !failures ? [metric] : []))
    const [metric] = metrics
    const rows = manifest.methods.flatMap(({ method, variant, id }) => {
      const verdicts = metrics.map((name) => [name, scores.byQuestion(id, scorerId, name)] as const)
      const [first] = verdicts
      if (!first || verdicts.every(([, questions]) => questions.length === 0)) return []
      const perRun = Object.fromEntries(verdicts.map(([name, questions]) => [name, countsOf(questions)]))
      const means = Object.fromEntries(Object.entries(perRun).map(([name, counts]) => [name, mean(counts)]))
      // scored questions of each run; failed ones are not in its counts
      const questions = byRun(first[1]).map(({ length }) => length)
      const row = { method, variant, perRun, mean: means, questions, ...votesOf(verdicts) }
      return [{ row, side: { id, name: rowName(row), scores: first[1] } }]
    })
    if (metric === undefined || rows.length === 0) return []
    const isRepeated = rows.every(({ row }) => row.questions.length > 1)
    const sides = rows.map(({ side }) => side)
    // the first count is tested, in all pairs of rows with a common question
    const tests = isRepeated ? testsOf(sides, manifest.seed, scores) : []
    return [{ scorer, metric, rows: rows.map(({ row }) => row), tests }]
  })

/** Scores by repeat, in order; the mean over judge runs. */
function byRun(questions: readonly QuestionScores[]): readonly (readonly number[])[] {
  const repeats = groupBy(
    questions.flatMap((question) => [...valuesByRepeat(question)]),
    ([repeat]) => repeat,
  )
  return [...repeats].sort(([a], [b]) => a - b).map(([, values]) => values.map(([, value]) => value))
}

/** Rounds sums, so that equal counts stay equal. */
const countsOf = (questions: readonly QuestionScores[]): readonly number[] =>
  byRun(questions).map((values) => Number(sum(values).toFixed(9)))

interface Side {
  readonly id: string
  readonly name: string
  readonly scores: readonly QuestionScores[]
}

function testsOf(sides: readonly Side[], seed: number, { questions, hasOwnIndexes }: ReadScores) {
  const tests = pairsAmong(sides, undefined).flatMap(([above, below]) => {
    // a failure is not a zero
    const inAbove = inEveryRun(above)
    const inBelow = inEveryRun(below)
    const x = countsOf([...inAbove.values()].filter(({ question }) => inBelow.has(question)))
    const sharedScores = [...inBelow.values()].filter(({ question }) => inAbove.has(question))
    if (sharedScores.length === 0) return []
    // as scipy.stats.mannwhitneyu: a test of the models' sampling; one-sided for papers that state a direction
    const { u1: u, p } = mannWhitney(x, countsOf(sharedScores), { alternative: 'two-sided' })
    const { p: pAbove } = mannWhitney(x, countsOf(sharedScores), { alternative: 'greater' })
    const [first, second] = [above, below].map(({ id, scores }) => scoredSide(scores, hasOwnIndexes(id)))
    const pair = first && second && comparePair(first, second, questions.clusterOf, seed)
    return [
      { above: above.name, below: below.name, questions: sharedScores.length, u, p, pAbove, paired: pairedOf(pair) },
    ]
  })
  const adjustedPs = holm(tests.map(({ p }) => p))
  return tests.map((test, index) => ({ ...test, pAdjusted: itemAt(adjustedPs, index) }))
}

/** Questions with a score in every run. */
function inEveryRun({ scores }: Side): ReadonlyMap<number, QuestionScores> {
  const runs = byRun(scores).length
  const complete = scores.filter(({ repeats }) => repeats.length === runs)
  return new Map(complete.map((questionScores) => [questionScores.question, questionScores]))
}

/** Paired difference over questions, two-sided p; null without a common question. */
function pairedOf(pair: ComparedPair | undefined) {
  if (!pair) return null
  const { difference, test, p, questions, clusters, smallestP } = pair
  return { difference, test, p, questions, clusters, smallestP }
}

/**
 * Votes of runs on labels; each label is a metric of 0 or 1. `majority`: questions by label, `none` without a majority;
 * `agreement`: share of agreeing pairs of runs, mean over questions; null with single runs.
 */
export function votesOf(verdicts: readonly (readonly [name: string, questions: readonly QuestionScores[]])[]) {
  const counts = verdicts.flatMap(([name, questions]) =>
    questions.map(({ question, repeats }) => {
      const values = repeats.flatMap((repeat) => repeat.values)
      return { name, question, runs: values.length, votes: sum(values.map(({ value }) => value)) }
    }),
  )
  const majority = new Map([...verdicts.map(([name]) => [name, 0] as const), ['none', 0]])
  const agreements: number[] = []
  for (const labels of groupBy(counts, ({ question }) => question).values()) {
    const runs = Math.max(...labels.map((label) => label.runs))
    // runs without any label agree on none
    const noLabel = { name: 'none', votes: runs - sum(labels.map(({ votes }) => votes)) }
    const all = [...labels, noLabel]
    const { name: winner } = all.find(({ votes }) => votes > runs / 2) ?? noLabel
    majority.set(winner, valueOf(majority, winner) + 1)
    if (runs > 1) agreements.push(sum(all.map(({ votes }) => votes * (votes - 1))) / (runs * (runs - 1)))
  }
  return { majority: Object.fromEntries(majority), agreement: agreements.length === 0 ? null : mean(agreements) }
}
