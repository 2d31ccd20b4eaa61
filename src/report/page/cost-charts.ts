import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { formatCount, present } from '../../text/amounts.ts'
import { rowLabels } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { colours, printable, type Chart } from '../figures/chart.ts'
import { costUnit } from '../gather/costs-of-row.ts'
import { scaleOf, type Column } from '../render/columns.ts'
import { rowAt, type Table } from '../table/table.ts'

/** Ranked means, and scores against the costs of a question, if any is above zero; none without a score. */
export function costCharts(manifest: Manifest, table: Table, column: Column): readonly Chart[] {
  const score = printable(column.unit === 'percent' ? `${column.label} (%)` : column.label)
  const { dots, unit } = dotsOf(manifest, table, column)
  if (dots.length === 0) return []
  const hollow = dots.some(({ isReference }) => isReference) ? ' Hollow: reference rows, not compared.' : ''
  const cost = unit === 'money' ? 'dollars of 1,000 questions' : 'tokens a question (prompt and reply)'
  return present(
    {
      name: 'ranked',
      title: `${score}, mean and 95 % interval`,
      caption: `Lines: 95 % intervals of the means.${hollow}`,
      spec: rankedDots(dots),
    },
    dots.some(({ question }) => question > 0) && {
      name: 'cost-per-question',
      title: `${score} against ${cost}`,
      caption: 'Orange: Pareto front, no other row is better in both score and cost per question.',
      spec: dotsByCost(dots),
    },
  )
}

type Dot = ReturnType<typeof dotsOf>['dots'][number]

/**
 * The rows with a score in axis units, by descending mean; bounds are the mean if there is no interval. Costs are money
 * if every row's is known and any is above zero, else tokens of language models.
 */
function dotsOf({ methods }: Manifest, table: Table, column: Column) {
  const labels = rowLabels(methods)
  const rows = methods.flatMap((row, index) => {
    const cell = column.cells[index]
    if (cell?.mean == null) return []
    const isReference = isReferenceRow(row)
    return [{ name: itemAt(labels, index), cell, mean: cell.mean, isReference, ...rowAt(table, index).costs }]
  })
  const unit = costUnit(rows)
  type ScoredRow = (typeof rows)[number]
  const costOf = ({ question }: ScoredRow) => question?.[unit] ?? Infinity
  const isBetter = (a: ScoredRow, b: ScoredRow) => {
    const isNoWorse = costOf(a) <= costOf(b) && a.mean >= b.mean
    const isDifferent = costOf(a) < costOf(b) || a.mean > b.mean
    return isNoWorse && isDifferent
  }
  const comparedRows = rows.filter(({ isReference }) => !isReference)
  const [scale, digits] = scaleOf(column.unit)
  const times = unit === 'money' ? 1000 : 1
  const amount = (cost: number) => formatCount(Number(cost.toPrecision(3)))
  const dots = rows
    .toSorted((a, b) => b.mean - a.mean)
    .map((row, place) => {
      const { name, mean, cell, isReference } = row
      const text = (mean * scale).toFixed(digits)
      const question = times * (row.question?.[unit] ?? 0)
      return {
        place,
        isReference,
        // on the Pareto front of score and cost per question
        isFront: !isReference && !comparedRows.some((rival) => isBetter(rival, row)),
        question,
        label: printable(name),
        mean: mean * scale,
        low: (cell.low ?? mean) * scale,
        high: (cell.high ?? mean) * scale,
        text,
        description: printable(`${name}: ${text}; question ${amount(question)}, index ${amount(row.index[unit] ?? 0)}`),
      }
    })
  return { dots, unit }
}

/** Means with 95 % intervals. */
const rankedDots = (dots: readonly Dot[]): Chart['spec'] => ({
  width,
  height: 24 * dots.length,
  data: { values: [...dots] },
  encoding: { y: { field: 'place', type: 'ordinal', axis: null } },
  layer: [
    {
      mark: { type: 'rule', size: 2 },
      encoding: { x: { ...axis, field: 'low' }, x2: { field: 'high' }, color: colour(colours.mark, colours.soft) },
    },
    { mark: dotMark, encoding: { x: { ...axis, field: 'mean' }, ...dotColours } },
    textMark('label', { x: { value: -12 } }, 'right'),
    textMark('text', { x: { value: width + 45 } }, 'right'),
  ],
})

/** Scores against costs; a line joins the Pareto front. Names are in a column, ordered by score. */
function dotsByCost(dots: readonly Dot[]): Chart['spec'] {
  const means = dots.map(({ mean }) => mean)
  const greatest = Math.max(...means)
  const least = Math.min(...means)
  const range = greatest - least
  const margin = range / 10 || Math.abs(greatest) / 10 || 1
  const top = greatest + margin
  const height = range + 2 * margin
  const costs = dots.map(({ question }) => question)
  const isWide = Math.min(...costs) > 0 && Math.max(...costs) / Math.min(...costs) > 8
  const x = {
    ...axis,
    field: 'question',
    axis: { grid: false, format: ',.12~g', tickCount: 5 },
    // a logarithmic scale has no zero
    scale: isWide ? ({ type: 'log' } as const) : ({ type: 'linear', zero: false } as const),
  } as const
  const domain = [least - margin, top]
  const y = { ...axis, field: 'mean', scale: { domain, nice: false } } as const
  const nameAt = { ...y, field: 'nameAt' }
  return {
    width,
    height: Math.max(266, 16 * dots.length),
    data: { values: dots.map((dot) => ({ ...dot, nameAt: top - ((dot.place + 0.5) * height) / dots.length })) },
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
      textMark('label', { x: { value: width + 6 }, y: nameAt }, 'left'),
    ],
  }
}

/** Of the plot, in pixels. */
const width = 360

const axis = { type: 'quantitative', title: null, axis: { tickCount: 6 }, scale: { zero: false } } as const
const dotMark = { type: 'point', size: 80, opacity: 1, strokeWidth: 2 } as const

/** Reference rows are hollow. */
const colour = (row: string, reference: string, front: string = colours.front) => ({
  condition: [
    { test: 'datum.isReference', value: reference },
    { test: 'datum.isFront', value: front },
  ],
  value: row,
})

const dotColours = {
  fill: colour(colours.mark, colours.paper),
  stroke: colour(colours.mark, colours.soft),
  description: { field: 'description' },
}

const textMark = <P extends object>(field: string, place: P, align: 'left' | 'right') => ({
  mark: { type: 'text', align, baseline: 'middle', limit: 340 } as const,
  encoding: { ...place, text: { field }, color: colour(colours.ink, colours.soft, colours.ink) },
})
