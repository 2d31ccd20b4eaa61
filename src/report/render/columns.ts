import { isAbsolute } from 'node:path'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { showsNoFraction } from '../../basics/metrics.ts'
import type { Manifest, MethodRecord, Row, ScorerRecord } from '../../records.ts'
import type { ScorerColumn } from '../../types.ts'
import type { Interval } from '../compare/compare-family.ts'
import type { ComparedRow, RowComparison } from '../compare/row-comparison.ts'
import type { Cell } from '../gather/estimate.ts'
import { closedBookWrong, gapToOracle } from '../table/reference-cells.ts'
import { runOfRow } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import { isOfMetric, isRow } from '../compare/rows-to-compare.ts'

/** Marks columns of a judge that gave the same verdict to every test claim. */
export const constantMark = '¶'

/** A metric of a scorer on a subset; cells are in the order of the methods. */
export interface Column {
  readonly label: string
  readonly scorer: string
  readonly metric: string
  readonly subset: string
  readonly unit: 'percent' | 'number' | 'count'
  readonly cells: readonly (Cell | undefined)[]
}

/** The value of `--columns` that selects every column. */
export const allColumns = 'all'

/** Names that `--columns` accepts for a column. */
export const namesOf = ({ label, scorer, metric, subset }: Column): readonly string[] =>
  subset === 'all' ? [label, metric, `${scorer}.${metric}`] : [label]

/** Makes hidden columns and metrics without a column visible if `names` lists them. */
export const withColumns = (
  manifest: Manifest,
  { cells }: Pick<Table, 'cells'>,
  names: readonly string[],
): Manifest => ({
  ...manifest,
  scorers: manifest.scorers.map((record) => withColumnsOf(record, cells, names)),
})

function withColumnsOf(record: ScorerRecord, cells: Table['cells'], names: readonly string[]): ScorerRecord {
  const { scorer, columns, ranges } = record
  const listedMetrics = new Set([gapToOracle, ...columns.map(({ metric }) => metric)])
  const ofScorer = cells.filter((cell) => cell.scorer === scorer && !listedMetrics.has(cell.metric))
  const hiddenMetrics = new Set(ofScorer.map(({ metric }) => metric))
  const hiddenColumns = Array.from(hiddenMetrics, (metric): ScorerColumn => {
    return { metric, unit: showsNoFraction({ metric }, ranges) ? 'number' : 'percent', shown: false }
  })
  const isRequested = ({ metric, label = metric }: ScorerColumn) =>
    [metric, label, `${scorer}.${metric}`].some((name) => names.includes(name))
  const shownColumns = [...columns, ...hiddenColumns].map(({ shown, ...column }) =>
    shown === false && !isRequested(column) ? { ...column, shown } : column,
  )
  return { ...record, columns: shownColumns }
}

/** Visible columns with at least one cell. The scorer's label precedes a title that two scorers share. */
export function columnsOf(manifest: Manifest, table: Pick<Table, 'cells'>): readonly Column[] {
  const deepest = deepestRank(manifest)
  const isCompared = (column: Pick<Column, 'scorer' | 'metric' | 'subset'>) =>
    isOfMetric(column, manifest.compare?.metric)
  const { cellOf, scoredKeys } = cellsByName(table.cells)
  const columns = manifest.scorers.flatMap((record) =>
    record.columns.flatMap(({ metric, subset = 'all', label, unit = 'percent', shown }) => {
      const { scorer, use } = record
      if (shown === false && !isCompared({ scorer, metric, subset: 'all' })) return []
      const cells = manifest.methods.map((row) => cellOf.get(cellKey(row, scorer, metric, subset)))
      const hasMean = cells.some((cell) => cell && cell.mean !== null)
      const isScored = scoredKeys.has(JSON.stringify([scorer, subset]))
      if (!cells.some(Boolean) || (!hasMean && isScored)) return []
      const baseTitle = label ?? (subset === 'all' ? metric : `${metric} ${subset}`)
      // contexts end before the cut-off: lower ranks count as not found
      const isTruncated = use === 'retrieval' && deepest > 0 && Number(metric.split('@')[1]) > deepest
      const depthTitle = isTruncated ? `${baseTitle} of ${deepest} passages` : baseTitle
      const title = record.judgeTest?.always === undefined ? depthTitle : `${depthTitle} ${constantMark}`
      // whether the config labels a built-in scorer; the name of a scorer in a file is not recorded
      const hasOwnLabel = scorer !== use && !isAbsolute(use)
      return [{ title, hasOwnLabel, scorer, metric, subset, unit, cells }]
    }),
  )
  const isShared = (title: string) => columns.filter((column) => column.title === title).length > 1
  return columns.map(({ title, hasOwnLabel, ...column }) => ({
    label: hasOwnLabel || isShared(title) ? `${column.scorer}: ${title}` : title,
    ...column,
  }))
}

const cellKey = ({ method, variant }: Row, scorer: string, metric: string, subset: string) =>
  [method, variant, scorer, metric, subset].join('\n')

/** Cells by key, and the (scorer, subset) pairs that have a mean. */
const cellsByName = memoiseWeakly((cells: Table['cells']) => ({
  cellOf: new Map(cells.map((cell) => [cellKey(cell, cell.scorer, cell.metric, cell.subset), cell])),
  scoredKeys: new Set(
    cells.flatMap(({ mean, scorer, subset }) => (mean === null ? [] : [JSON.stringify([scorer, subset])])),
  ),
}))

/** Passages of the largest ranked context; Infinity if rankings, or contexts of any size, are scored. */
function deepestRank(manifest: Manifest) {
  if (manifest.answers === 'none') return Infinity
  const ranks = manifest.methods.map((row) => {
    const { budget = runOfRow(manifest, row).budget } = row
    if (row.answers === 'own') return Infinity
    return row.context ? 0 : budget.passages
  })
  return Math.max(...ranks)
}

/** Columns that compare rows with the oracle and closed-book rows; empty without such rows. */
export const referenceColumns = ({ methods, scorers }: Manifest, { cells }: Pick<Table, 'cells'>): readonly Column[] =>
  [
    { label: gapToOracle, matches: cells.filter(({ metric }) => metric === gapToOracle) },
    { label: closedBookWrong, matches: cells.filter(({ subset }) => subset === closedBookWrong) },
  ].flatMap(({ label, matches }): readonly Column[] => {
    const [first] = matches
    if (!first) return []
    const { scorer, metric, subset } = first
    const columns = scorers.find((record) => record.scorer === scorer)?.columns ?? []
    const { unit = 'percent' } = columns.find((column) => column.metric === metric) ?? {}
    const rowCells = methods.map((row) => matches.find((cell) => isRow(cell, row)))
    return [{ label, scorer, metric, subset, unit, cells: rowCells }]
  })

/** Factor and decimals of a printed mean. A count is the sum over `n` questions. */
export const scaleOf = (unit: Column['unit'], n = 1): readonly [scale: number, digits: number] =>
  unit === 'percent' ? [100, 1] : unit === 'count' ? [n, 1] : [1, 2]

/** Options that differ between rows, in order of first occurrence. */
export const variedOptions = (rows: readonly Pick<MethodRecord, 'varied'>[]) => [
  ...new Set(rows.flatMap(({ varied = [] }) => varied.map(({ option }) => option))),
]

/** The baseline; undefined if all pairs are compared. */
export const baselineOf = ({ baseline, rows }: RowComparison): ComparedRow | undefined =>
  rows.find(({ letter }) => letter === baseline)

export const shortP = (p: number) => (p < 0.001 ? '<0.001' : p.toFixed(3))

/** Whether the smallest possible p, after correction, is at most alpha. */
export const canReach = ({ smallestP, alpha }: RowComparison) => smallestP <= alpha

/** Percentage points, one decimal. */
export const toPoints = (fraction: number) => (100 * fraction).toFixed(1)

export const signedPoints = (fraction: number) => `${fraction < 0 ? '' : '+'}${toPoints(fraction)}`

/** An interval in points; a dash where it is unknown. */
export const pointsBetween = ({ low, high }: Interval) =>
  low === null || high === null ? '–' : `[${toPoints(low)}, ${toPoints(high)}]`
