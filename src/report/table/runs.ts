import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { mean, sum } from '../../math/statistics/descriptive.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { comparePair } from '../compare/compare-family.ts'
import { pairsAmong } from '../compare/rows-to-compare.ts'
import { valuesByRepeat, type QuestionScores, type ScoredRow } from '../gather/observations.ts'
import type { Scores } from '../gather/scores.ts'

/** Single runs (repeats) of a scorer with count columns. */
export type Runs = ReturnType<typeof runsOf>[number]

/** Compares two rows by question, and the counts of their runs. */
export type RunsTest = ReturnType<typeof testsOf>[number]

type ReadScores = Pick<Scores, 'of' | 'questions'>

/** Runs of every scorer with count columns and scores. */
export const runsOf = (manifest: Manifest, scores: ReadScores) =>
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
      const row = { method, variant, perRun, mean: means, questions, ...votes }
      return [{ row, side: { name: rowName(row), ...first[1] } }]
    })
    if (metric === undefined || rows.length === 0) return []
    const isRepeated = rows.every(({ row }) => row.questions.length > 1)
    const testedRows = rows.map(({ side }) => side)
    // the first count is tested, in all pairs of rows with a common question
    const tests = isRepeated ? testsOf(testedRows, manifest.seed, scores) : []
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
const countsOf = (questions: readonly QuestionScores[]) =>
  byRun(questions).map((values) => Number(sum(values).toFixed(9)))

interface TestedRow extends ScoredRow {
  readonly name: string
}

function testsOf(rows: readonly TestedRow[], seed: number, { questions }: ReadScores) {
  const tests = pairsAmong(rows, undefined).flatMap(([above, below]) => {
    // a failure is not a zero: questions with a score in every run of both rows
    const completeBelow = new Set(inEveryRun(below))
    const common = new Set(inEveryRun(above).filter((question) => completeBelow.has(question)))
    if (common.size === 0) return []
    const commonCounts = (row: TestedRow) => {
      const commonQuestions = row.questions().filter(({ question }) => common.has(question))
      return countsOf(commonQuestions)
    }
    const x = commonCounts(above)
    const y = commonCounts(below)
    // as scipy.stats.mannwhitneyu: a test of the models' sampling; one-sided for papers that state a direction
    const { u1: u, p } = mannWhitney(x, y, { alternative: 'two-sided' })
    const { p: pAbove } = mannWhitney(x, y, { alternative: 'greater' })
    const pairTest = comparePair(above, below, questions.clusterOf, seed) ?? null
    return [{ above: above.name, below: below.name, questions: common.size, u, p, pAbove, paired: pairTest }]
  })
  const adjustedPs = holm(tests.map(({ p }) => p))
  return tests.map((test, index) => ({ ...test, pAdjusted: itemAt(adjustedPs, index) }))
}

/** Questions with a score in every run. */
function inEveryRun(row: TestedRow): readonly number[] {
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
