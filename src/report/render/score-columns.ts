import { rounding } from '../../math/statistics/descriptive.ts'
import type { Manifest } from '../../records.ts'
import { present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { isRow, isOfMetric, retrievalMetric } from '../compare/rows-to-compare.ts'
import type { Cell } from '../gather/estimate.ts'
import type { Table } from '../table/table.ts'
import { baselineOf, canReach, columnsOf, namesOf, pointsBetween, referenceColumns, scaleOf } from './columns.ts'
import { shortP, signedPoints, toPoints, type Column } from './columns.ts'
import type { ShownRow, TableColumn, View } from './rows.ts'
import { orDash, type TextCell } from './text-table.ts'

/** Columns of scorers, of label corrections, and of reference rows. */
export function scoreColumns(manifest: Manifest, table: Table): readonly TableColumn[] {
  const { comparison, cells } = table
  const main = mainColumn(manifest, table)
  const bounds = boundedColumn(manifest, table)
  const retrieval = retrievalMetric(manifest, cells)
  const references = referenceColumns(manifest, table)
  return [...columnsOf(manifest, table), ...references].flatMap((column): readonly TableColumn[] => {
    const { label, unit } = column
    const isCorrected = column.cells.some((cell) => cell?.people !== undefined)
    const isReference = references.includes(column)
    const isOfMain = !isReference && column.scorer === main?.scorer && column.metric === main.metric
    const views = present<View>('full', 'named', (isCorrected || isOfMain) && 'compared')
    const isShort = isOfMetric(column, main) || isOfMetric(column, retrieval)
    const names = namesOf(column)
    const significance = (row: ShownRow) =>
      comparison && isOfMetric(column, comparison) ? significanceOf(row, comparison) : undefined
    return present<TableColumn>(
      {
        title: isCorrected ? correctedTitle(column) : label,
        names,
        shownIn: isShort ? [...views, 'short'] : views,
        cell(row) {
          const cell = column.cells[row.index]
          return scoreCell(isCorrected ? cell?.people?.corrected : cell, unit, significance(row))
        },
      },
      isCorrected && {
        title: `${label}, judge`,
        names,
        shownIn: views,
        cell: ({ index }) => scoreCell(column.cells[index], unit),
      },
      isOfMetric(column, bounds) &&
        (['least', 'greatest'] as const).map((end) => ({
          title: `${label}, ${end}`,
          cell: ({ index }: ShownRow) => orDash(column.cells[index]?.[end], toPoints),
        })),
    )
  })
}

/** Title of a column of a judge that labels correct. */
export const correctedTitle = ({ label }: Pick<Column, 'label'>) => `${label}, corrected`

/** Above this share of failed questions, the table shows bounds of the mean. */
const fewFailures = 0.02

/** The compared column, else the first over all questions. */
export function mainColumn(manifest: Manifest, table: Table): Column | undefined {
  const columns = columnsOf(manifest, table)
  const comparedColumn = columns.find((column) => isOfMetric(column, table.comparison))
  return comparedColumn ?? columns.find(({ subset }) => subset === 'all')
}

/** The main column, if failures are so many that bounds of the mean are shown. */
export function boundedColumn(manifest: Manifest, table: Table): Column | undefined {
  const column = mainColumn(manifest, table)
  const hasManyFailures = ({ mean, least: from, greatest: to }: Cell) =>
    mean !== null && from !== null && to !== null && to - from > fewFailures + rounding
  if (column?.unit !== 'percent') return undefined
  return column.cells.some((cell) => cell && hasManyFailures(cell)) ? column : undefined
}

/**
 * `61.8 ±4.1 b` (percent) or `12.25 ±0.50`: mean, standard error, and letters of the rows that it is better than.
 * A dash without a mean.
 */
function scoreCell(
  score: (Pick<Cell, 'mean' | 'error' | 'low' | 'high'> & { readonly n?: number }) | null | undefined,
  unit: Column['unit'],
  { letters, ...best }: Significance = { letters: '' },
): TextCell {
  const suffix = letters === '' ? '' : ` ${letters}`
  if (!score || score.mean === null) return { text: `–${suffix}`, ...best }
  const [scale, digits] = scaleOf(unit, score.n)
  const text = (value: number) => (scale * value).toFixed(digits)
  const { mean, error, low, high } = score
  const hasInterval = low !== null && high !== null
  const interval = hasInterval && { interval: `[${text(low)}, ${text(high)}]` }
  const errorText = error === null ? '' : ` ±${text(error)}`
  return {
    text: `${text(mean)}${errorText}${suffix}`,
    score: { mean: text(mean), ...interval, letters },
    ...best,
  }
}

/** Letters of the rows that a row is better than; `best`: of all, or of the baseline. */
interface Significance extends Pick<TextCell, 'best'> {
  readonly letters: string
}

function significanceOf({ method }: ShownRow, { baseline, rows }: RowComparison): Significance {
  const { better = [] } = rows.find((row) => isRow(row, method)) ?? {}
  const isBest = baseline === null ? better.length === rows.length - 1 : better.includes(baseline)
  return { letters: better.join(''), ...(isBest && { best: true }) }
}

/** The difference from the baseline in points, `+5.0 [-2.1, 12.3] p 0.18`, and wins, ties and losses. */
export function differenceColumns(comparison: RowComparison | undefined): readonly TableColumn[] {
  const baseline = comparison && baselineOf(comparison)
  if (!baseline) return []
  const { metric, rows, pairs } = comparison
  const pairOf = ({ method }: ShownRow) => {
    const letter = rows.find((row) => isRow(row, method))?.letter
    return pairs.find(({ a }) => a === letter)
  }
  return [
    {
      title: `${metric}: difference from ${rowName(baseline)}`,
      shownIn: ['full', 'named', 'compared'],
      cell(row) {
        const pair = pairOf(row)
        if (!pair) return '–'
        return present(
          signedPoints(pair.difference),
          pair.low !== pair.high && pointsBetween(pair),
          canReach(comparison) && `p ${shortP(pair.pAdjusted)}`,
        ).join(' ')
      },
    },
    {
      title: `won/tied/lost${pairs.some(({ labels }) => labels) ? ' by the judge' : ''}`,
      cell(row) {
        return orDash(pairOf(row), ({ win, tie, loss }) => `${win}/${tie}/${loss}`)
      },
    },
  ]
}
