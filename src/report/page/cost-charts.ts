import { itemAt } from '../../basics/collections.ts'
import { formatCount, present } from '../../text/amounts.ts'
import { printable, type PageChart } from '../figures/chart.ts'
import { colours } from '../figures/colours.ts'
import { scaleOf, type Column } from '../render/columns.ts'
import type { RowCost, RowCosts } from './costs.ts'

export const indexCosts = 'cost-of-index'

/** Ranked means, and scores against query and index cost if any cost is above zero. */
export function costCharts({ rows, unit, base }: RowCosts, column: Column): readonly PageChart[] {
  const isMoney = unit === 'money'
  const title = printable(column.unit === 'percent' ? `${column.label} (%)` : column.label)
  const dots = rows.map((row) => dotOf(row, column)).sort((a, b) => b.mean - a.mean)
  const costDots = (kind: 'question' | 'index', times: number): readonly CostDot[] =>
    dots.flatMap((dot) => {
      const cost = dot.row[kind]?.[unit]
      return cost === undefined ? [] : [{ ...dot, cost: cost * times }]
    })
  const ofQuestions = costDots('question', isMoney ? 1000 : 1)
  const ofIndex = costDots('index', 1).filter(({ row }) => !row.isReference || row === base)
  return present(
    rankedChart(title, dots),
    ofQuestions.some(({ cost }) => cost > 0) && {
      name: 'cost-per-question',
      caption: 'Orange: Pareto front, no other row is better in both score and cost per question.',
      ...costChart(
        `${title} against ${isMoney ? 'dollars of 1,000 questions' : 'tokens a question (prompt and reply)'}`,
        ofQuestions.map((dot) => ({ ...dot, ...(dot.row.isFront && { fill: colours.front, stroke: colours.front }) })),
      ),
    },
    ofIndex.some(({ cost }) => cost > 0) && {
      name: indexCosts,
      caption: 'Cost of each row before its first question.',
      ...costChart(
        `${title} against ${isMoney ? 'dollars' : 'tokens'} of the index`,
        ofIndex.map((dot) => ({ ...dot, row: { ...dot.row, isFront: false } })),
      ),
    },
  )
}

/** A row in axis units. Reference rows are hollow. */
interface Dot {
  readonly row: RowCost
  readonly label: string
  readonly mean: number
  /** Bounds of the interval; the mean if it has none. */
  readonly low: number
  readonly high: number
  readonly text: string
  readonly interval: string
  readonly ink: string
  readonly fill: string
  readonly stroke: string
}

interface CostDot extends Dot {
  readonly cost: number
}

function dotOf(row: RowCost, { unit }: Column): Dot {
  const [scale, digits] = scaleOf(unit)
  const { mean, name, isReference } = row
  const { low, high } = row.cell
  const text = (value: number): string => (value * scale).toFixed(digits)
  return {
    row,
    label: printable(shortenMiddle(name, 34)),
    mean: mean * scale,
    low: (low ?? mean) * scale,
    high: (high ?? mean) * scale,
    text: text(mean),
    interval: low === null || high === null ? '' : ` (95 % interval ${text(low)} to ${text(high)})`,
    ink: isReference ? colours.soft : colours.ink,
    fill: isReference ? colours.paper : colours.mark,
    stroke: isReference ? colours.soft : colours.mark,
  }
}

/** Means with 95 % intervals, highest first. */
function rankedChart(title: string, dots: readonly Dot[]): PageChart {
  const values = dots.map(({ row, ...dot }, place) => ({
    ...dot,
    place,
    description: printable(`${row.name}: ${dot.text}${dot.interval}`),
  }))
  const labelWidth = widthOf(dots)
  const x = { field: 'mean', ...axis, scale: { zero: false, nice: true } } as const
  return {
    name: 'ranked',
    title: { text: `${title}, mean and 95 % interval`, dx: -labelWidth },
    description: `${title} with 95 % intervals: ${values.map(({ description }) => description).join(', ')}`,
    caption: `Lines: 95 % intervals of the means.${dots.some(({ row }) => row.isReference) ? ' Hollow: reference rows, not compared.' : ''}`,
    chart: {
      ...fixedSize({ left: labelWidth, right: 58, top: 30, bottom: 26 }, 24 * dots.length),
      data: { values },
      encoding: { y: { field: 'place', type: 'ordinal', axis: null } },
      layer: [
        {
          mark: { type: 'rule', size: 2 },
          encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, color: colourField('stroke') },
        },
        { mark: dotMark, encoding: { x, ...dotColours } },
        textMark('label', { x: { value: -12 } }, 'right'),
        textMark('text', { x: { value: width - labelWidth } }, 'right'),
      ],
    },
  }
}

/** Scores against costs; a line joins the Pareto front. Names are in a column, ordered by score. */
function costChart(title: string, dots: readonly CostDot[]): Omit<PageChart, 'name' | 'caption'> {
  const height = Math.max(266, 16 * dots.length)
  const right = widthOf(dots)
  const [greatest, least] = [dots[0]?.mean ?? 0, dots.at(-1)?.mean ?? 0]
  const margin = (greatest - least) / 10 || Math.abs(greatest) / 10 || 1
  const [bottom, top] = [least - margin, greatest + margin]
  const heights = nameHeights(dots, bottom, (16 * (top - bottom)) / height)
  const values = dots.map(({ row, ...dot }, place) => ({
    ...dot,
    isFront: row.isFront,
    nameAt: itemAt(heights, place),
    description: printable(`${row.name}: ${dot.text} at ${amount(dot.cost)}`),
  }))
  const costs = dots.map(({ cost }) => cost)
  const isWide = Math.min(...costs) > 0 && Math.max(...costs) / Math.min(...costs) > 8
  const x = {
    field: 'cost',
    ...axis,
    axis: { grid: false, format: ',.12~g', tickCount: 5 },
    // a logarithmic scale has no zero
    scale: isWide ? ({ type: 'log', nice: true } as const) : ({ type: 'linear', zero: false, nice: true } as const),
  } as const
  const domain = [bottom, top]
  const y = { field: 'mean', ...axis, scale: { domain, nice: false } } as const
  const nameY = { ...y, field: 'nameAt' } as const
  return {
    title: { text: title, dx: -44 },
    description: `${title}: ${values.map(({ description }) => description).join(', ')}`,
    chart: {
      ...fixedSize({ left: 44, right, top: 34, bottom: 26 }, height),
      data: { values },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 0.5, color: colours.soft },
          encoding: { x, y, x2: { value: 'width' }, y2: { field: 'nameAt' } },
        },
        {
          transform: [{ filter: 'datum.isFront' }],
          mark: { type: 'line', strokeDash: [4, 3], strokeWidth: 1.5, color: colours.front },
          encoding: { x, y },
        },
        { mark: dotMark, encoding: { x, y, ...dotColours } },
        textMark('label', { x: { value: width - 44 - right + 6 }, y: nameY }, 'left'),
      ],
    },
  }
}

/** Heights of names from the top, at their dots if names do not overlap there. */
function nameHeights(dots: readonly Dot[], bottom: number, apart: number): readonly number[] {
  let above = Infinity
  return dots.map(({ mean }, place) => {
    const below = dots.length - 1 - place
    above = Math.max(Math.min(mean, above - apart), bottom + (below + 0.5) * apart)
    return above
  })
}

const width = 560

/** Vega's own sizing depends on text metrics, so sizes are fixed. `padding`: space for text. */
const fixedSize = (padding: Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>, height: number) => ({
  autosize: 'none' as const,
  width: width - padding.left - padding.right,
  height,
  padding,
})

const axis = { type: 'quantitative', title: null, axis: { tickCount: 6 } } as const
const colourField = (field: 'ink' | 'fill' | 'stroke') => ({ field, type: 'nominal', scale: null }) as const
const dotMark = { type: 'point', size: 80, opacity: 1, strokeWidth: 2 } as const
const dotColours = {
  fill: colourField('fill'),
  stroke: colourField('stroke'),
  description: { field: 'description' },
} as const

const textMark = <P extends object>(field: string, place: P, align: 'left' | 'right') => ({
  mark: { type: 'text', align, baseline: 'middle' } as const,
  encoding: { ...place, text: { field }, color: colourField('ink') },
})

/** Estimated width of the names, in pixels. */
const widthOf = (dots: readonly Dot[]): number =>
  Math.max(60, ...dots.map(({ label }) => 8.2 * Array.from(label).length)) + 12

/** Keeps the beginning and the end, in which rows with varied options differ. */
export function shortenMiddle(text: string, limit: number): string {
  const letters = Array.from(text)
  const end = Math.floor((limit - 1) / 2)
  return letters.length <= limit
    ? text
    : `${letters.slice(0, limit - 1 - end).join('')}…${letters.slice(-end).join('')}`
}

const amount = (cost: number): string =>
  cost < 10 ? String(Number(cost.toPrecision(2))) : formatCount(Math.round(cost))
