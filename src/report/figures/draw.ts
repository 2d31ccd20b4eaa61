import { parse, resetSVGDefIds, View } from 'vega'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'
import { escapeXml } from '../page-head.ts'
import { colours } from './colours.ts'
import { chartOf } from './chart.ts'
import type { Figure } from './figure.ts'

/** A figure as SVG, the same bytes each time; draw one after the other. Loading this module takes half a second. */
export const drawFigure = (figure: Figure): Promise<string> => drawChart(chartOf(figure))

/** The same as a part of a page: in the colours that its style knows, without subtitles and background. */
export async function drawForPage(figure: Figure): Promise<string> {
  const chart = { ...chartOf({ ...figure, subtitle: [] }), width: 500, background: 'transparent', config: pageConfig }
  const [name, said] = [figure.name, `${figure.title}: ${figure.points.map(pointWords).join(', ')}`].map(escapeXml)
  return (await drawChart(chart)).replace(
    '<svg ',
    `<svg role="img" data-name="${name ?? ''}" aria-label="${said ?? ''}" `,
  )
}

const pointWords = ({ curve, x, y }: Figure['points'][number]): string => `${curve} at ${x} ${y.toFixed(1)}`

/** Colours as those of the other figures of a page. */
const pageConfig: Config = {
  title: { color: colours.soft, fontSize: 13, fontWeight: 'normal', font: 'system-ui, sans-serif', anchor: 'start' },
  axis: {
    labelColor: colours.soft,
    titleColor: colours.soft,
    gridColor: colours.rule,
    domain: false,
    ticks: false,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelFont: 'system-ui, sans-serif',
    titleFont: 'system-ui, sans-serif',
  },
  legend: { labelColor: colours.ink, labelFontSize: 12, labelFont: 'system-ui, sans-serif' },
  view: { stroke: null },
  range: { category: [colours.mark, colours.front, '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#8a63d2', '#7a7f85'] },
}

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
      low: null,
      high: null,
      over: 'questions' as const,
    })),
  ),
})
