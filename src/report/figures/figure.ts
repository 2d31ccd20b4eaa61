import { itemAt } from '../../basics/collections.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { plural, present } from '../render/amounts.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import { sweepsOf, type Sweep } from '../compare/trends.ts'
import { runsIn, syntheticNotes } from '../synthetic.ts'
import type { Cell } from '../table/estimate.ts'
import { alpha } from '../compare/compare-pair.ts'
import type { Crossing } from '../compare/curves.ts'
import { crossingText, mostCrossings, trendText } from '../render/notes-on-trends.ts'
import { rowAt, type Table } from '../table/table.ts'

/** A score against a varied option, or against what rows spend at its values: everything that a chart shows. */
export interface Figure {
  /** Of its file, without the ending: letters, digits and hyphens. */
  readonly name: string
  readonly title: string
  readonly subtitle: readonly string[]
  readonly x: string
  readonly y: string
  /** Whether points stand at the values of the option; else every row has places of its own on the axis. */
  readonly atValues: boolean
  readonly points: readonly Point[]
  readonly levels: readonly Level[]
  /** The values after which a score that does not fall is shown to rise no more than the margin. */
  readonly saturations: readonly number[]
  readonly crossings: readonly Pick<Crossing, 'above' | 'below' | 'at' | 'low' | 'high'>[]
}

/** `y` and the ends of its 95 % interval, in percent or as they are. */
interface Score {
  readonly y: number
  readonly low: number | null
  readonly high: number | null
  readonly over: 'questions' | 'clusters of questions'
}

/** `value`: that of the option, in whose order points are joined. */
interface Point extends Score {
  readonly curve: string
  readonly x: number
  readonly value: number
}

interface Level extends Score {
  readonly name: string
}

/** More levels than these would hide what is varied, and more curves would hide each other. */
const mostLevels = 8
const mostCurves = 12

/** What stands on the x-axis of a figure: the option, or what a row of that index spends. */
interface Axis {
  readonly title: string
  readonly xOf: (index: number) => number | undefined
}

/** A figure for every varied number and wanted column; of the compared one also against context tokens and money. */
export function figuresOf(
  manifest: Manifest,
  table: Pick<Table, 'cells' | 'trends' | 'curves' | 'rows'>,
  isWanted: (column: Column) => boolean = () => true,
): readonly Figure[] {
  const columns = columnsOf(manifest, table).filter(isWanted)
  const figures = sweepsOf(manifest.methods).flatMap((sweep) =>
    columns.flatMap((column) => {
      const { curves } = table
      const isCurved = curves?.scorer === column.scorer && curves.metric === column.metric && column.subset === 'all'
      return [undefined, ...(isCurved ? axesOf(table) : [])].flatMap((axis) =>
        figureOf(manifest, table, sweep, column, axis),
      )
    }),
  )
  const names = namesOf(figures.map(({ parts }) => parts))
  return figures.map(({ parts: _parts, ...figure }, index) => ({ ...figure, name: itemAt(names, index) }))
}

const axesOf = (table: Pick<Table, 'rows'>): readonly Axis[] => [
  { title: 'tokens of the context', xOf: (index: number) => rowAt(table, index).contextTokens ?? undefined },
  {
    title: 'dollars of 1,000 questions',
    xOf(index: number) {
      const money = rowAt(table, index).costs.question?.money
      return money && 1000 * money
    },
  },
]

/** The largest place of a curve, as a multiple of its least, below which an axis would spread out mere noise. */
const leastSpread = 1.1

const isSpread = (points: readonly Point[]): boolean =>
  [...new Set(points.map(({ curve }) => curve))].some((name) => {
    const places = points.flatMap(({ curve, x }) => (curve === name ? x : []))
    return Math.max(...places) > 0 && Math.max(...places) >= leastSpread * Math.min(...places)
  })

type NamedFigure = Omit<Figure, 'name'> & { readonly parts: readonly string[] }

function figureOf(
  manifest: Manifest,
  { trends = [], curves }: Pick<Table, 'trends' | 'curves'>,
  sweep: Sweep,
  column: Column,
  axis: Axis | undefined,
): readonly NamedFigure[] {
  const { label, scorer, metric, subset, unit } = column
  const { option, steps, others } = sweep
  const scoreOf = (row: MethodRecord): Score | undefined => scoreIn(column, manifest.methods.indexOf(row))
  const xOf = (row: MethodRecord, x?: number) => (axis ? axis.xOf(manifest.methods.indexOf(row)) : x)
  // curves of one method are told apart by what else is varied
  const isOfOne = new Set(steps.map(({ row }) => row.method)).size === 1
  const nameOf = (step: Sweep['steps'][number]): string => (isOfOne && step.others !== '' ? step.others : step.curve)
  const named = [...new Set(steps.map(nameOf))]
  const isLine = (name: string): boolean =>
    new Set(steps.flatMap((step) => (nameOf(step) === name ? step.x : []))).size > 1
  const lines = named.some(isLine) ? named.filter(isLine) : named
  const kept = new Set(lines.slice(0, mostCurves))
  const drawn = steps.filter((step) => kept.has(nameOf(step)))
  const pointOf = (row: MethodRecord, curve: string, value: number): readonly Point[] => {
    const [score, x] = [scoreOf(row), xOf(row, value)]
    return score && x !== undefined ? [{ curve, x, value, ...score }] : []
  }
  const points = drawn.flatMap((step) => pointOf(step.row, nameOf(step), step.x))
  if (points.length === 0 || (axis && !isSpread(points))) return []
  const levels = others.flatMap((row): Level[] => {
    const score = scoreOf(row)
    return score ? [{ name: levelName(row, option), ...score }] : []
  })
  const [alone, leftOut] = [named.length - lines.length, lines.length - kept.size]
  const more = Math.max(0, levels.length - mostLevels)
  const isOwn = (one: { readonly option: string; readonly scorer: string; readonly metric: string }): boolean =>
    !axis && subset === 'all' && one.option === option && one.scorer === scorer && one.metric === metric
  const found = trends.filter(isOwn)
  const crossings = curves && isOwn(curves) ? curves.crossings.slice(0, mostCrossings) : []
  const single = axis ? others.slice(0, mostLevels).flatMap((row) => pointOf(row, rowName(row), 0)) : []
  return [
    {
      parts: present(option, ...new Set([scorer, metric]), subset !== 'all' && subset, axis && axis.title),
      title: `${label} by ${axis ? `${axis.title}, ${option} varied` : option}`,
      subtitle: present(
        subtitle(manifest, axis ? 'bars' : 'bands', [...points, ...levels]),
        curves && crossings.map((one) => crossingText(curves, one)),
        found.map(trendText),
        alone > 0 && `not drawn: ${plural(alone, 'row')} at one value of ${option} alone`,
        leftOut > 0 && `not drawn: ${plural(leftOut, 'more curve')}`,
        more > 0 && `not drawn: ${plural(more, 'more row')} that ${more === 1 ? 'does' : 'do'} not vary ${option}`,
      ),
      x: axis?.title ?? option,
      y: unit === 'percent' ? `${label} (%)` : label,
      atValues: !axis,
      points: [...points, ...single],
      levels: axis ? [] : levels.slice(0, mostLevels),
      saturations: found.flatMap(({ falls, saturation }) => (falls <= alpha ? [] : (saturation ?? []))),
      crossings: crossings.map(({ above, below, at, low, high }) => ({ above, below, at, low, high })),
    },
  ]
}

function scoreIn({ cells, unit }: Column, index: number): Score | undefined {
  const cell = cells[index]
  if (cell?.mean == null) return undefined
  const [scale] = scaleOf(unit, cell.n)
  return { y: scale * cell.mean, ...intervalOf(cell, scale) }
}

const intervalOf = ({ low, high, n, clusters }: Cell, scale: number): Omit<Score, 'y'> => ({
  low: low === null ? null : scale * low,
  high: high === null ? null : scale * high,
  over: clusters < n ? 'clusters of questions' : 'questions',
})

function subtitle(manifest: Manifest, kind: 'bands' | 'bars', scores: readonly Score[]): readonly string[] {
  const over = [...new Set(scores.filter(({ low }) => low !== null).map((score) => score.over))]
  const bars =
    over.length === 0 ? `no interval is known` : `${kind}: 95 % interval of the mean over ${over.join(' or ')}`
  const questions = [...new Set(runsIn(manifest).map(({ dataset }) => dataset.questions))].sort((a, b) => a - b)
  return [
    `${manifest.name}: ${questions.join(' or ')} questions of ${manifest.dataset.name}; ${bars}`,
    ...syntheticNotes(manifest),
    ...manifest.offline.map(
      (provider) => `"${provider}" is not a language model: these numbers do not reproduce a paper`,
    ),
  ]
}

/** A name that any file system takes for each; those that would be the same are numbered. */
function namesOf(figures: readonly (readonly string[])[]): readonly string[] {
  const uses = new Map<string, number>()
  return figures.map((parts) => {
    const name = parts.map(slug).filter(Boolean).join('-') || 'figure'
    const use = (uses.get(name) ?? 0) + 1
    uses.set(name, use)
    return use === 1 ? name : `${name}-${use}`
  })
}

const slug = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)

const levelName = (row: MethodRecord, option: string): string => `${rowName(row)}, dashed: does not vary ${option}`
