import type { Manifest } from '../records.ts'
import type { Pair } from './compare/row-comparison.ts'
import type { Decision } from './compare/decide.ts'
import { decisionMessages } from './render/decision.ts'
import { notesOf } from './render/notes.ts'
import type { Cell } from './table/estimate.ts'
import type { Table, TableRow, UsageCell } from './table/table.ts'
import { rowName } from '../text/names.ts'

/** A score of a row over all questions: mean, interval and standard error, as fractions where the metric is one. */
export interface RowScore extends Omit<Cell, 'method' | 'variant' | 'subset'> {
  /** The same of the questions of a tag, or of a subset that the scorer found, by its name. */
  readonly subsets: Readonly<Record<string, Cell>>
}

/** A row of the table. */
export interface ResultRow extends TableRow {
  /** As tables show it: `bm25`, or `gem-rag (components=2)` where options are varied. */
  readonly name: string
  /** By the metric; by `scorer.metric` where several scorers have a metric of that name. */
  readonly scores: Readonly<Record<string, RowScore>>
}

/** The difference of two rows, `a` minus `b`, in one metric, and its test; p after the correction is `pAdjusted`. */
export interface Comparison extends Pair {
  readonly scorer: string
  readonly metric: string
  /** Whether `pAdjusted` is at most the level of the test, 0.05. */
  readonly significant: boolean
}

/** A results folder as numbers. */
export interface Result {
  /** Its absolute path; of a config of several runs, that of the series. */
  readonly folder: string
  /** In the order of the config. */
  readonly rows: readonly ResultRow[]
  /** The pairs of rows that were tested. Empty where nothing can be compared: a note says why. */
  readonly comparisons: readonly Comparison[]
  /** Calls, tokens, seconds and money, by row and phase. */
  readonly costs: readonly UsageCell[]
  /** Which row to take, or why none yet, and the same in words; absent where rows are not compared. */
  readonly decision?: Decision & { readonly sentence: string }
  /** What a reader must know beside the numbers, a sentence or more each. */
  readonly notes: readonly string[]
  /** Everything that table.json holds. */
  readonly table: Table
  /** What manifest.json says of the run. */
  readonly manifest: Manifest
}

/** A results folder as numbers, with notes of its own before those of its table. */
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

function scoresOf({ method, variant }: TableRow, { cells }: Table): ResultRow['scores'] {
  const own = cells.filter((cell) => cell.method === method && cell.variant === variant)
  const whole = own.filter(({ subset }) => subset === 'all')
  return Object.fromEntries(
    whole.map((cell) => {
      const { method: _method, variant: _variant, subset: _subset, ...score } = cell
      const { scorer, metric } = cell
      const isShared = whole.some((other) => other.metric === metric && other.scorer !== scorer)
      const parts = own.filter((other) => other.scorer === scorer && other.metric === metric && other.subset !== 'all')
      const subsets = Object.fromEntries(parts.map((part) => [part.subset, part]))
      return [isShared ? `${scorer}.${metric}` : metric, { ...score, subsets }]
    }),
  )
}

function comparisonsOf({ comparison }: Table): readonly Comparison[] {
  if (!comparison) return []
  const { scorer, metric, alpha, rows, pairs } = comparison
  const names = new Map(rows.map((row) => [row.letter, rowName(row)]))
  const nameOf = (letter: string): string => {
    const name = names.get(letter)
    if (name === undefined) throw new Error(`a comparison has no row ${letter}`)
    return name
  }
  return pairs.map((pair) => ({
    scorer,
    metric,
    ...pair,
    a: nameOf(pair.a),
    b: nameOf(pair.b),
    significant: pair.pAdjusted <= alpha,
  }))
}
