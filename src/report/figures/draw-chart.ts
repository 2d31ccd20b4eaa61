import { parse, resetSVGDefIds, View } from 'vega'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'
import { escapeXml } from '../page-head.ts'
import { colours, printable, type Chart } from './chart.ts'

/**
 * A chart as SVG with accessible names. `subtitle`: lines below the title; long ones are wrapped. Deterministic, not
 * reentrant; loads in half a second.
 */
export async function drawChart(chart: Chart, subtitle: readonly string[] = chart.subtitle ?? []): Promise<string> {
  const { name, title, spec } = chart
  // Vega counts definition ids per process
  resetSVGDefIds()
  const titledSpec: TopLevelSpec = {
    ...spec,
    title: { text: printable(title), subtitle: subtitle.flatMap(wrap) },
    background: colours.paper,
    config,
  }
  const view = new View(parse(compile(titledSpec).spec), { renderer: 'none' })
  const svg = await view.toSVG()
  view.finalize()
  const points = Array.from(svg.matchAll(pointMark), ([, , words]) => words)
  const label = [escapeXml(printable(title)), ...points].join('; ')
  const result = svg
    .replace('<svg ', () => `<svg role="img" data-name="${escapeXml(name)}" aria-label="${label}" `)
    // browsers show the title as a tooltip
    .replace(pointMark, '<path $1><title>$2</title></path>')
  return `${result}\n`
}

/** Lines of at most 90 letters. */
const wrap = (text: string) =>
  printable(text)
    .replace(/(.{1,90})(?:\s+|$)/g, '$1\n')
    .trim()
    .split('\n')

const pointMark = /<path (aria-label="([^"]*)"[^>]*aria-roledescription="point"[^>]*)\/>/g

const config: Config = {
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
