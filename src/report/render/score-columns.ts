import { rounding } from '../../math/statistics/descriptive.ts'
import type { Manifest } from '../../records.ts'
import { present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import type { ComparedRow, RowComparison } from '../compare/row-comparison.ts'
import { isRow, isOfMetric } from '../compare/rows-to-compare.ts'
import type { Cell } from '../table/estimate.ts'
import type { Table } from '../table/table.ts'
import { baselineOf, canReach, columnsOf, namesOf, points, referenceColumns, scaleOf, shortP } from './columns.ts'
import type { Column } from './columns.ts'
import type { ShownRow, TableColumn } from './rows.ts'
import type { GridCell } from './text-grid.ts'

/** The columns of scorers, those that labels correct with the judge's own means, and those of reference rows. */
export function scoreColumns(manifest: Manifest, table: Table): readonly TableColumn[] {
  const { comparison } = table
  const main = mainColumn(manifest, table)
  const bounded = boundedColumn(manifest, table)
  const columns = columnsOf(manifest, table).map((column) => ({
    column,
    isCompared: isLabelled(column) || (column.scorer === main?.scorer && column.metric === main.metric),
  }))
  const references = referenceColumns(manifest, table).map((column) => ({ column, isCompared: false }))
  return [...columns, ...references].flatMap(({ column, isCompared }): readonly TableColumn[] => {
    const shared = { names: namesOf(column), isCompared }
    const compared = ({ method }: ShownRow): ComparedRow | undefined =>
      isOfMetric(column, comparison) ? comparison?.rows.find((one) => isRow(one, method)) : undefined
    const labelled = isLabelled(column)
    return present<TableColumn>(
      {
        title: labelled ? correctedTitle(column) : column.label,
        cell(row) {
          const cell = column.cells[row.index]
          return scoreCell(labelled ? cell?.people?.corrected : cell, column.unit, compared(row), comparison)
        },
        ...shared,
      },
      labelled && {
        title: judgeTitle(column),
        cell: ({ index }) => scoreCell(column.cells[index], column.unit),
        ...shared,
      },
      isOfMetric(column, bounded) &&
        (['least', 'greatest'] as const).map((end) => ({
          title: `${column.label}, ${end}`,
          cell: ({ index }: ShownRow) => boundText(column.cells[index]?.[end] ?? null),
        })),
    )
  })
}

/** Titles of a judge's column that labels correct: what they make of it, and the judge's own means beside. */
export const correctedTitle = ({ label }: Pick<Column, 'label'>): string => `${label}, corrected`
const judgeTitle = ({ label }: Pick<Column, 'label'>): string => `${label}, judge`

/** Whether people's labels correct a column. */
const isLabelled = ({ cells }: Column): boolean => cells.some((cell) => cell?.people !== undefined)

/** Of a percentage. */
const boundText = (bound: number | null): string => (bound === null ? '–' : points(bound))

/** Beyond this share of questions that failed, what they could have scored stands in the table. */
const fewFailures = 0.02

/** The column that is compared, or the first that is of all questions. */
export function mainColumn(manifest: Manifest, table: Table): Column | undefined {
  const columns = columnsOf(manifest, table)
  return (
    columns.find((column) => isOfMetric(column, table.comparison)) ?? columns.find(({ subset }) => subset === 'all')
  )
}

/** The main column, where so many questions of a row failed that what they could have scored is shown beside it. */
export function boundedColumn(manifest: Manifest, table: Table): Column | undefined {
  const column = mainColumn(manifest, table)
  const many = ({ mean, least: from, greatest: to }: Cell): boolean =>
    mean !== null && from !== null && to !== null && to - from > fewFailures + rounding
  return column?.unit === 'percent' && column.cells.some((cell) => cell && many(cell)) ? column : undefined
}

/**
 * `61.8 ±4.1 b` percent or the number `12.25 ±0.50` with the standard error of the mean and the letters of rows that it
 * is better than; a dash for nothing.
 */
function scoreCell(
  score: (Pick<Cell, 'mean' | 'error' | 'low' | 'high'> & { readonly n?: number }) | null | undefined,
  unit: Column['unit'],
  compared?: ComparedRow,
  comparison?: RowComparison,
): GridCell {
  const letters = compared?.better.join('') ?? ''
  const behind = letters === '' ? '' : ` ${letters}`
  const best = letters !== '' && compared && comparison && isBest(compared, comparison) ? { best: true } : {}
  if (!score || score.mean === null) return { text: `–${behind}`, ...best }
  const [scale, digits] = scaleOf(unit, score.n)
  const text = (value: number): string => (scale * value).toFixed(digits)
  const { mean, error, low, high } = score
  return {
    text: `${text(mean)}${error === null ? '' : ` ±${text(error)}`}${behind}`,
    score: {
      mean: text(mean),
      ...(low !== null && high !== null && { interval: `[${text(low)}, ${text(high)}]` }),
      letters,
    },
    ...best,
  }
}

const isBest = ({ better }: ComparedRow, { baseline, rows }: RowComparison): boolean =>
  baseline === null ? better.length === rows.length - 1 : better.includes(baseline)

/** The difference from the baseline in points, `+5.0 [-2.1, 12.3] p 0.18`, and questions won, tied and lost. */
export function differenceColumns(comparison: RowComparison | undefined): readonly TableColumn[] {
  const baseline = comparison && baselineOf(comparison)
  if (!baseline) return []
  const { metric, rows, pairs } = comparison
  const pairOf = ({ method }: ShownRow) => {
    const letter = rows.find((one) => isRow(one, method))?.letter
    return pairs.find(({ a }) => a === letter)
  }
  return [
    {
      title: `${metric}: difference from ${rowName(baseline)}`,
      isCompared: true,
      cell(row) {
        const pair = pairOf(row)
        if (!pair) return '–'
        const { difference, low, high, pAdjusted } = pair
        const interval = low === null || high === null || low === high ? '' : ` [${points(low)}, ${points(high)}]`
        const p = canReach(comparison) ? ` p ${shortP(pAdjusted)}` : ''
        return `${difference < 0 ? '' : '+'}${points(difference)}${interval}${p}`
      },
    },
    {
      title: `won/tied/lost${pairs.some(({ labels }) => labels) ? ' by the judge' : ''}`,
      cell(row) {
        const pair = pairOf(row)
        return pair ? `${pair.win}/${pair.tie}/${pair.loss}` : '–'
      },
    },
  ]
}
