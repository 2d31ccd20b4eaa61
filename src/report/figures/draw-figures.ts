import type { Manifest } from '../../records.ts'
import type { Table } from '../table/table.ts'
import { runCharts } from './chart.ts'
import { sweepCharts } from './sweep-charts.ts'

/** The charts of a table as SVG, with file names. */
export async function drawFigures(manifest: Manifest, table: Table) {
  const charts = [...sweepCharts(manifest, table), ...runCharts(manifest, table)]
  const figures: { readonly name: string; readonly svg: string }[] = []
  for (const { name, chart } of charts) {
    // Vega loads slowly
    const { drawChart } = await import('./draw-chart.ts')
    figures.push({ name: `${name}.svg`, svg: await drawChart(chart) })
  }
  return figures
}
