import { groupBy, valueOf } from '../../basics/collections.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { plural, present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { isOfMetric, comparedMetric } from '../compare/rows-to-compare.ts'
import { sweepsOf, type Sweep } from '../compare/trends.ts'
import type { Cell } from '../gather/estimate.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import { dataNotices } from '../render/notes-on-data.ts'
import { trendText } from '../render/notes-on-runs.ts'
import { runsIn } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import type { Chart } from './chart.ts'
import { lineChart } from './line-chart.ts'
import { runCharts } from './run-charts.ts'

/** The charts of a table as SVG, with file names; sweeps of the compared metric alone. */
export function drawFigures(manifest: Manifest, table: Table) {
  const metric = comparedMetric(manifest, table.cells)
  const sweeps = sweepCharts(manifest, table, (column) => isOfMetric(column, metric))
  return drawCharts([...sweeps, ...runCharts(manifest, table)])
}

/** Draws charts one after the other, because Vega counts definition ids per process. */
export async function drawCharts<C extends Chart>(charts: readonly C[], subtitle?: readonly string[]) {
  const figures: (C & { readonly svg: string })[] = []
  for (const chart of charts) {
    // Vega loads in half a second
    const { drawChart } = await import('./draw-chart.ts')
    figures.push({ ...chart, svg: await drawChart(chart, subtitle) })
  }
  return figures
}

/** Upper limits that keep a chart readable. */
const mostLevels = 8
const mostCurves = 12

/** One chart per varied number and selected column. */
export function sweepCharts(
  manifest: Manifest,
  table: Pick<Table, 'cells' | 'trends' | 'usage'>,
  isSelected: (column: Column) => boolean = () => true,
): readonly Chart[] {
  const columns = columnsOf(manifest, table).filter(isSelected)
  const charts = sweepsOf(manifest.methods).flatMap((sweep) =>
    columns.flatMap((column) => sweepChart(manifest, table, sweep, column)),
  )
  return charts.map((chart, index) => {
    const { name } = chart
    const use = charts.slice(0, index + 1).filter((twin) => twin.name === name).length
    return use === 1 ? chart : { ...chart, name: `${name}-${use}` }
  })
}

/** Empty without a score. */
function sweepChart(
  manifest: Manifest,
  table: Pick<Table, 'trends' | 'usage'>,
  { option, steps, unvariedRows }: Sweep,
  column: Column,
) {
  const { trends = [] } = table
  const { label, scorer, metric, subset, unit } = column
  const cellOf = (row: MethodRecord) => column.cells[manifest.methods.indexOf(row)]
  const estimatesOf = (row: MethodRecord) => {
    const cell = cellOf(row)
    if (cell?.mean == null) return []
    const { mean, low, high } = cell
    const [scale] = scaleOf(unit, cell.n)
    const scaleBound = (bound: number | null) => (bound === null ? null : scale * bound)
    return [{ y: scale * mean, low: scaleBound(low), high: scaleBound(high) }]
  }
  const curves = groupBy(steps, ({ curve }) => curve)
  const names = [...curves.keys()]
  const lines = names.filter((name) => new Set(valueOf(curves, name).map(({ x }) => x)).size > 1)
  const drawnCurves = (lines.length > 0 ? lines : names).slice(0, mostCurves)
  const points = steps
    .filter(({ curve }) => drawnCurves.includes(curve))
    .flatMap(({ row, curve, x }) => estimatesOf(row).map((estimate) => ({ curve, x, ...estimate })))
  if (points.length === 0) return []
  const levels = unvariedRows.flatMap((row) =>
    estimatesOf(row).map((estimate) => ({ name: `${rowName(row)}, dashed: does not vary ${option}`, ...estimate })),
  )
  const hiddenCurves = names.length - drawnCurves.length
  const hiddenLevels = levels.length - mostLevels
  const ofColumn = trends.filter((trend) => trend.option === option && isOfMetric(column, trend))
  const rows = [...steps.map(({ row }) => row), ...unvariedRows]
  return [
    lineChart({
      name: slug([option, ...new Set([scorer, metric]), subset === 'all' ? '' : subset]),
      title: `${label} by ${option}`,
      subtitle: present(
        conditions(
          manifest,
          rows.flatMap((row) => cellOf(row) ?? []),
        ),
        dataNotices(manifest, table),
        ofColumn.map(trendText),
        hiddenCurves > 0 && `hidden: ${plural(hiddenCurves, 'curve')} with a single value, or above ${mostCurves}`,
        hiddenLevels > 0 && `hidden: ${plural(hiddenLevels, 'row')} without ${option}`,
      ),
      x: option,
      y: unit === 'percent' ? `${label} (%)` : label,
      points,
      levels: levels.slice(0, mostLevels),
    }),
  ]
}

/** The questions, and the sampling unit of the intervals. */
function conditions(manifest: Manifest, cells: readonly Cell[]) {
  const intervals = cells.filter(({ low }) => low !== null)
  const unit = intervals.some(({ clusters, n }) => clusters < n) ? 'clusters of questions' : 'questions'
  const bands = intervals.length === 0 ? 'no interval available' : `bands: 95 % interval of the mean over ${unit}`
  const questionCounts = runsIn(manifest).map(({ dataset }) => dataset.questions)
  const questions = [...new Set(questionCounts)].sort((a, b) => a - b)
  return `${manifest.name}: ${questions.join(' or ')} questions of ${manifest.dataset.name}; ${bands}`
}

/** A portable file name: letters, digits and hyphens. */
const slug = (parts: readonly string[]) =>
  parts
    .map((part) =>
      part
        .replace(/[^A-Za-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 60),
    )
    .filter(Boolean)
    .join('-') || 'figure'
