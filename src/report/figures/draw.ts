import { parse, resetSVGDefIds, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import { chartOf } from './chart.ts'
import type { Figure } from './figure.ts'

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

interface Losses {
  readonly contrastive: number
  readonly ranking: number
  readonly total: number
}

/** The losses of a training against its epochs, which count from 1. */
export const lossFigure = (title: string, subtitle: readonly string[], curve: readonly Losses[]): Figure => ({
  name: 'loss',
  title,
  subtitle,
  x: 'epoch',
  y: 'loss, mean over the steps of the epoch',
  levels: [],
  saturations: [],
  points: curve.flatMap((losses, epoch) =>
    Object.entries<number>({ ...losses }).map(([name, y]) => ({
      curve: name,
      x: epoch + 1,
      y,
      error: null,
      over: 'questions' as const,
    })),
  ),
})
