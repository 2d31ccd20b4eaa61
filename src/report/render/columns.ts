import { isAbsolute } from 'node:path'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { showsNoFraction } from '../../basics/metrics.ts'
import type { Manifest, MethodRecord, ScorerRecord } from '../../records.ts'
import type { ScorerColumn } from '../../types.ts'
import type { ComparedRow, RowComparison } from '../compare/row-comparison.ts'
import type { Cell } from '../table/estimate.ts'
import { closedBookWrong, gapToOracle } from '../table/reference-cells.ts'
import { runOfRow } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** Stands at the columns of a judge that says one thing throughout. */
export const constantMark = '¶'

/** What a scorer shows under one title; cells stand in the order of the methods. */
export interface Column {
  readonly label: string
  readonly scorer: string
  readonly metric: string
  readonly subset: string
  readonly unit: 'percent' | 'number' | 'count'
  /** Where its metric names a rank that no context reaches: the passages of the largest context. */
  readonly deepest?: number
  readonly cells: readonly (Cell | undefined)[]
}

/** Stands for all columns where columns are named. */
export const allColumns = 'all'

/** What `--columns` calls a column: its title, or its metric over all questions. */
export const namesOf = ({ label, scorer, metric, subset }: Column): readonly string[] =>
  subset === 'all' ? [label, metric, `${scorer}.${metric}`] : [label]

/** The manifest with columns for metrics that a table shows only where they are named, or compared. */
export function withColumns(manifest: Manifest, { cells }: Pick<Table, 'cells'>, names: readonly string[]): Manifest {
  const requestedNames = new Set(names)
  const isRequested = (scorer: string, { metric, label }: ScorerColumn): boolean =>
    [metric, label, `${scorer}.${metric}`].some((name) => name !== undefined && requestedNames.has(name))
  return {
    ...manifest,
    scorers: manifest.scorers.map((record) => {
      const { scorer, columns } = record
      const listedMetrics = new Set(columns.map(({ metric }) => metric))
      const scoredMetrics = new Set(cells.flatMap((cell) => (cell.scorer === scorer ? [cell.metric] : [])))
      const unlistedColumns = [...scoredMetrics].flatMap((metric) =>
        listedMetrics.has(metric) || metric === gapToOracle
          ? []
          : [{ metric, unit: unitOf(metric, record), shown: false as const }],
      )
      return {
        ...record,
        columns: [...columns, ...unlistedColumns].map(({ shown, ...column }) => ({
          ...column,
          ...(shown === false && !isRequested(scorer, column) && { shown }),
        })),
      }
    }),
  }
}

/** A metric without a column is a fraction where its range is one. */
const unitOf = (metric: string, { ranges }: ScorerRecord): 'percent' | 'number' =>
  showsNoFraction({ metric }, ranges) ? 'number' : 'percent'

/** The columns that scorers show and a row can fill; titles that two scorers share begin with the scorer's label. */
export function columnsOf(
  manifest: Pick<Manifest, 'methods' | 'scorers' | 'compare' | 'answers' | 'budget' | 'series'>,
  table: Pick<Table, 'cells'>,
): readonly Column[] {
  const deepest = deepestRank(manifest)
  const comparedMetric = manifest.compare?.metric
  const { cellOf, scoredKeys } = cellsByName(table.cells)
  const columns = manifest.scorers.flatMap((record) =>
    record.columns.flatMap(({ metric, subset = 'all', label, unit = 'percent', shown }) => {
      const { scorer } = record
      if (shown === false && !(comparedMetric?.scorer === scorer && comparedMetric.metric === metric)) return []
      const cells = manifest.methods.map((row) => cellOf.get(cellKey(row, scorer, metric, subset)))
      const hasMean = cells.some((cell) => cell && cell.mean !== null)
      if (!cells.some(Boolean) || (!hasMean && scoredKeys.has(JSON.stringify([scorer, subset])))) return []
      const baseTitle = label ?? (subset === 'all' ? metric : `${metric} ${subset}`)
      const isTruncated = cutBelow(record, metric, deepest)
      const depthTitle = isTruncated ? `${baseTitle} of ${deepest}` : baseTitle
      const title = record.judgeTest?.always === undefined ? depthTitle : `${depthTitle} ${constantMark}`
      const fields = { scorer, metric, subset, unit, cells, ...(isTruncated && { deepest }) }
      return [{ title, hasOwnLabel: isRenamed(record), ...fields }]
    }),
  )
  const isShared = (title: string): boolean => columns.filter((column) => column.title === title).length > 1
  return columns.map(({ title, hasOwnLabel, ...column }) => ({
    label: hasOwnLabel || isShared(title) ? `${column.scorer}: ${title}` : title,
    ...column,
  }))
}

const cellKey = (
  { method, variant }: Pick<Cell, 'method' | 'variant'>,
  scorer: string,
  metric: string,
  subset: string,
): string => `${method}\n${variant}\n${scorer}\n${metric}\n${subset}`

/** The cells by their names, and the scorers with the subsets that have a mean. */
const cellsByName = memoiseWeakly((cells: Table['cells']) => ({
  cellOf: new Map(cells.map((cell) => [cellKey(cell, cell.scorer, cell.metric, cell.subset), cell])),
  scoredKeys: new Set(
    cells.flatMap(({ mean, scorer, subset }) => (mean === null ? [] : [JSON.stringify([scorer, subset])])),
  ),
}))

/** The most passages that a row's context may hold; Infinity where rankings are scored and not contexts. */
const deepestRank = (manifest: Pick<Manifest, 'methods' | 'answers' | 'budget' | 'series'>): number =>
  manifest.answers === 'none'
    ? Infinity
    : Math.max(
        ...manifest.methods.map((row) => (row.context ? 0 : (row.budget ?? runOfRow(manifest, row).budget).passages)),
      )

/** Whether a metric of \`retrieval\` names a rank that no context reaches. */
const cutBelow = ({ use }: Pick<ScorerRecord, 'use'>, metric: string, deepest: number): boolean =>
  use === 'retrieval' && deepest > 0 && Number(metric.split('@')[1]) > deepest

/** The columns that compare rows with reference rows, where there are such rows; behind those of the scorers. */
export const referenceColumns = (
  manifest: Pick<Manifest, 'methods' | 'scorers'>,
  { cells }: Pick<Table, 'cells'>,
): readonly Column[] =>
  [
    { label: gapToOracle, isOf: ({ metric }: Cell) => metric === gapToOracle },
    { label: closedBookWrong, isOf: ({ subset }: Cell) => subset === closedBookWrong },
  ].flatMap(({ label, isOf }): readonly Column[] => {
    const matches = cells.filter(isOf)
    const [first] = matches
    if (!first) return []
    const { scorer, metric, subset } = first
    const unit = manifest.scorers
      .find((record) => record.scorer === scorer)
      ?.columns.find((column) => column.metric === metric)?.unit
    const rowCells = manifest.methods.map((row) => matches.find((cell) => isRow(cell, row)))
    return [{ label, scorer, metric, subset, unit: unit ?? 'percent', cells: rowCells }]
  })

/** The factor and the digits with which a mean is shown. A count is the sum over `n` questions. */
export const scaleOf = (unit: Column['unit'], n = 1): readonly [scale: number, digits: number] =>
  unit === 'percent' ? [100, 1] : unit === 'count' ? [n, 1] : [1, 2]

/** Whether a config gives a scorer another label than its name; of one in a file, the record knows no name. */
const isRenamed = ({ scorer, use }: ScorerRecord): boolean => scorer !== use && !isAbsolute(use)

/** The options and keys that rows vary, in the order in which rows name them: a column each. */
export const variedOptions = (rows: readonly Pick<MethodRecord, 'varied'>[]): readonly string[] => [
  ...new Set(rows.flatMap(({ varied = [] }) => varied.map(({ option }) => option))),
]

/** The row that every other row is compared with; undefined where all pairs are. */
export const baselineOf = ({ baseline, rows }: RowComparison): ComparedRow | undefined =>
  rows.find(({ letter }) => letter === baseline)

/** A p with three decimals. */
export const shortP = (p: number): string => (p < 0.001 ? '<0.001' : p.toFixed(3))

/** Whether a pair could differ at all after the correction. */
export const canReach = ({ smallestP, alpha }: RowComparison): boolean => smallestP <= alpha

/** A fraction in points of a percentage. */
export const toPoints = (fraction: number): string => (100 * fraction).toFixed(1)
