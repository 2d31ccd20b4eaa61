import { parse, resetSVGDefIds, View } from 'vega'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'
import { escapeXml } from '../page-head.ts'
import { colours, printable, type Chart } from './chart.ts'

/** A chart with its subtitle as SVG, on white. Deterministic, not reentrant; loads in half a second. */
export const drawChart = ({ title, subtitle = [], spec }: Chart): Promise<string> =>
  draw({
    ...spec,
    background: 'white',
    title: {
      text: printable(title),
      subtitle: subtitle.flatMap((text) =>
        printable(text)
          .replace(/(.{1,90})(?:\s+|$)/g, '$1\n')
          .trim()
          .split('\n'),
      ),
      anchor: 'start',
      offset: 12,
    },
  })

/** SVG for a page, with accessible names. `banners`: one line each, in place of the subtitle. */
export async function drawForPage({ name, title, spec }: Chart, banners: readonly string[] = []): Promise<string> {
  const svg = await draw({
    ...spec,
    title: { text: printable(title), ...(banners.length > 0 && { subtitle: banners.map(printable) }) },
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

async function draw(spec: TopLevelSpec) {
  // Vega counts definition ids per process
  resetSVGDefIds()
  const view = new View(parse(compile(spec).spec), { renderer: 'none' })
  try {
    return `${await view.toSVG()}\n`
  } finally {
    view.finalize()
  }
}

const pointMark = /<path (aria-label="([^"]*)"[^>]*aria-roledescription="point"[^>]*)\/>/g

const pageConfig: Config = {
  font: 'system-ui, sans-serif',
  title: {
    color: colours.soft,
    fontSize: 13,
    fontWeight: 'normal',
    anchor: 'start',
    frame: 'bounds',
    subtitleColor: colours.front,
    subtitleFontSize: 12,
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
    labelFlush: false,
  },
  legend: { labelColor: colours.ink, labelFontSize: 12 },
  text: { fontSize: 13 },
  view: { stroke: null },
  range: { category: [colours.mark, colours.front, '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#8a63d2', '#7a7f85'] },
}
