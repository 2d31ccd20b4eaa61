import { groupBy, itemAt } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { mean, sum, type Alternative } from '../../math/statistics/descriptive.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import type { Manifest, Row, ScorerRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { comparePair, scoredSide, type ComparedPair } from '../compare/compare-pair.ts'
import type { QuestionScores } from '../gather/estimate.ts'
import type { Scores } from '../gather/scores.ts'

/** Single runs (repeats) of a scorer with count columns. `metric`, the first count, is tested. */
export interface Runs {
  readonly scorer: string
  readonly metric: string
  readonly rows: readonly RunsOfRow[]
  /** All pairs of rows; empty where a row has one run or a pair has no common question. */
  readonly tests: readonly RunsTest[]
}

interface RunsOfRow extends Row, Votes {
  /** By metric and run; the mean over judge runs. */
  readonly perRun: Readonly<Record<string, readonly number[]>>
  /** Scored questions of each run; failed ones are not in its counts. */
  readonly questions: readonly number[]
  /** Mean over runs, by metric. */
  readonly mean: Readonly<Record<string, number>>
}

/** Compares two rows by question, and the counts of their runs. */
export interface RunsTest {
  readonly above: string
  readonly below: string
  /** Questions with scores of both rows in every run; a failure is not a zero. */
  readonly questions: number
  readonly u: number
  /** Two-sided, as scipy.stats.mannwhitneyu: a test of the models' sampling. */
  readonly p: number
  /** One-sided, for papers that state a direction. */
  readonly pAbove: number
  readonly pAdjusted: number
  /** Paired difference over questions, two-sided p; null without a common question. */
  readonly paired: Pick<ComparedPair, 'difference' | 'test' | 'p' | 'questions' | 'clusters' | 'smallestP'> | null
}

/** Runs of every scorer with count columns and scores. */
export const runsOf = (
  manifest: Manifest,
  scores: Pick<Scores, 'byQuestion' | 'questions' | 'hasOwnIndexes'>,
): readonly Runs[] =>
  manifest.scorers.flatMap((scorer) => {
    // causes of failures have no better or worse
    if (scorer.failures) return []
    const metrics = scorer.columns.flatMap(({ metric, unit }) => (unit === 'count' ? [metric] : []))
    const [metric] = metrics
    const rows = manifest.methods.flatMap(({ method, variant, id }) => {
      const scoresByMetric = metrics.map((name) => [name, scores.byQuestion(id, scorer.id, name)] as const)
      if (scoresByMetric.every(([, questions]) => questions.length === 0)) return []
      const perRun = Object.fromEntries(scoresByMetric.map(([name, questions]) => [name, countsOf(questions)]))
      const means = Object.fromEntries(Object.entries(perRun).map(([name, counts]) => [name, mean(counts)]))
      const questions = byRun(itemAt(scoresByMetric, 0)[1]).map(({ length }) => length)
      return [{ method, variant, id, perRun, mean: means, questions, ...votesOf(scoresByMetric) }]
    })
    if (metric === undefined || rows.length === 0) return []
    const tests = testsOf(rows, metric, scorer, manifest, scores)
    return [{ scorer: scorer.scorer, metric, rows: rows.map(({ id: _, ...row }) => row), tests }]
  })

/** Scores by repeat, in order; the mean over judge runs. */
function byRun(questions: readonly QuestionScores[]): readonly (readonly number[])[] {
  const runs = groupBy(
    questions.flatMap(({ repeats }) => repeats),
    ({ repeat }) => repeat,
  )
  return [...runs]
    .sort(([a], [b]) => a - b)
    .map(([, runScores]) => runScores.map(({ values }) => mean(values.map(({ value }) => value))))
}

/** Rounds sums, so that equal counts stay equal. */
const countsOf = (questions: readonly QuestionScores[]): readonly number[] =>
  byRun(questions).map((values) => Number(sum(values).toFixed(9)))

/** Questions with a score in every run. */
function inEveryRun(questions: readonly QuestionScores[]): readonly QuestionScores[] {
  const runs = byRun(questions).length
  return questions.filter(({ repeats }) => repeats.length === runs)
}

function testsOf(
  rows: readonly (RunsOfRow & { readonly id: string })[],
  metric: string,
  { id: scorer }: ScorerRecord,
  { seed }: Manifest,
  scores: Pick<Scores, 'byQuestion' | 'questions' | 'hasOwnIndexes'>,
): readonly RunsTest[] {
  if (rows.some(({ perRun }) => (perRun[metric] ?? []).length < 2)) return []
  const scoresOf = (id: string): readonly QuestionScores[] => scores.byQuestion(id, scorer, metric)
  const tests = rows.flatMap((first, place) =>
    rows.slice(place + 1).flatMap((second) => {
      const pairScores = [scoresOf(first.id), scoresOf(second.id)] as const
      const [x, y] = sharedBy(inEveryRun(pairScores[0]), inEveryRun(pairScores[1]))
      if (x.length === 0) return []
      const test = (alternative: Alternative) => mannWhitney(countsOf(x), countsOf(y), { alternative })
      const { u1: u, p } = test('two-sided')
      const pair = comparePair(
        scoredSide(pairScores[0], scores.hasOwnIndexes(first.id)),
        scoredSide(pairScores[1], scores.hasOwnIndexes(second.id)),
        scores.questions.clusterOf,
        seed,
      )
      const names = { above: rowName(first), below: rowName(second) }
      const pAbove = test('greater').p
      return { ...names, questions: x.length, u, p, pAbove, paired: pair ? pairedOf(pair) : null }
    }),
  )
  const adjustedPs = holm(tests.map(({ p }) => p))
  return tests.map((test, index) => ({ ...test, pAdjusted: itemAt(adjustedPs, index) }))
}

function sharedBy(...rows: readonly [readonly QuestionScores[], readonly QuestionScores[]]) {
  const [first, second] = rows.map((row) => new Set(row.map(({ question }) => question)))
  const isShared = ({ question }: QuestionScores) => first?.has(question) === true && second?.has(question) === true
  return [rows[0].filter(isShared), rows[1].filter(isShared)] as const
}

const pairedOf = ({ difference, test, p, questions, clusters, smallestP }: ComparedPair): RunsTest['paired'] => ({
  difference,
  test,
  p,
  questions,
  clusters,
  smallestP,
})

interface Votes {
  /** Questions by majority label; `none` without a majority. */
  readonly majority: Readonly<Record<string, number>>
  /** Share of agreeing pairs of runs, mean over questions; null with single runs. */
  readonly agreement: number | null
}

/** Votes of runs on labels; each label is a metric of 0 or 1. */
export function votesOf(verdicts: readonly (readonly [name: string, questions: readonly QuestionScores[]])[]): Votes {
  const countsByQuestion = new Map<number, Map<string, number>>()
  const runsOfQuestion = new Map<number, number>()
  for (const [name, questions] of verdicts)
    for (const { question, repeats } of questions) {
      const values = repeats.flatMap((repeat) => repeat.values)
      const questionCounts = countsByQuestion.get(question) ?? new Map<string, number>()
      countsByQuestion.set(question, questionCounts)
      questionCounts.set(name, sum(values.map(({ value }) => value)))
      runsOfQuestion.set(question, Math.max(runsOfQuestion.get(question) ?? 0, values.length))
    }
  const names = [...verdicts.map(([name]) => name), 'none']
  const majority = Object.fromEntries(names.map((name) => [name, 0]))
  const agreements: number[] = []
  for (const [question, counts] of countsByQuestion) {
    const runs = runsOfQuestion.get(question) ?? 0
    // runs without any label agree on none
    counts.set('none', runs - sum([...counts.values()]))
    const winner = [...counts].find(([, count]) => count > runs / 2)?.[0] ?? 'none'
    majority[winner] = (majority[winner] ?? 0) + 1
    const agreeing = sum(Array.from(counts.values(), (count) => count * (count - 1)))
    if (runs > 1) agreements.push(agreeing / (runs * (runs - 1)))
  }
  return { majority, agreement: agreements.length === 0 ? null : mean(agreements) }
}
