import { groupBy, valueOf } from '../../basics/collections.ts'
import { mean, sum } from '../../math/statistics/descriptive.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import type { Manifest } from '../../records.ts'
import { comparePair } from '../compare/compare-family.ts'
import { valuesByRepeat, type ClusterOf, type QuestionScores, type ScoredRow } from '../gather/observations.ts'
import type { Scores } from '../gather/scores.ts'

/** Single runs (repeats) of a scorer with count columns. */
export type Runs = ReturnType<typeof runsOf>[number]

/** Runs of every scorer with count columns and scores. */
export const runsOf = (manifest: Manifest, scores: Pick<Scores, 'of'>) =>
  manifest.scorers.flatMap(({ scorer, id: scorerId, columns, failures }) => {
    // causes of failures have no better or worse
    const metrics = columns.flatMap(({ metric, unit }) => (unit === 'count' && !failures ? [metric] : []))
    const [metric] = metrics
    const rows = manifest.methods.flatMap(({ method, variant, id }) => {
      const verdicts = metrics.map((name) => [name, scores.of(id, scorerId, name)] as const)
      const [first] = verdicts
      if (!first || verdicts.every(([, row]) => row.scores.size === 0)) return []
      const perRun = Object.fromEntries(verdicts.map(([name, row]) => [name, countsOf(row.questions())]))
      const means = Object.fromEntries(Object.entries(perRun).map(([name, counts]) => [name, mean(counts)]))
      // scored questions of each run; failed ones are not in its counts
      const questions = byRun(first[1].questions()).map(({ length }) => length)
      const votes = votesOf(verdicts.map(([name, row]) => [name, row.questions()]))
      return [{ method, variant, perRun, mean: means, questions, ...votes }]
    })
    return metric === undefined || rows.length === 0 ? [] : [{ scorer, metric, rows }]
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
const countsOf = (questions: readonly QuestionScores[]) =>
  byRun(questions).map((values) => Number(sum(values).toFixed(9)))

/** Compares the counts of two rows between their runs, and the rows by question. */
export type RunsTest = NonNullable<ReturnType<typeof testRuns>>

/** Undefined for single runs, or without a question that both rows have scored in every run. */
export function testRuns(above: ScoredRow, below: ScoredRow, clusterOf: ClusterOf, seed: number) {
  // a failure is not a zero
  const completeBelow = new Set(inEveryRun(below))
  const common = new Set(inEveryRun(above).filter((question) => completeBelow.has(question)))
  const commonCounts = (row: ScoredRow) => {
    const commonQuestions = row.questions().filter(({ question }) => common.has(question))
    return countsOf(commonQuestions)
  }
  const x = commonCounts(above)
  const y = commonCounts(below)
  if (x.length < 2 || y.length < 2) return undefined
  // as scipy.stats.mannwhitneyu: a test of the models' sampling
  const { u1: u, p: pAbove } = mannWhitney(x, y, { alternative: 'greater' })
  const pairTest = comparePair(above, below, clusterOf, seed) ?? null
  return { questions: common.size, u, pAbove, paired: pairTest }
}

/** Questions with a score in every run. */
function inEveryRun(row: ScoredRow): readonly number[] {
  const questions = row.questions()
  const runs = byRun(questions).length
  return questions.flatMap((scores) => (valuesByRepeat(scores).size === runs ? [scores.question] : []))
}

/**
 * Votes of runs on labels; each label is a metric of 0 or 1. `majority`: questions by label, `none` without a majority;
 * `agreement`: share of agreeing pairs of runs, mean over questions; null with single runs.
 */
export function votesOf(verdicts: readonly (readonly [name: string, questions: readonly QuestionScores[]])[]) {
  const counts = verdicts.flatMap(([name, questions]) =>
    questions.map(({ question, values }) => ({
      name,
      question,
      runs: values.length,
      votes: sum(values.map(({ value }) => value)),
    })),
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
  return {
    majority: Object.fromEntries(majority),
    agreement: agreements.length === 0 ? null : mean(agreements),
  }
}
