import { valueOf } from '../basics/collections.ts'
import type { Manifest } from '../records.ts'
import type { Pair } from './compare/row-comparison.ts'
import { isRow } from './compare/rows-to-compare.ts'
import type { Decision } from './compare/decide.ts'
import { decisionMessages } from './render/decision.ts'
import { notesOf } from './render/notes.ts'
import type { Cell } from './gather/estimate.ts'
import type { UsageCell } from './gather/usage.ts'
import type { Table, TableRow } from './table/table.ts'
import { rowName } from '../text/names.ts'

/** A score of a row over all questions, as fractions where the metric is one. */
export interface RowScore extends Omit<Cell, 'method' | 'variant' | 'subset'> {
  /** Scores by tag or subset of questions. */
  readonly subsets: Readonly<Record<string, Cell>>
}

export interface ResultRow extends TableRow {
  /** As in tables: `bm25`, or `gem-rag (components=2)` for varied options. */
  readonly name: string
  /** By metric, or `scorer.metric` where scorers share a metric name. */
  readonly scores: Readonly<Record<string, RowScore>>
}

/** `a` minus `b` in one metric, with its test; `pAdjusted` is the corrected p. */
export interface Comparison extends Pair {
  readonly scorer: string
  readonly metric: string
  /** `pAdjusted` at most 0.05. */
  readonly significant: boolean
}

/** A results folder as data. */
export interface Result {
  /** Absolute path; of the series where a config has several runs. */
  readonly folder: string
  /** In config order. */
  readonly rows: readonly ResultRow[]
  /** The tested pairs; a note explains an empty list. */
  readonly comparisons: readonly Comparison[]
  /** By row and phase. */
  readonly costs: readonly UsageCell[]
  /** The recommended row, or why there is none; absent where rows are not compared. */
  readonly decision?: Decision & { readonly sentence: string }
  /** Caveats, each a sentence or more. */
  readonly notes: readonly string[]
  /** The content of table.json. */
  readonly table: Table
  /** The content of manifest.json. */
  readonly manifest: Manifest
}

/** `notes` precede those of the table. */
export const resultOf = (folder: string, manifest: Manifest, table: Table, notes: readonly string[]): Result => ({
  folder,
  rows: table.rows.map((row) => ({ ...row, name: rowName(row), scores: scoresOf(row, table) })),
  comparisons: comparisonsOf(table),
  costs: table.usage,
  ...(table.decision && { decision: { ...table.decision, sentence: decisionMessages(table).join(' ') } }),
  notes: [...notes, ...notesOf(manifest, table)],
  table,
  manifest,
})

function scoresOf(row: TableRow, { cells }: Table): ResultRow['scores'] {
  const rowCells = cells.filter((cell) => isRow(cell, row))
  const overall = rowCells.filter(({ subset }) => subset === 'all')
  return Object.fromEntries(
    overall.map(({ method: _method, variant: _variant, subset: _subset, ...score }) => {
      const { scorer, metric } = score
      const isShared = overall.filter((cell) => cell.metric === metric).length > 1
      const metricCells = rowCells.filter((cell) => cell.scorer === scorer && cell.metric === metric)
      const parts = metricCells.filter(({ subset }) => subset !== 'all')
      const subsets = Object.fromEntries(parts.map((cell) => [cell.subset, cell]))
      return [isShared ? `${scorer}.${metric}` : metric, { ...score, subsets }]
    }),
  )
}

function comparisonsOf({ comparison }: Table): readonly Comparison[] {
  if (!comparison) return []
  const { scorer, metric, alpha, rows, pairs } = comparison
  const names = new Map(rows.map((row) => [row.letter, rowName(row)]))
  return pairs.map((pair) => {
    const a = valueOf(names, pair.a)
    const b = valueOf(names, pair.b)
    return { scorer, metric, ...pair, a, b, significant: pair.pAdjusted <= alpha }
  })
}
