import { printable, titleSpec, type PageChart } from './chart.ts'

/** A value and its 95 % interval, in the unit of the axis. */
export interface Estimate {
  readonly y: number
  readonly low: number | null
  readonly high: number | null
}

/** Scores over a varied number: curves, and levels of rows that do not vary it. */
export interface LineChart {
  /** File name without extension. */
  readonly name: string
  readonly title: string
  readonly subtitle: readonly string[]
  readonly x: string
  readonly y: string
  readonly points: readonly (Estimate & { readonly curve: string; readonly x: number })[]
  readonly levels: readonly (Estimate & { readonly name: string })[]
  /** Values after which the score rises by less than the margin. */
  readonly saturations: readonly number[]
}

/** Bands are 95 % intervals; single points and dashed levels have bars. */
export function lineChart({ name, title, subtitle, x, y, points, levels, saturations }: LineChart): PageChart {
  const steps = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b)
  const [first = 0, last = 0] = [steps[0], steps.at(-1)]
  const beside = (place: number): number => last + 0.03 * (last - first || 1) * place
  const isAlone = (curve: string): boolean => points.filter((point) => point.curve === curve).length === 1
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
  const axis = { values: steps, format: '.6~g', labelOverlap: true }
  const across = {
    type: 'quantitative',
    title: printable(x),
    axis,
    scale: { zero: false, nice: false, padding: 8 },
  } as const
  const names = [...new Set(values.map((value) => value.name))]
  const byName = { field: 'name', type: 'nominal', scale: { domain: names }, title: null } as const
  const interval = { y: { field: 'low', type: 'quantitative' }, y2: { field: 'high' } } as const
  return {
    name,
    title,
    caption: 'Bands: 95 % intervals of the means. Dashed: rows that do not vary the option.',
    chart: {
      width: 440,
      height: 260,
      ...titleSpec(title, subtitle),
      data: { values },
      encoding: {
        x: { field: 'at', ...across },
        y: { field: 'y', type: 'quantitative', title: printable(y), scale: { zero: false, nice: true } },
        color: { ...byName, legend: { orient: 'bottom', columns: 1, labelLimit: 440, symbolOpacity: 1 } },
      },
      layer: [
        ...saturations.map((from) => ({
          data: { values: [{ from }] },
          mark: { type: 'rule' as const, strokeDash: [2, 3] },
          encoding: {
            x: { ...across, field: 'from' },
            y: { value: 0 },
            y2: { value: 'height' as const },
            color: { value: 'gray' },
          },
        })),
        {
          transform: [{ filter: "datum.kind === 'point' && isValid(datum.low)" }],
          mark: { type: 'area', opacity: 0.15 },
          encoding: interval,
        },
        { transform: [{ filter: "datum.kind !== 'level'" }], mark: 'line' },
        {
          transform: [{ filter: "datum.kind === 'level'" }],
          mark: { type: 'rule', strokeDash: [5, 4] },
          encoding: { x: { field: 'from', ...across }, x2: { field: 'to' } },
        },
        {
          mark: { type: 'point', filled: true, opacity: 1, size: 50 },
          encoding: { shape: byName, description: { field: 'description' } },
        },
        { transform: [{ filter: "datum.kind !== 'point' && isValid(datum.low)" }], mark: 'rule', encoding: interval },
      ],
    },
  }
}

interface Losses {
  readonly contrastive: number
  readonly ranking: number
  readonly total: number
}

/** Training losses by epoch, counted from 1. */
export const lossChart = (title: string, subtitle: readonly string[], curve: readonly Losses[]): PageChart =>
  lineChart({
    name: 'loss',
    title,
    subtitle,
    x: 'epoch',
    y: 'loss, mean over the steps of the epoch',
    levels: [],
    saturations: [],
    points: curve.flatMap(({ contrastive, ranking, total }, epoch) =>
      Object.entries({ contrastive, ranking, total }).map(([name, y]) => ({
        curve: name,
        x: epoch + 1,
        y,
        low: null,
        high: null,
      })),
    ),
  })
