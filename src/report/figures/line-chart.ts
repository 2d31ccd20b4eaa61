import { printable, type Chart } from './chart.ts'

/** A value and its 95 % interval, if any, in the unit of the axis. */
export interface Estimate {
  readonly y: number
  readonly low?: number | null
  readonly high?: number | null
}

/** Scores over a varied number: curves, and levels of rows that do not vary it. */
export interface LineChart extends Pick<Chart, 'name' | 'title' | 'subtitle'> {
  readonly x: string
  readonly y: string
  readonly points: readonly (Estimate & { readonly curve: string; readonly x: number })[]
  readonly levels?: readonly (Estimate & { readonly name: string })[]
}

/** Bands are 95 % intervals; single points and dashed levels have bars. */
export function lineChart({ x, y, points, levels = [], ...head }: LineChart): Chart {
  const steps = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b)
  const first = steps[0] ?? 0
  const last = steps.at(-1) ?? 0
  const beside = (place: number) => last + 0.03 * (last - first || 1) * place
  const isAlone = (curve: string) => points.filter((point) => point.curve === curve).length === 1
  const values = [
    ...points.map(({ curve, x: at, ...estimate }) => ({
      ...estimate,
      name: printable(curve),
      kind: isAlone(curve) ? 'alone' : 'point',
      at,
      description: printable(`${x}: ${at}; ${y}: ${estimate.y}; ${curve}`),
    })),
    ...levels.map((level, index) => ({
      ...level,
      name: printable(level.name),
      kind: 'level',
      at: beside(index + 1.5),
      from: first,
      to: beside(levels.length + 1),
      description: printable(`${y}: ${level.y}; ${level.name}`),
    })),
  ]
  const across = {
    type: 'quantitative',
    title: printable(x),
    axis: { values: steps, format: '.6~g', labelOverlap: true },
    scale: { zero: false, nice: false, padding: 8 },
  } as const
  const names = [...new Set(values.map((value) => value.name))]
  const byName = { field: 'name', type: 'nominal', scale: { domain: names }, title: null } as const
  const interval = { y: { field: 'low', type: 'quantitative' }, y2: { field: 'high' } } as const
  const where = (filter: string) => [{ filter }]
  return {
    ...head,
    caption: 'Bands: 95 % intervals of the means. Dashed: rows that do not vary the option.',
    spec: {
      width: 440,
      height: 260,
      data: { values },
      encoding: {
        x: { field: 'at', ...across },
        y: { field: 'y', type: 'quantitative', title: printable(y), scale: { zero: false, nice: true } },
        color: { ...byName, legend: { orient: 'bottom', columns: 1, labelLimit: 440, symbolOpacity: 1 } },
      },
      layer: [
        {
          transform: where("datum.kind === 'point' && isValid(datum.low)"),
          mark: { type: 'area', opacity: 0.15 },
          encoding: interval,
        },
        { transform: where("datum.kind !== 'level'"), mark: 'line' },
        {
          transform: where("datum.kind === 'level'"),
          mark: { type: 'rule', strokeDash: [5, 4] },
          encoding: { x: { field: 'from', ...across }, x2: { field: 'to' } },
        },
        {
          mark: { type: 'point', filled: true, opacity: 1, size: 50 },
          encoding: { shape: byName, description: { field: 'description' } },
        },
        { transform: where("datum.kind !== 'point' && isValid(datum.low)"), mark: 'rule', encoding: interval },
      ],
    },
  }
}

/** Training losses by epoch, counted from 1. */
export const lossChart = (
  title: string,
  subtitle: readonly string[],
  losses: readonly Readonly<Record<'contrastive' | 'ranking' | 'total', number>>[],
): Chart =>
  lineChart({
    name: 'loss',
    title,
    subtitle,
    x: 'epoch',
    y: 'loss, mean over the steps of the epoch',
    points: losses.flatMap(({ contrastive, ranking, total }, epoch) =>
      Object.entries({ contrastive, ranking, total }).map(([curve, y]) => ({ curve, x: epoch + 1, y })),
    ),
  })
