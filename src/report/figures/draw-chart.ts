import { parse, resetSVGDefIds, View } from 'vega'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'
import { escapeXml } from '../page-head.ts'
import { printable, type PageChart } from './chart.ts'
import { colours } from './colours.ts'

/** A chart as deterministic SVG. Not reentrant. Loading this module takes half a second. */
export async function drawChart(chart: TopLevelSpec): Promise<string> {
  // Vega counts definition ids per process
  resetSVGDefIds()
  const view = new View(parse(compile(chart).spec), { renderer: 'none' })
  try {
    return `${await view.toSVG()}\n`
  } finally {
    view.finalize()
  }
}

/** SVG for a page, with accessible names. `subtitle`: one line each, in place of the chart's own. */
export async function drawForPage(
  { name, title, chart }: Omit<PageChart, 'caption'>,
  subtitle: readonly string[] = [],
): Promise<string> {
  const svg = await drawChart({
    ...chart,
    title: { text: printable(title), ...(subtitle.length > 0 && { subtitle: subtitle.map(printable) }) },
    background: colours.paper,
    config: pageConfig,
  })
  const points = Array.from(svg.matchAll(pointMark), ([, , words]) => words)
  const label = [escapeXml(printable(title)), ...points].join('; ')
  return (
    svg
      .replace('<svg ', () => `<svg role="img" data-name="${escapeXml(name)}" aria-label="${label}" `)
      // browsers show the title as a tooltip
      .replace(pointMark, '<path $1><title>$2</title></path>')
  )
}

const pointMark = /<path (aria-label="([^"]*)"[^>]*aria-roledescription="point"[^>]*)\/>/g

const font = 'system-ui, sans-serif'

const pageConfig: Config = {
  title: {
    color: colours.soft,
    fontSize: 13,
    fontWeight: 'normal',
    font,
    anchor: 'start',
    frame: 'bounds',
    subtitleColor: colours.front,
    subtitleFontSize: 12,
    subtitleFont: font,
  },
  axis: {
    labelColor: colours.soft,
    titleColor: colours.soft,
    gridColor: colours.rule,
    domain: false,
    ticks: false,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelFont: font,
    titleFont: font,
    labelFlush: false,
  },
  legend: { labelColor: colours.ink, labelFontSize: 12, labelFont: font },
  text: { font, fontSize: 13 },
  view: { stroke: null },
  range: { category: [colours.mark, colours.front, '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#8a63d2', '#7a7f85'] },
}
