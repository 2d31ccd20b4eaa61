import { rowName } from '../../basics/row-name.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { mannWhitney } from '../../math/statistics/mann-whitney.ts'
import { mean } from '../../math/statistics/sum.ts'
import type { Manifest, Row, ScorerRecord } from '../../records.ts'
import { comparePair, type ComparedPair } from '../compare/compare-pair.ts'
import type { Scores } from '../table/gather-scores.ts'
import type { QuestionScores } from '../table/observations.ts'
import { type Votes, votesOf } from './votes.ts'

/** The single runs (repeats) of a scorer that shows counts. `metric`, its first count, is the one that is tested. */
export interface Runs {
  readonly scorer: string
  readonly metric: string
  readonly rows: readonly RunsOfRow[]
  /** Each row against every later one: whether its runs count more. None where a row has fewer than two runs. */
  readonly tests: readonly RunsTest[]
}

/** What the runs of a row counted. */
export interface RunsOfRow extends Row, Votes {
  /** By metric, in the order of the runs; of several judge runs the mean. */
  readonly perRun: Readonly<Record<string, readonly number[]>>
  /** By metric, the mean over the runs. */
  readonly mean: Readonly<Record<string, number>>
}

/** Whether the runs of one row count more than those of another, and beside it the same rows compared question by question. */
export interface RunsTest {
  readonly above: string
  readonly below: string
  readonly u: number
  /** One-sided, as scipy.stats.mannwhitneyu computes it. It says how far the models' sampling differs, on the same questions. */
  readonly p: number
  /** By Holm over all pairs. */
  readonly pAdjusted: number
  /** The difference of the shares, first minus second, over questions; its p is two-sided. Null where they share no question. */
  readonly paired: Pick<ComparedPair, 'difference' | 'test' | 'p' | 'questions' | 'clusters' | 'smallestP'> | null
}

/** The runs of every scorer that shows counts, where there is one and something was scored. */
export const runsOf = (manifest: Manifest, scores: Pick<Scores, 'byQuestion' | 'questions'>): readonly Runs[] =>
  manifest.scorers.flatMap((scorer) => {
    const metrics = scorer.columns.flatMap(({ metric, unit }) => (unit === 'count' ? [metric] : []))
    const [metric] = metrics
    const rows = manifest.methods.flatMap(({ method, variant, id }) => {
      const found = metrics.map((one) => [one, scores.byQuestion(id, scorer.id, one)] as const)
      if (found.every(([, questions]) => questions.length === 0)) return []
      const perRun = Object.fromEntries(found.map(([one, questions]) => [one, countsOf(questions)]))
      const means = Object.fromEntries(Object.entries(perRun).map(([one, counts]) => [one, mean(counts)]))
      return [{ method, variant, id, perRun, mean: means, ...votesOf(found) }]
    })
    if (metric === undefined || rows.length === 0) return []
    const tests = testsOf(rows, metric, scorer, manifest, scores)
    return [{ scorer: scorer.scorer, metric, rows: rows.map(({ id: _, ...row }) => row), tests }]
  })

/** The sum over questions in each repeat, in order; judge runs in the mean. */
function countsOf(questions: readonly QuestionScores[]): readonly number[] {
  const sums = new Map<number, number>()
  for (const { repeats } of questions)
    for (const { repeat, values } of repeats)
      sums.set(repeat, (sums.get(repeat) ?? 0) + mean(values.map(({ value }) => value)))
  return [...sums].sort(([a], [b]) => a - b).map(([, sum]) => sum)
}

function testsOf(
  rows: readonly (RunsOfRow & { readonly id: string })[],
  metric: string,
  { id: scorer }: ScorerRecord,
  { seed }: Manifest,
  scores: Pick<Scores, 'byQuestion' | 'questions'>,
): readonly RunsTest[] {
  if (rows.some(({ perRun }) => (perRun[metric]?.length ?? 0) < 2)) return []
  const scoresOf = (id: string): readonly QuestionScores[] => scores.byQuestion(id, scorer, metric)
  const found = rows.flatMap((first, place) =>
    rows.slice(place + 1).map((second) => {
      const { u1: u, p } = mannWhitney(first.perRun[metric] ?? [], second.perRun[metric] ?? [], {
        alternative: 'greater',
      })
      const pair = comparePair(scoresOf(first.id), scoresOf(second.id), scores.questions, seed)
      return { above: rowName(first), below: rowName(second), u, p, paired: pair ? pairedOf(pair) : null }
    }),
  )
  const adjusted = holm(found.map(({ p }) => p))
  return found.map((one, index) => ({ ...one, pAdjusted: adjusted[index] ?? 1 }))
}

const pairedOf = ({ difference, test, p, questions, clusters, smallestP }: ComparedPair): RunsTest['paired'] => ({
  ...{ difference, test, p, questions, clusters, smallestP },
})
