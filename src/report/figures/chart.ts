import type { TopLevelSpec } from 'vega-lite'
import type { Manifest } from '../../records.ts'
import { offlineBanner, syntheticNotes } from '../synthetic.ts'

/** A Vega-Lite chart. On a page, its data values have a `description`. */
export interface Chart {
  /** File name without extension (letters, digits, hyphens). */
  readonly name: string
  readonly title: string
  /** Below the title of a file. */
  readonly subtitle?: readonly string[]
  /** Below the chart on a page. */
  readonly caption?: string
  readonly spec: TopLevelSpec
}

/** Colours of figures on white. A page's style replaces each with a variable, for dark mode. */
export const colours = {
  ink: '#22262b',
  soft: '#5f666e',
  rule: '#dedbd4',
  mark: '#0072b2',
  front: '#c2410c',
  paper: '#ffffff',
} as const

/** Draws charts one after the other, because Vega counts definition ids per process. */
export async function drawCharts<C extends Chart>(charts: readonly C[], banners?: readonly string[]) {
  const figures: (C & { readonly svg: string })[] = []
  for (const chart of charts) {
    // Vega loads in half a second
    const { drawChart, drawForPage } = await import('./draw-chart.ts')
    figures.push({ ...chart, svg: await (banners ? drawForPage(chart, banners) : drawChart(chart)) })
  }
  return figures
}

/** Subtitles that name synthetic questions and offline stand-ins. */
export const dataNotes = (manifest: Manifest): readonly string[] => [
  ...syntheticNotes(manifest),
  ...(manifest.answers === 'none' ? [] : manifest.offline.map(offlineBanner)),
]

/** Replaces control characters, which SVG forbids. Vega escapes markup. */
export const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
