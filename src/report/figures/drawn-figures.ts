import type { Manifest } from '../../records.ts'
import type { Table } from '../table/table.ts'
import { runCharts } from './chart.ts'
import { figuresOf } from './figure.ts'

/** The figures and charts of a table as SVG, with the names of their files. */
export async function drawnFigures(manifest: Manifest, table: Table) {
  const [figures, charts] = [figuresOf(manifest, table), runCharts(manifest, table)]
  if (figures.length + charts.length === 0) return []
  // Vega takes long to load
  const { drawChart, drawFigure } = await import('./draw.ts')
  const drawn = [
    ...figures.map((figure) => ({ name: figure.name, drawing: drawFigure(figure) })),
    ...charts.map(({ name, chart }) => ({ name, drawing: drawChart(chart) })),
  ]
  return Promise.all(drawn.map(async ({ name, drawing }) => ({ name: `${name}.svg`, svg: await drawing })))
}
