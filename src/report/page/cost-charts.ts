import type { TopLevelSpec } from 'vega-lite'
import { counted, present } from '../../text/amounts.ts'
import { printable, type PageChart } from '../figures/chart.ts'
import { colours } from '../figures/colours.ts'
import { scaleOf, type Column } from '../render/columns.ts'
import type { RowCost, RowCosts } from './costs.ts'
import { placeLabels, shortened, widthOf, type Box } from './place-labels.ts'

/** The name of the figure that is shown beside the costs. */
export const indexCosts = 'cost-of-index'

/** The means with their intervals, and against what questions and the index cost, where something is spent. */
export function costCharts(costs: RowCosts, { label, unit }: Column): readonly PageChart[] {
  const { rows, base } = costs
  const [scale, digits] = scaleOf(unit)
  const shown: Shown = { title: printable(unit === 'percent' ? `${label} (%)` : label), scale, digits }
  const isSpent = (cost: RowCost['question']): boolean => (cost?.[costs.unit] ?? 0) > 0
  const isMoney = costs.unit === 'money'
  return present<PageChart>(
    rankedChart(rows, shown),
    rows.some(({ question }) => isSpent(question)) && {
      ...costChart(
        `${shown.title} against ${isMoney ? 'dollars of 1,000 questions' : 'tokens a question (prompt and reply)'}`,
        rows.map((row) => ({ row, isFront: row.isFront, cost: row.question?.[costs.unit] })),
        isMoney ? 1000 : 1,
        shown,
      ),
      name: 'cost-per-question',
      caption:
        'Orange, and joined where there are several: the rows that no other beats in score and cost a question at once (Pareto front).',
    },
    rows.some(({ index }) => isSpent(index)) && {
      ...costChart(
        `${shown.title} against ${isMoney ? 'dollars' : 'tokens'} of the index`,
        rows
          .filter((row) => !row.isReference || row === base)
          .map((row) => ({ row, isFront: false, cost: row.index[costs.unit] })),
        1,
        shown,
      ),
      name: indexCosts,
      caption: 'What every row costs before its first question.',
    },
  )
}

/** How a metric is shown: its title, what a mean is multiplied by, and digits behind the point. */
interface Shown {
  readonly title: string
  readonly scale: number
  readonly digits: number
}

const width = 560

/** The means of a metric with their 95 % intervals, greatest first; reference rows are hollow. */
function rankedChart(rows: readonly RowCost[], { title, scale, digits }: Shown): PageChart {
  const values = [...rows]
    .sort((a, b) => b.mean - a.mean)
    .map(({ name, mean, cell: { low, high }, isReference }, place) => {
      const text = (value: number): string => (value * scale).toFixed(digits)
      const interval = low === null || high === null ? '' : ` (95 % interval ${text(low)} to ${text(high)})`
      return {
        place,
        label: printable(shortened(name, 34)),
        text: text(mean),
        description: printable(`${name}: ${text(mean)}${interval}`),
        mean: mean * scale,
        low: (low ?? mean) * scale,
        high: (high ?? mean) * scale,
        ink: isReference ? colours.soft : colours.ink,
        ...dotColours(isReference, colours.mark),
      }
    })
  const left = Math.max(60, ...values.map(({ label }) => widthOf(label))) + 12
  const y = { field: 'place', type: 'ordinal', axis: null } as const
  const x = {
    field: 'mean',
    type: 'quantitative',
    title: null,
    axis: { tickCount: 6 },
    scale: { zero: false, nice: true },
  } as const
  const ink = { field: 'ink', type: 'nominal', scale: null } as const
  return {
    name: 'ranked',
    title: { text: `${title}, mean and 95 % interval`, dx: -left },
    description: `${title} with 95 % intervals: ${values.map(({ description }) => description).join(', ')}`,
    caption: 'A line is the 95 % interval of the mean; hollow rows are for orientation alone.',
    chart: {
      ...fixedSize({ left, right: 58, top: 30, bottom: 26 }, 24 * values.length),
      data: { values },
      encoding: { y },
      layer: [
        {
          mark: { type: 'rule', size: 2 },
          encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, color: stroked },
        },
        dots({ x, y }),
        {
          mark: { type: 'text', align: 'right' },
          encoding: { x: { value: -12 }, text: { field: 'label' }, color: ink },
        },
        {
          mark: { type: 'text', align: 'right' },
          encoding: { x: { value: width - left }, text: { field: 'text' }, color: ink },
        },
      ],
    },
  }
}

interface Point {
  readonly row: RowCost
  readonly cost: number | undefined
  readonly isFront: boolean
}

const [plotWidth, plotHeight] = [width - 64, 266]

/** Scores against costs; the rows of the front are joined. */
function costChart(title: string, points: readonly Point[], times: number, { scale, digits }: Shown) {
  const known = points.flatMap(({ cost, ...point }) => (cost === undefined ? [] : [{ ...point, cost: cost * times }]))
  const x = costAxis(known.map(({ cost }) => cost))
  const y = axisOf(
    known.map(({ row }) => row.mean * scale),
    0.1,
  )
  const dotsAt = known.map(({ row, cost }) => ({
    name: row.name,
    x: plotWidth * x.share(cost),
    y: plotHeight * (1 - y.share(row.mean * scale)),
  }))
  const area: Box = { left: -4, right: plotWidth + 20, top: -14, bottom: plotHeight + 4 }
  const labels = placeLabels(dotsAt, area)
  const values = known.map(({ row, cost, isFront }, index) => ({
    cost,
    mean: row.mean * scale,
    isFront,
    ...dotsAt[index],
    ...labels[index],
    description: printable(`${row.name}: ${(row.mean * scale).toFixed(digits)} at ${amount(cost)}`),
    ink: row.isReference ? colours.soft : colours.ink,
    ...dotColours(row.isReference, isFront ? colours.front : colours.mark),
  }))
  const across = {
    field: 'cost',
    type: 'quantitative',
    title: null,
    axis: { grid: false, format: ',.12~g', tickCount: 6 },
    scale: x.scale,
  } as const
  const up = { field: 'mean', type: 'quantitative', title: null, axis: { tickCount: 6 }, scale: y.scale } as const
  const onScreen = (field: string) => ({ field, type: 'quantitative', scale: null, axis: null }) as const
  const names = (align: 'left' | 'right') => ({
    transform: [{ filter: `datum.align === '${align}'` }],
    mark: { type: 'text', align, baseline: 'middle' } as const,
    encoding: {
      x: onScreen('labelX'),
      y: onScreen('labelY'),
      text: { field: 'label' } as const,
      color: { field: 'ink', type: 'nominal', scale: null } as const,
    },
  })
  const chart: TopLevelSpec = {
    ...fixedSize({ left: 44, right: 20, top: 34, bottom: 26 }, plotHeight),
    data: { values },
    layer: [
      {
        transform: [{ filter: 'datum.isFront' }],
        mark: { type: 'line', strokeDash: [4, 3], strokeWidth: 1.5, color: colours.front },
        encoding: { x: across, y: up },
      },
      {
        transform: [{ filter: 'datum.isFar' }],
        mark: { type: 'rule', strokeWidth: 0.7, color: colours.soft },
        encoding: { x: onScreen('x'), y: onScreen('y'), x2: { field: 'labelX' }, y2: { field: 'labelY' } },
      },
      names('left'),
      names('right'),
      dots({ x: across, y: up }),
    ],
  }
  return {
    title: { text: title, dx: -44 },
    description: `${title}: ${values.map(({ description }) => description).join(', ')}`,
    chart,
  }
}

const stroked = { field: 'stroke', type: 'nominal', scale: null } as const

const dotColours = (isHollow: boolean, colour: string) =>
  isHollow ? { fill: colours.paper, stroke: colours.soft } : { fill: colour, stroke: colour }

const dots = <E extends object>(encoding: E) => ({
  mark: { type: 'point', size: 80, opacity: 1, strokeWidth: 2 } as const,
  encoding: {
    ...encoding,
    fill: { field: 'fill', type: 'nominal', scale: null } as const,
    stroke: stroked,
    description: { field: 'description' } as const,
  },
})

/** A figure as wide as the others, whatever its words are reckoned to take. */
const fixedSize = (padding: Box, height: number) => ({
  autosize: 'none' as const,
  width: width - padding.left - padding.right,
  height,
  padding,
})

interface Axis {
  readonly scale: { readonly type: 'linear' | 'log'; readonly domain: number[]; readonly nice: false }
  /** Where a value is on the axis, from 0 to 1. */
  readonly share: (value: number) => number
}

/** An axis over some values with a margin at both ends, a share of what they span. */
function axisOf(values: readonly number[], margin: number): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const pad = margin * (high - low) || Math.abs(high) / 10 || 1
  return linear(low - pad, high + pad)
}

const linear = (from: number, to: number): Axis => ({
  scale: { type: 'linear', domain: [from, to], nice: false },
  share: (value) => (value - from) / (to - from),
})

/** An axis of costs is logarithmic where they differ much, and not narrower than a tenth where they hardly do. */
function costAxis(costs: readonly number[]): Axis {
  const [low, high] = [Math.min(...costs), Math.max(...costs)]
  if (low <= 0 || high / low <= 8)
    return linear(Math.max(0, Math.min(0.95 * high, 1.05 * low - 0.05 * high)), 1.02 * high)
  const [from, to] = [low / 1.2, high * 1.2]
  return {
    scale: { type: 'log', domain: [from, to], nice: false },
    share: (value) => Math.log(value / from) / Math.log(to / from),
  }
}

/** A cost of which small ones keep two digits. */
const amount = (cost: number): string => (cost < 10 ? String(Number(cost.toPrecision(2))) : counted(Math.round(cost)))
