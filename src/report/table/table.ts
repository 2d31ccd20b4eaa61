import type { Manifest, MeterLine, MethodRecord, Row, ScoreLine, IndexLine, TrialLine } from '../../records.ts'
import type { Phase, Usage } from '../../types.ts'
import { addFields } from '../../basics/collections.ts'
import { correctThreshold, rangeOf, unseenCalls } from '../../basics/metrics.ts'
import { acrossRuns, comparedRuns, type AcrossRuns, type ComparedRunScores } from '../compare/across-runs.ts'
import { compareRows } from '../compare/compare-rows.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { decide, usualMargin, type Decision } from '../compare/decide.ts'
import { comparedMetric, isRow } from '../compare/rows-to-compare.ts'
import { runOfRow, syntheticOf, type Synthetic } from '../synthetic.ts'
import type { Cell, QuestionNumbers } from './estimate.ts'
import { gatherScores, type Scores, type SkippedScores } from './gather-scores.ts'
import { gatherTrials, type SameContexts, type Trials } from './gather-trials.ts'
import { emptyRow, type RowSummary } from './row-summary.ts'
import { trendsOf, type Trend } from '../compare/trends.ts'
import { referenceCells } from './reference-cells.ts'
import { type Runs, runsOf } from './runs.ts'
import { costsOfRow, type CostsOfRow } from './costs-of-row.ts'
import { costsOfRun } from './costs-of-run.ts'
import { moneyOf, addUsage, noUsage, pricedModels } from './usage.ts'

/** What a row spent in one phase; cached calls are counted as if made, and once more in `cached`. */
export interface UsageCell extends Row, Usage {
  readonly phase: Phase
  readonly cached: number
  readonly milliseconds: number
  /** Texts that were embedded, and their tokens, without those that the cache held; absent where there are none. */
  readonly newTexts?: number
  readonly newEmbeddedTokens?: number
  /** In the currency of the prices, models on this computer free; absent where a model has no price. */
  readonly money?: number
}

/** A run as numbers: what table.json holds. */
export interface Table {
  readonly name: string
  readonly hash: string
  readonly dataset: string
  /** The questions that a language model drafted; absent where people wrote all. */
  readonly synthetic?: Synthetic
  readonly cells: readonly Cell[]
  /** Which rows differ, or why they could not be compared; neither for fewer than two rows. */
  readonly comparison?: RowComparison
  readonly notCompared?: string
  /** Which row to take; absent where rows are not compared, or their scores say nothing. */
  readonly decision?: Decision
  /** Of a series, and of several tables that are shown together: what holds over their runs, or why it is not said. */
  readonly across?: AcrossRuns
  readonly notAcross?: string
  /** Of options that are varied over three numbers or more; absent where there is none. */
  readonly trends?: readonly Trend[]
  /** The single runs of scorers that show counts; absent where there is none. */
  readonly runs?: readonly Runs[]
  readonly usage: readonly UsageCell[]
  /** Pairs of rows that gave the same contexts to nearly all questions; absent where there is none. */
  readonly sameContexts?: readonly SameContexts[]
  readonly rows: readonly TableRow[]
}

/** A row beside its numbers. `failed` counts trials, `failedScores` scores whose trial did not fail. */
export interface TableRow extends Row, RowSummary, Pick<MethodRecord, 'varied' | 'inConfig'> {
  readonly failedScores: number
  readonly scoreFailures: Readonly<Record<string, number>>
  readonly skipped: readonly SkippedScores[]
  /** Tokens that a trial spent on its query (retrieve and answer), in the mean; null where there is no trial. */
  readonly perQuestion: PerQuestion | null
  readonly costs: CostsOfRow
  /** Questions without evidence in the context, and those answered right; absent where these are few. */
  readonly withoutEvidence?: WithoutEvidence
}

interface WithoutEvidence {
  readonly right: number
  readonly of: number
}

type PerQuestion = Readonly<Record<'promptTokens' | 'completionTokens', number>>

/** The row of a table beside the row of its manifest with that number. */
export function rowAt({ rows }: Pick<Table, 'rows'>, index: number): TableRow {
  const row = rows[index]
  if (!row) throw new Error(`the table has no row ${index}`)
  return row
}

/** The lines of a results folder. */
export interface Journals {
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  readonly scores: () => AsyncIterable<ScoreLine>
  readonly timings: () => AsyncIterable<MeterLine>
}

/** The table of a run: of its manifest and lines, read once in constant memory. */
export const tableOf = async (manifest: Manifest, journals: Journals): Promise<Table> =>
  (await scoredTableOf(manifest, journals)).table

/** What stands before the questions of a run, and their numbers, which runs on the same data share. */
export interface RunAmongOthers {
  readonly name: string
  readonly data: string
  readonly questions: QuestionNumbers
}

/** The same with what several tables are compared by. */
export async function scoredTableOf(
  manifest: Manifest,
  journals: Journals,
  among?: RunAmongOthers,
): Promise<{ readonly table: Table; readonly compared: readonly ComparedRunScores[] }> {
  const trials = await gatherTrials(manifest, journals.trials())
  const scores = await gatherScores(manifest, journals.scores(), trials, among?.questions)
  const spent = new Map<string, Readonly<Record<string, number>>>()
  for await (const { method, variant, phase, ...more } of journals.timings()) {
    const key = keyOf({ method, variant }, phase)
    spent.set(key, addFields(spent.get(key) ?? {}, more))
  }
  // rows that differ in their labels alone share their lines, which bear the first one's
  const spentBy = (row: MethodRecord, phase: Phase): Readonly<Record<string, number>> | undefined =>
    manifest.methods
      .filter(({ id }) => id === row.id)
      .map((other) => spent.get(keyOf(other, phase)))
      .find(Boolean)
  const usage = manifest.methods.flatMap((row) => {
    const { method, variant, id } = row
    return phases.map((phase) => {
      const used = (phase === 'judge' ? scores.usage : trials.usage).get(`${id} ${phase}`)
      const { cached = 0, milliseconds = 0, newTexts = 0, newEmbeddedTokens = 0 } = spentBy(row, phase) ?? {}
      const tokens = used ?? noUsage
      const money = moneyOf(pricedModels(runOfRow(manifest, row).models), phase, tokens)
      return {
        method,
        variant,
        phase,
        ...tokens,
        cached,
        milliseconds: Math.round(milliseconds),
        ...(newTexts > 0 && { newTexts, newEmbeddedTokens }),
        ...(money !== undefined && { money }),
      }
    })
  })
  const rows = manifest.methods.map((row) => {
    const { method, variant, varied, inConfig, id } = row
    const scoreFailures = scores.failed.get(id)?.all() ?? {}
    const failedScores = Object.values(scoreFailures).reduce((total, count) => total + count, 0)
    const skipped = scores.skipped.get(id) ?? []
    const summary = trials.rows.get(id) ?? emptyRow
    const asking = addUsage(trials.usage.get(`${id} retrieve`), trials.usage.get(`${id} answer`) ?? noUsage)
    const perQuestion = tokensPerQuestion(asking, summary.trials)
    const costs = costsOfRow(
      summary,
      usage.filter((one) => isRow(one, row)),
    )
    const withoutEvidence = rightWithoutEvidence(manifest, id, trials, scores)
    return {
      method,
      variant,
      ...(varied && { varied }),
      ...(inConfig === false && { inConfig }),
      ...summary,
      failedScores,
      scoreFailures,
      skipped,
      perQuestion,
      costs,
      ...(withoutEvidence && { withoutEvidence }),
    }
  })
  const comparison = compareRows(manifest, scores)
  const decision =
    typeof comparison === 'object' ? decisionOf(manifest, comparison, { trials, scores, rows }) : undefined
  const runs = runsOf(manifest, scores)
  const trends = trendsOf(manifest, scores)
  const compared = comparedRuns(manifest, scores, among?.name, among?.data)
  const table: Table = {
    name: manifest.name,
    hash: manifest.hash,
    dataset: manifest.dataset.name,
    ...syntheticOf(manifest),
    cells: [...scores.cells, ...referenceCells(manifest, scores)],
    ...(typeof comparison === 'string' ? { notCompared: comparison } : comparison && { comparison }),
    ...(decision && { decision }),
    ...acrossOf(compared),
    ...(trends.length > 0 && { trends }),
    ...(runs.length > 0 && { runs }),
    ...(trials.sameContexts.length > 0 && { sameContexts: trials.sameContexts }),
    usage,
    rows,
  }
  return { table, compared }
}

/** Decides between all rows, whether or not the table compares them with a baseline alone. */
function decisionOf(
  manifest: Manifest,
  shown: RowComparison,
  { trials, scores, rows }: { readonly trials: Trials; readonly scores: Scores; readonly rows: readonly TableRow[] },
): Decision | undefined {
  const { baseline: _baseline, ...compare } = manifest.compare ?? {}
  const allPairs = { ...manifest, compare: { ...compare, allPairs: true as const } }
  const comparison = shown.baseline === null ? shown : compareRows(allPairs, scores)
  if (typeof comparison !== 'object') return undefined
  const record = manifest.scorers.find(({ scorer }) => scorer === comparison.scorer)
  const range = rangeOf(comparison.metric, record?.ranges)
  const saysNothing = record?.judgeTest?.always !== undefined
  if (saysNothing || !range.every(Number.isFinite)) return undefined
  const methods = comparison.rows.flatMap((row) => manifest.methods.find((one) => isRow(one, row)) ?? [])
  const own = comparison.rows.flatMap((row) => rows.find((one) => isRow(one, row)) ?? [])
  if (own.some(({ warnings }) => warnings[unseenCalls] !== undefined)) return undefined
  const asked = Math.max(...own.map(({ trials: made }) => made)) / manifest.repeats
  const costsOf = costsOfRun(manifest, methods, trials, scores)
  return decide(comparison, {
    margin: manifest.compare?.margin ?? usualMargin,
    range,
    costs: own.map(({ costs }) => costs),
    costsOf: (questions) => costsOf(Math.ceil((questions * asked) / comparison.fewest)),
  })
}

/** What holds over runs, as a part of a table. */
export function acrossOf(runs: readonly ComparedRunScores[]): Pick<Table, 'across' | 'notAcross'> {
  const across = acrossRuns(runs)
  if (typeof across === 'string') return { notAcross: across }
  return across ? { across } : {}
}

export const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']

const tokensPerQuestion = ({ promptTokens, completionTokens }: Usage, trials: number): PerQuestion | null =>
  trials === 0 ? null : { promptTokens: promptTokens / trials, completionTokens: completionTokens / trials }

const keyOf = ({ method, variant }: Row, phase: Phase): string => JSON.stringify([method, variant, phase])

/**
 * How often a row is right without evidence in its context; undefined for half or less, as by guessing, or below three.
 */
function rightWithoutEvidence(
  manifest: Manifest,
  methodId: string,
  { blind }: Pick<Trials, 'blind'>,
  scores: Scores,
): WithoutEvidence | undefined {
  const chosen = comparedMetric(manifest, scores.cells)
  // what is retrieved says nothing of an answer
  if (!chosen || manifest.answers === 'none' || chosen.scorer.use === 'retrieval') return undefined
  const numbers = Array.from(blind.get(methodId) ?? [], ([id, cluster]) => scores.questions.numberOf(id, cluster))
  const without = new Set(numbers)
  const scored = scores.byQuestion(methodId, chosen.scorer.id, chosen.metric).filter((one) => without.has(one.question))
  const right = scored.filter(({ mean }) => mean >= correctThreshold).length
  return right >= 3 && 2 * right > scored.length ? { right, of: scored.length } : undefined
}
