import type { Manifest } from '../../records.ts'
import { comparedMetric } from '../compare/rows-to-compare.ts'
import type { Column } from '../render/columns.ts'
import type { Table } from '../table/table.ts'
import { runCharts } from './chart.ts'
import { sweepCharts } from './sweep-charts.ts'

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
