import type { TopLevelSpec } from 'vega-lite'
import type { Figure } from './figure.ts'

/** A figure in the language of Vega-Lite: lines with points, and bars of one standard error where there is one. */
export function chartOf({ title, subtitle, x, y, points }: Figure): TopLevelSpec {
  const values = points.map((point) => ({ ...point, series: printable(point.series) }))
  const steps = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b)
  return {
    width: 440,
    height: 260,
    background: 'white',
    title: { text: printable(title), subtitle: subtitle.map(printable), anchor: 'start', offset: 12 },
    data: { values },
    encoding: {
      x: { field: 'x', type: 'quantitative', title: printable(x), axis: { values: steps, format: '.6~g' } },
      y: { field: 'y', type: 'quantitative', title: printable(y), scale: { zero: false, nice: true } },
      color: {
        field: 'series',
        type: 'nominal',
        sort: null,
        title: null,
        legend: { orient: 'bottom', columns: 1, labelLimit: 440 },
      },
    },
    layer: [
      { mark: 'line' },
      {
        mark: { type: 'point', filled: true, opacity: 1, size: 50 },
        encoding: { shape: { field: 'series', type: 'nominal', sort: null, title: null } },
      },
      {
        transform: [{ filter: 'isValid(datum.error)' }],
        mark: { type: 'errorbar', ticks: true },
        encoding: { yError: { field: 'error' } },
      },
    ],
  }
}

/** Labels come from configs: nothing that SVG forbids or a viewer would obey. What is markup is escaped when it is drawn. */
export const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
