import { itemAt, valueOf } from '../../basics/collections.ts'
import { averageRanks } from '../../math/statistics/average-ranks.ts'
import { cr2Mean, type Cr2Mean } from '../../math/statistics/cr2.ts'
import { mean, rounding } from '../../math/statistics/descriptive.ts'
import { studentCritical } from '../../math/statistics/distributions.ts'
import type { Manifest, MethodRecord, VariedValue } from '../../records.ts'
import { rowName, variantOf } from '../../text/names.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import type { Cell } from '../table/estimate.ts'
import type { Scores } from '../table/gather-scores.ts'
import { comparedMetric, isRow, rowsToCompare } from './rows-to-compare.ts'

/** A run with the scores of its rows by question, in the metric that it compares rows on. */
export interface ComparedRunScores {
  readonly run: string
  /** `scorer.metric`. */
  readonly metric: string
  /** By the name of the row, without what the runs of a series vary. */
  readonly rows: ReadonlyMap<string, ScoresByQuestion>
}

/** Questions of one name are the same in all runs. */
type ScoresByQuestion = ReadonlyMap<string, { readonly score: number; readonly cluster: string }>

/** The run of a manifest, or those of a series; questions are named by `data`, too. None where nothing is compared. */
export function comparedRuns(
  manifest: Manifest,
  scores: Pick<Scores, 'cells' | 'questions' | 'byQuestion'>,
  name = '',
  data = '',
): readonly ComparedRunScores[] {
  const keyOf = (question: number | string): string => JSON.stringify([data, question])
  return runsIn(manifest).flatMap((run) => {
    const own = rowsToCompare(manifest).filter((row) => runOfRow(manifest, row) === run)
    const isOwn = (cell: Cell): boolean => own.some((row) => isRow(row, cell))
    const chosen = comparedMetric({ ...manifest, scorers: run.scorers }, scores.cells.filter(isOwn))
    // of a series, scorers of one label are one
    const scorer = manifest.scorers.find((one) => one.scorer === chosen?.scorer.scorer)
    if (!chosen || !scorer) return []
    const varied = (manifest.series ? run.varied : undefined) ?? []
    const rows = own.flatMap((row) => {
      const byQuestion = scores.byQuestion(row.id, scorer.id, chosen.metric).map(({ question, mean: score }) => {
        return [keyOf(question), { score, cluster: keyOf(scores.questions.clusterOf(question)) }] as const
      })
      return byQuestion.length === 0 ? [] : [[nameWithout(varied, row), new Map(byQuestion)] as const]
    })
    const metric = `${scorer.scorer}.${chosen.metric}`
    return [{ run: manifest.series ? variantOf(varied) : name, metric, rows: new Map(rows) }]
  })
}

function nameWithout(varied: readonly VariedValue[], row: MethodRecord): string {
  if (varied.length === 0) return rowName(row)
  const rest = (row.varied ?? []).filter(({ option }) => !varied.some((one) => one.option === option))
  return rowName({ method: row.method, variant: variantOf(rest) })
}

/** Rows compared over several runs: other datasets, or other models. */
export interface AcrossRuns {
  readonly runs: readonly string[]
  /** By run, `scorer.metric`. */
  readonly metrics: readonly string[]
  /** Whether two runs asked the same questions: then they are not independent of each other. */
  readonly sharedQuestions: boolean
  /** Those of every run, by their mean rank, the best first. */
  readonly rows: readonly RankedRow[]
  /** Rows that not every run has. */
  readonly leftOut: readonly string[]
  /** Questions, of all runs together, that not every row has a score for: ranks are without them. */
  readonly dropped: number
  /** Friedman's test that all rows rank alike, and that of Iman and Davenport; null where it cannot be made. */
  readonly friedman: { readonly chiSquared: number; readonly p: number } | null
  readonly imanDavenport: { readonly f: number | null; readonly p: number } | null
  /** Mean ranks that differ by as much differ at .05 (Nemenyi). */
  readonly criticalDifference: number
  /** Better ranked rows against those behind them. */
  readonly pairs: readonly PairAcross[]
}

interface RankedRow {
  readonly row: string
  readonly rank: number
  /** By run. */
  readonly means: readonly number[]
}

/** Two rows: `a` minus `b`, on the questions that both have a score for. */
interface PairAcross {
  readonly a: string
  readonly b: string
  /** Runs in which `a` is above, equal to and below `b`. */
  readonly won: number
  readonly tied: number
  readonly lost: number
  /** By run. */
  readonly differences: readonly number[]
  /**
   * The mean over runs, its error and 95 % interval by Student's t, runs being a sample; shared questions are drawn,
   * too (CR2), which counts a part of the variance twice. Null where not known, and for several metrics.
   */
  readonly difference: number | null
  readonly error: number | null
  readonly low: number | null
  readonly high: number | null
  readonly z: number
  readonly p: number
  /** By Holm over all pairs. */
  readonly pAdjusted: number
}

/** Compares the rows that all runs have; undefined for fewer than two runs or rows; a text says why it cannot be. */
export function acrossRuns(all: readonly ComparedRunScores[]): AcrossRuns | string | undefined {
  if (all.length < 2) return undefined
  const named = [...new Set(all.flatMap(({ rows }) => [...rows.keys()]))]
  const names = named.filter((name) => all.every(({ rows }) => rows.has(name)))
  if (names.length < 2) return undefined
  const tables = all.map(({ rows }) => names.map((name) => valueOf(rows, name)))
  const common = tables.map((rows) => questionsOf(rows).filter((one) => rows.every((row) => row.has(one))))
  const empty = all.find((_, index) => itemAt(common, index).length === 0)
  if (empty) return `no question of ${empty.run} has a score of ${empty.metric} in every row`
  const means = tables.map((rows, index) =>
    rows.map((row) => mean(itemAt(common, index).map((one) => valueOf(row, one).score))),
  )
  // equal but for the rounding of their sums
  const ranked = averageRanks(means.map((own) => own.map((score) => Math.round(score / rounding) * rounding)))
  const asked = tables.map(questionsOf)
  const metrics = all.map(({ metric }) => metric)
  const isOneMetric = new Set(metrics).size === 1
  const sharedQuestions = new Set(asked.flat()).size < asked.flat().length
  const pairs = ranked.pairs.map(({ first: x, second: y, z, p, pHolm }): PairAcross => {
    const [a, b] = z <= 0 ? [x, y] : [y, x]
    const found = tables.map((rows) => differencesOf(itemAt(rows, a), itemAt(rows, b)))
    const differences = found.map((own) => mean(Array.from(own.values(), ({ score }) => score)))
    const count = (sign: number): number =>
      differences.filter((one) => Math.sign(Math.abs(one) <= rounding ? 0 : one) === sign).length
    return {
      a: itemAt(names, a),
      b: itemAt(names, b),
      won: count(1),
      tied: count(0),
      lost: count(-1),
      differences,
      ...(isOneMetric ? summaryOf(differences, sharedQuestions ? overQuestions(found) : undefined) : noSummary),
      z: -Math.abs(z),
      p,
      pAdjusted: pHolm,
    }
  })
  const rankOf = (row: string): number => itemAt(ranked.ranks, names.indexOf(row))
  return {
    runs: all.map(({ run }) => run),
    metrics,
    sharedQuestions,
    rows: names
      .map((row, index) => ({ row, rank: rankOf(row), means: means.map((own) => itemAt(own, index)) }))
      .sort((x, y) => x.rank - y.rank),
    leftOut: named.filter((name) => !names.includes(name)),
    dropped: asked.flat().length - common.flat().length,
    friedman: Number.isNaN(ranked.p) ? null : { chiSquared: ranked.chiSquared, p: ranked.p },
    imanDavenport: Number.isNaN(ranked.fP) ? null : { f: finite(ranked.f), p: ranked.fP },
    criticalDifference: ranked.criticalDifference,
    pairs: pairs.sort((x, y) => rankOf(x.a) - rankOf(y.a) || rankOf(x.b) - rankOf(y.b)),
  }
}

const questionsOf = (rows: readonly ScoresByQuestion[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => [...row.keys()])),
]

/** The differences of two rows of a run on the questions that both have a score for. */
const differencesOf = (a: ScoresByQuestion, b: ScoresByQuestion): ScoresByQuestion =>
  new Map(
    [...a].flatMap(([question, { score, cluster }]) => {
      const other = b.get(question)
      return other ? [[question, { score: score - other.score, cluster }] as const] : []
    }),
  )

/** The mean over questions of their differences, each in the mean over the runs that asked it. */
function overQuestions(runs: readonly ScoresByQuestion[]): Cr2Mean {
  const found = questionsOf(runs).map((question) => runs.flatMap((own) => own.get(question) ?? []))
  return cr2Mean(
    found.map((own) => mean(own.map(({ score }) => score))),
    found.map((own) => itemAt(own, 0).cluster),
  )
}

const noSummary = { difference: null, error: null, low: null, high: null } as const

function summaryOf(
  differences: readonly number[],
  questions: Cr2Mean | undefined,
): Pick<PairAcross, 'difference' | 'error' | 'low' | 'high'> {
  const between = cr2Mean(differences, [...differences.keys()])
  const error = Math.hypot(between.error, questions?.error ?? 0)
  const degrees = Math.min(between.degrees, questions?.degrees ?? Infinity)
  const difference = between.mean
  if (!(error > 0)) return { difference, error: null, low: null, high: null }
  const reach = studentCritical(0.95, degrees) * error
  return { difference, error, low: difference - reach, high: difference + reach }
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
