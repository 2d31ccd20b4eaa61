import type { Manifest, MethodRecord, Row } from '../../records.ts'
import { rangeOf, unseenCalls } from '../../basics/metrics.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { acrossRuns, comparedRuns, type AcrossRuns } from '../compare/across-runs.ts'
import { compareRows } from '../compare/compare-rows.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { decide, usualMargin, type Decision } from '../compare/decide.ts'
import { isOfMetric, isRow, retrievalMetric } from '../compare/rows-to-compare.ts'
import { hasOfflineAnswers, syntheticOf, type Synthetic } from '../synthetic.ts'
import type { Cell } from '../gather/estimate.ts'
import type { QuestionNumbers } from '../gather/observations.ts'
import { gatherScores, type Scores } from '../gather/scores.ts'
import { gatherTrials, type Journals, type Trials } from '../gather/trials.ts'
import { emptyRow, type RowSummary } from '../gather/row-summary.ts'
import { trendsOf, type Trend } from '../compare/trends.ts'
import { referenceCells } from './reference-cells.ts'
import { type Runs, runsOf } from './runs.ts'
import { costsOfRow, type CostsOfRow } from '../gather/costs-of-row.ts'
import { usageCells, type UsageCell } from '../gather/usage.ts'

/** The content of table.json. */
export interface Table {
  readonly name: string
  readonly hash: string
  readonly dataset: string
  /** Absent for none. */
  readonly synthetic?: Synthetic
  readonly cells: readonly Cell[]
  /** Pairwise tests, or why there are none; neither for fewer than two rows. */
  readonly comparison?: RowComparison
  readonly notCompared?: string
  /** The recommended row; absent where rows are not compared or scores are constant. */
  readonly decision?: Decision
  /** Comparison over the runs of a series or several tables, or why there is none. */
  readonly across?: AcrossRuns
  readonly notAcross?: string
  /** Of numeric options with three or more values. */
  readonly trends?: readonly Trend[]
  /** Of scorers with count columns. */
  readonly runs?: readonly Runs[]
  readonly usage: readonly UsageCell[]
  readonly sameContexts?: Trials['sameContexts']
  readonly rows: readonly TableRow[]
}

/** `failed` counts trials, `failedScores` scores of successful trials. */
export interface TableRow extends Row, RowSummary, Pick<MethodRecord, 'varied' | 'inConfig'> {
  readonly failedScores: number
  readonly scoreFailures: Readonly<Record<string, number>>
  readonly skipped: ReturnType<Scores['skipped']>
  readonly costs: CostsOfRow
}

/** The table row at the index of its manifest row. */
export function rowAt({ rows }: Pick<Table, 'rows'>, index: number): TableRow {
  const row = rows[index]
  if (!row) throw new Error(`the table has no row ${index}`)
  return row
}

/** Reads each file once, in constant memory. */
export const tableOf = async (manifest: Manifest, journals: Journals): Promise<Table> =>
  (await scoredTableOf(manifest, journals)).table

/** The name for a comparison over several tables, and question numbers that runs on the same data share. */
interface RunContext {
  readonly name?: string
  readonly questions?: QuestionNumbers
}

/** The table, its scores, and those for a comparison over several tables. */
export async function scoredTableOf(manifest: Manifest, journals: Journals, { name, questions }: RunContext = {}) {
  const trials = await gatherTrials(manifest, journals.trials())
  const scores = await gatherScores(manifest, journals.scores(), trials, questions)
  const usage = await usageCells(manifest, journals.timings(), (id, phase) =>
    (phase === 'judge' ? scores : trials).usage(id, phase),
  )
  const rows = manifest.methods.map((row) => tableRow(row, usage, trials, scores))
  const comparison = compareRows(manifest, scores)
  const decision = typeof comparison === 'object' && decisionOf(manifest, comparison, scores, rows)
  const runs = runsOf(manifest, scores)
  const trends = trendsOf(manifest, scores)
  // a single run has nothing to be compared with, and its scores by question would double the memory
  const runScores = name !== undefined || manifest.series ? comparedRuns(manifest, scores, name) : []
  const table: Table = {
    name: manifest.name,
    hash: manifest.hash,
    dataset: manifest.dataset.name,
    ...syntheticOf(manifest),
    cells: [...scores.cells, ...referenceCells(manifest, scores)],
    ...(typeof comparison === 'string' ? { notCompared: comparison } : comparison && { comparison }),
    ...(decision && { decision }),
    ...acrossRuns(runScores),
    ...(trends.length > 0 && { trends }),
    ...(runs.length > 0 && { runs }),
    ...(trials.sameContexts.length > 0 && { sameContexts: trials.sameContexts }),
    usage,
    rows,
  }
  return { table, scores, runScores }
}

function tableRow(row: MethodRecord, usage: readonly UsageCell[], trials: Trials, scores: Scores): TableRow {
  const { method, variant, varied, inConfig, id } = row
  const summary = trials.rows.get(id) ?? emptyRow
  const scoreFailures = scores.failures(id)
  const cells = usage.filter((cell) => isRow(cell, row))
  return {
    method,
    variant,
    ...(varied && { varied }),
    ...(inConfig === false && { inConfig }),
    ...summary,
    failedScores: sum(Object.values(scoreFailures)),
    scoreFailures,
    skipped: scores.skipped(id),
    costs: costsOfRow(summary, cells),
  }
}

/** The decision needs all pairs, even where the table compares with a baseline. */
function decisionOf(
  manifest: Manifest,
  tableComparison: RowComparison,
  scores: Scores,
  rows: Table['rows'],
): Decision | undefined {
  const { baseline: _baseline, ...compare } = manifest.compare ?? {}
  // answers of an offline stand-in compare nothing but retrieval
  const isOffline = hasOfflineAnswers(manifest) && !compare.metric
  const retrieval = isOffline ? retrievalMetric(manifest, scores.cells) : undefined
  const { scorer, metric } = retrieval ?? tableComparison
  const isSame =
    tableComparison.baseline === null && isOfMetric({ ...tableComparison, subset: 'all' }, { scorer, metric })
  const comparison = isSame
    ? tableComparison
    : compareRows({ ...manifest, compare: { ...compare, metric: { scorer, metric }, allPairs: true } }, scores)
  const record = manifest.scorers.find((candidate) => candidate.scorer === scorer)
  const range = rangeOf(metric, record?.ranges)
  const isConstant = record?.judgeTest?.always !== undefined
  if (typeof comparison !== 'object' || isConstant || !range.every(Number.isFinite)) return undefined
  const comparedRows = comparison.rows.flatMap((row) => rows.find((candidate) => isRow(candidate, row)) ?? [])
  if (comparedRows.some(({ warnings }) => warnings[unseenCalls] !== undefined)) return undefined
  return decide(comparison, {
    margin: manifest.compare?.margin ?? usualMargin,
    range,
    costs: comparedRows.map(({ costs }) => costs),
    repeats: manifest.repeats,
    growthOf: (questions) => (manifest.dataset.corpora > 1 ? questions / manifest.dataset.questions : 1),
  })
}
