import { parse, resetSVGDefIds, View } from 'vega'
import { compile } from 'vega-lite'
import { chartOf } from './chart.ts'
import type { Figure } from './figure.ts'
import type { TopLevelSpec } from 'vega-lite'

/** A figure as SVG, the same bytes each time; draw one after the other. Loading this module takes half a second. */
export const drawFigure = (figure: Figure): Promise<string> => drawChart(chartOf(figure))

/** The same of a chart in the language of Vega-Lite. */
export async function drawChart(chart: TopLevelSpec): Promise<string> {
  // ids of definitions are counted over the whole process
  resetSVGDefIds()
  const view = new View(parse(compile(chart).spec), { renderer: 'none' })
  try {
    return `${await view.toSVG()}\n`
  } finally {
    view.finalize()
  }
}
