import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { averageRanks } from '../../math/statistics/average-ranks.ts'
import { around, cr2Mean, type Cr2Mean } from '../../math/statistics/cr2.ts'
import { mean, rounding } from '../../math/statistics/descriptive.ts'
import type { Manifest } from '../../records.ts'
import { rowName, variantOf } from '../../text/names.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import type { Scores } from '../gather/scores.ts'
import { comparedMetric, isRow, rowsToCompare } from './rows-to-compare.ts'

/** The scores of a run by row and question, in the metric that the run compares rows on. */
export interface ComparedRunScores {
  readonly run: string
  /** `scorer.metric`. */
  readonly metric: string
  /** By row name, without the options that the runs of a series vary. */
  readonly rows: ReadonlyMap<string, ScoresByQuestion>
}

/** A question has the same key in all runs. */
type ScoresByQuestion = ReadonlyMap<string, { readonly score: number; readonly cluster: string }>

/**
 * The run of a manifest, or the runs of its series; empty where no metric can be compared. `data` prefixes question
 * keys.
 */
export function comparedRuns(
  manifest: Manifest,
  scores: Pick<Scores, 'cells' | 'questions' | 'of'>,
  name = '',
  data = '',
): readonly ComparedRunScores[] {
  const keyOf = (question: number | string) => JSON.stringify([data, question])
  return runsIn(manifest).flatMap((run) => {
    const systems = rowsToCompare(manifest).filter((row) => runOfRow(manifest, row) === run)
    const cells = scores.cells.filter((cell) => systems.some((row) => isRow(row, cell)))
    const main = comparedMetric({ ...manifest, scorers: run.scorers }, cells)
    // the runs of a series share scorers of the same label
    const scorer = manifest.scorers.find((candidate) => candidate.scorer === main?.scorer)
    if (!main || !scorer) return []
    const common = (manifest.series ? run.varied : undefined) ?? []
    const rows = systems.map((row) => {
      const rest = (row.varied ?? []).filter(({ option }) => !common.some((value) => value.option === option))
      const variant = common.length === 0 ? row.variant : variantOf(rest)
      const label = rowName({ method: row.method, variant })
      const byQuestion = Array.from(scores.of(row.id, scorer.id, main.metric).scores, ([question, score]) => {
        return [keyOf(question), { score, cluster: keyOf(scores.questions.clusterOf(question)) }] as const
      })
      return [label, new Map(byQuestion)] as const
    })
    return [
      {
        run: manifest.series ? variantOf(common) : name,
        metric: `${scorer.scorer}.${main.metric}`,
        rows: new Map(rows.filter(([, byQuestion]) => byQuestion.size > 0)),
      },
    ]
  })
}

/** Rows compared over several runs, such as other datasets or other models. */
export type AcrossRuns = Exclude<ReturnType<typeof acrossRuns>, string | undefined>

/** Compares the rows of all runs; undefined for fewer than two runs or rows; a text explains why it cannot. */
export function acrossRuns(all: readonly ComparedRunScores[]) {
  const allNames = [...new Set(all.flatMap(({ rows }) => [...rows.keys()]))]
  const names = allNames.filter((name) => all.every(({ rows }) => rows.has(name)))
  if (all.length < 2 || names.length < 2) return undefined
  const runs = all.map(({ run, metric, rows: byName }) => {
    const rows = names.map((name) => valueOf(byName, name))
    const questions = questionsOf(rows)
    const common = questions.filter((question) => rows.every((row) => row.has(question)))
    const means = rows.map((row) => mean(common.map((question) => valueOf(row, question).score)))
    return { run, metric, rows, questions, common, means }
  })
  const empty = runs.find(({ common }) => common.length === 0)
  if (empty) return `no question of ${empty.run} has a score of ${empty.metric} in every row`
  // without the rounding errors of their sums
  const ranking = averageRanks(runs.map(({ means }) => means.map((score) => Math.round(score / rounding) * rounding)))
  const metrics = runs.map(({ metric }) => metric)
  const isOneMetric = new Set(metrics).size === 1
  const questions = runs.flatMap((run) => run.questions)
  const sharedQuestions = new Set(questions).size < questions.length
  // the better ranked row first; its difference is on the questions with a score in both rows
  const pairs = ranking.pairs.map(({ first: x, second: y, z, p, pHolm }) => {
    const a = z <= 0 ? x : y
    const b = z <= 0 ? y : x
    const byQuestion = runs.map(({ rows }) => differencesOf(itemAt(rows, a), itemAt(rows, b)))
    const differences = byQuestion.map((ofRun) => mean(Array.from(ofRun.values(), ({ score }) => score)))
    const won = differences.filter((difference) => difference > rounding).length
    const lost = differences.filter((difference) => difference < -rounding).length
    return {
      a: itemAt(names, a),
      b: itemAt(names, b),
      // runs in which a is above, equal to and below b
      won,
      tied: differences.length - won - lost,
      lost,
      differences,
      ...(isOneMetric
        ? summaryOf(differences, sharedQuestions ? overQuestions(byQuestion) : undefined)
        : { difference: null, ...unknownInterval }),
      z: -Math.abs(z),
      p,
      pAdjusted: pHolm,
    }
  })
  const rankOf = (row: string) => itemAt(ranking.ranks, names.indexOf(row))
  return {
    runs: runs.map(({ run }) => run),
    // by run, `scorer.metric`
    metrics,
    // whether two runs share questions, so that they are not independent
    sharedQuestions,
    rows: names
      .map((row, index) => ({ row, rank: rankOf(row), means: runs.map(({ means }) => itemAt(means, index)) }))
      .sort((x, y) => x.rank - y.rank),
    // rows that not every run has
    leftOut: allNames.filter((name) => !names.includes(name)),
    // questions without a score in every row, which ranks leave out
    dropped: questions.length - runs.flatMap(({ common }) => common).length,
    // null where they are not defined
    friedman: Number.isNaN(ranking.p) ? null : { chiSquared: ranking.chiSquared, p: ranking.p },
    imanDavenport: Number.isNaN(ranking.fP)
      ? null
      : { f: Number.isFinite(ranking.f) ? ranking.f : null, p: ranking.fP },
    // Nemenyi's, of mean ranks at .05
    criticalDifference: ranking.criticalDifference,
    pairs: pairs.sort((x, y) => rankOf(x.a) - rankOf(y.a) || rankOf(x.b) - rankOf(y.b)),
  }
}

const questionsOf = (rows: readonly ScoresByQuestion[]) => [...new Set(rows.flatMap((row) => [...row.keys()]))]

/** Differences of two rows of a run, by question. */
const differencesOf = (a: ScoresByQuestion, b: ScoresByQuestion) =>
  new Map(
    [...a].flatMap(([question, { score, cluster }]) => {
      const opponent = b.get(question)
      return opponent ? [[question, { score: score - opponent.score, cluster }] as const] : []
    }),
  )

/** Mean over questions of the difference, itself the mean over the runs with that question. */
function overQuestions(runs: readonly ScoresByQuestion[]): Cr2Mean {
  const byQuestion = [
    ...groupBy(
      runs.flatMap((run) => [...run]),
      ([question]) => question,
    ).values(),
  ]
  return cr2Mean(
    byQuestion.map((scores) => mean(scores.map(([, { score }]) => score))),
    byQuestion.map(([[, { cluster }]]) => cluster),
  )
}

/**
 * Mean over runs, its error and 95 % interval by Student's t, with runs as a sample. Shared questions add their
 * variance (CR2), which counts a part of it twice. Null where unknown.
 */
function summaryOf(differences: readonly number[], questions: Cr2Mean | undefined) {
  const between = cr2Mean(differences, [...differences.keys()])
  const error = Math.hypot(between.error, questions?.error ?? 0)
  const degrees = Math.min(between.degrees, questions?.degrees ?? Infinity)
  const interval = error > 0 ? { error, ...around(between.mean, { error, degrees }) } : unknownInterval
  return { difference: between.mean, ...interval }
}

const unknownInterval = { error: null, low: null, high: null } as const
