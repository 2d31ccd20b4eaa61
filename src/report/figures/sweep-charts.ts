import type { Manifest, MethodRecord } from '../../records.ts'
import { plural, present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { alpha } from '../compare/compare-pair.ts'
import { isOfMetric, comparedMetric } from '../compare/rows-to-compare.ts'
import { sweepsOf, type Sweep } from '../compare/trends.ts'
import type { Cell } from '../gather/estimate.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import { trendText } from '../render/notes-on-runs.ts'
import { runsIn, syntheticNotes } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import { offlineNotes, type PageChart, runCharts } from './chart.ts'
import { lineChart, type Estimate, type LineChart } from './line-chart.ts'

/** The charts of a table as SVG, with file names; sweeps of the compared metric alone. */
export async function drawFigures(manifest: Manifest, table: Table) {
  const metric = comparedMetric(manifest, table.cells)
  const isCompared = (column: Column): boolean =>
    column.scorer === metric?.scorer && column.metric === metric.metric && column.subset === 'all'
  const charts = [...sweepCharts(manifest, table, isCompared), ...runCharts(manifest, table)]
  const figures: { readonly name: string; readonly svg: string }[] = []
  for (const { name, chart } of charts) {
    // Vega loads slowly
    const { drawChart } = await import('./draw-chart.ts')
    figures.push({ name: `${name}.svg`, svg: await drawChart(chart) })
  }
  return figures
}

/** Upper limits that keep a chart readable. */
const mostLevels = 8
const mostCurves = 12

/** One chart per varied number and selected column. */
export function sweepCharts(
  manifest: Manifest,
  table: Pick<Table, 'cells' | 'trends'>,
  isWanted: (column: Column) => boolean = () => true,
): readonly PageChart[] {
  const columns = columnsOf(manifest, table).filter(isWanted)
  const uses = new Map<string, number>()
  return sweepsOf(manifest.methods)
    .flatMap((sweep) => columns.flatMap((column) => sweepChart(manifest, table, sweep, column)))
    .map((chart) => {
      const use = (uses.get(chart.name) ?? 0) + 1
      uses.set(chart.name, use)
      return lineChart(use === 1 ? chart : { ...chart, name: `${chart.name}-${use}` })
    })
}

function sweepChart(
  manifest: Manifest,
  { trends = [] }: Pick<Table, 'trends'>,
  { option, steps, unvariedRows: constantRows }: Sweep,
  column: Column,
): readonly LineChart[] {
  const { label, scorer, metric, subset, unit, cells } = column
  const cellOf = (row: MethodRecord): Cell | undefined => cells[manifest.methods.indexOf(row)]
  const estimateOf = (row: MethodRecord): readonly Estimate[] => estimatesOf(cellOf(row), column)
  // curves of one method are distinguished by the other varied options
  const isOfOne = new Set(steps.map(({ row }) => row.method)).size === 1
  const dots = steps.map((step) => ({
    ...step,
    curve: isOfOne && step.fixedValues !== '' ? step.fixedValues : step.curve,
  }))
  const curves = [...new Set(dots.map(({ curve }) => curve))]
  const isLine = (name: string): boolean => new Set(dots.flatMap(({ curve, x }) => (curve === name ? x : []))).size > 1
  const lines = curves.some(isLine) ? curves.filter(isLine) : curves
  const drawnCurves = lines.slice(0, mostCurves)
  const points = dots
    .filter(({ curve }) => drawnCurves.includes(curve))
    .flatMap(({ row, curve, x }) => estimateOf(row).map((estimate) => ({ curve, x, ...estimate })))
  if (points.length === 0) return []
  const levels = constantRows.flatMap((row) =>
    estimateOf(row).map((estimate) => ({ name: `${rowName(row)}, dashed: does not vary ${option}`, ...estimate })),
  )
  const hiddenCurves = curves.length - drawnCurves.length
  const hiddenLevels = levels.length - mostLevels
  const ofColumn = trends.filter((trend) => trend.option === option && isOfMetric(column, trend))
  return [
    {
      name: slug([option, ...new Set([scorer, metric]), subset === 'all' ? '' : subset]),
      title: `${label} by ${option}`,
      subtitle: present(
        conditions(
          manifest,
          [...dots.map(({ row }) => row), ...constantRows].flatMap((row) => cellOf(row) ?? []),
        ),
        syntheticNotes(manifest),
        offlineNotes(manifest),
        ofColumn.map(trendText),
        hiddenCurves > 0 && `hidden: ${plural(hiddenCurves, 'curve')} with a single value, or above ${mostCurves}`,
        hiddenLevels > 0 && `hidden: ${plural(hiddenLevels, 'row')} without ${option}`,
      ),
      x: option,
      y: unit === 'percent' ? `${label} (%)` : label,
      points,
      levels: levels.slice(0, mostLevels),
      saturations: ofColumn.flatMap(({ falls, saturation }) => (falls <= alpha ? [] : (saturation ?? []))),
    },
  ]
}

/** Mean and interval of a cell; empty without scores. */
function estimatesOf(cell: Cell | undefined, { unit }: Column): readonly Estimate[] {
  if (cell?.mean == null) return []
  const [scale] = scaleOf(unit, cell.n)
  const toUnit = (value: number | null): number | null => (value === null ? null : scale * value)
  return [{ y: scale * cell.mean, low: toUnit(cell.low), high: toUnit(cell.high) }]
}

/** The questions, and the sampling unit of the intervals. */
function conditions(manifest: Manifest, cells: readonly Cell[]): string {
  const over = new Set(
    cells.flatMap(({ low, clusters, n }) => (low === null ? [] : clusters < n ? 'clusters of questions' : 'questions')),
  )
  const bands =
    over.size === 0 ? 'no interval available' : `bands: 95 % interval of the mean over ${[...over].join(' or ')}`
  const questions = [...new Set(runsIn(manifest).map(({ dataset }) => dataset.questions))].sort((a, b) => a - b)
  return `${manifest.name}: ${questions.join(' or ')} questions of ${manifest.dataset.name}; ${bands}`
}

/** A portable file name: letters, digits and hyphens. */
const slug = (parts: readonly string[]): string =>
  parts
    .map((part) =>
      part
        .replace(/[^A-Za-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 60),
    )
    .filter(Boolean)
    .join('-') || 'figure'
