import { itemAt } from '../../basics/collections.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { plural, present } from '../../text/amounts.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import { sweepsOf, type Sweep } from '../compare/trends.ts'
import { runsIn, syntheticNotes } from '../synthetic.ts'
import type { Cell } from '../table/estimate.ts'
import { alpha } from '../compare/compare-pair.ts'
import { trendText } from '../render/notes-on-trends.ts'
import type { Table } from '../table/table.ts'

/** A score against a varied option: everything that a chart shows. */
export interface Figure {
  /** Of its file, without the ending: letters, digits and hyphens. */
  readonly name: string
  readonly title: string
  readonly subtitle: readonly string[]
  readonly x: string
  readonly y: string
  readonly points: readonly Point[]
  readonly levels: readonly Level[]
  /** The values after which a score that does not fall is shown to rise no more than the margin. */
  readonly saturations: readonly number[]
}

/** `y` and the ends of its 95 % interval, in percent or as they are. */
interface Score {
  readonly y: number
  readonly low: number | null
  readonly high: number | null
  readonly over: 'questions' | 'clusters of questions'
}

interface Point extends Score {
  readonly curve: string
  readonly x: number
}

interface Level extends Score {
  readonly name: string
}

/** More levels than these would hide what is varied, and more curves would hide each other. */
const mostLevels = 8
const mostCurves = 12

/** A figure for every varied number and wanted column. */
export function figuresOf(
  manifest: Manifest,
  table: Pick<Table, 'cells' | 'trends'>,
  isWanted: (column: Column) => boolean = () => true,
): readonly Figure[] {
  const columns = columnsOf(manifest, table).filter(isWanted)
  const figures = sweepsOf(manifest.methods).flatMap((sweep) =>
    columns.flatMap((column) => figureOf(manifest, table, sweep, column)),
  )
  const names = namesOf(figures.map(({ parts }) => parts))
  return figures.map(({ parts: _parts, ...figure }, index) => ({ ...figure, name: itemAt(names, index) }))
}

type NamedFigure = Omit<Figure, 'name'> & { readonly parts: readonly string[] }

function figureOf(
  manifest: Manifest,
  { trends = [] }: Pick<Table, 'trends'>,
  sweep: Sweep,
  column: Column,
): readonly NamedFigure[] {
  const { label, scorer, metric, subset, unit } = column
  const { option, steps, others } = sweep
  const scoreOf = (row: MethodRecord): Score | undefined => scoreIn(column, manifest.methods.indexOf(row))
  // curves of one method are told apart by what else is varied
  const isOfOne = new Set(steps.map(({ row }) => row.method)).size === 1
  const nameOf = (step: Sweep['steps'][number]): string => (isOfOne && step.others !== '' ? step.others : step.curve)
  const named = [...new Set(steps.map(nameOf))]
  const isLine = (name: string): boolean =>
    new Set(steps.flatMap((step) => (nameOf(step) === name ? step.x : []))).size > 1
  const lines = named.some(isLine) ? named.filter(isLine) : named
  const kept = new Set(lines.slice(0, mostCurves))
  const drawn = steps.filter((step) => kept.has(nameOf(step)))
  const points = drawn.flatMap((step): readonly Point[] => {
    const score = scoreOf(step.row)
    return score ? [{ curve: nameOf(step), x: step.x, ...score }] : []
  })
  if (points.length === 0) return []
  const levels = others.flatMap((row): Level[] => {
    const score = scoreOf(row)
    return score ? [{ name: levelName(row, option), ...score }] : []
  })
  const [alone, leftOut] = [named.length - lines.length, lines.length - kept.size]
  const more = Math.max(0, levels.length - mostLevels)
  const isOwn = (one: { readonly option: string; readonly scorer: string; readonly metric: string }): boolean =>
    subset === 'all' && one.option === option && one.scorer === scorer && one.metric === metric
  const found = trends.filter(isOwn)
  return [
    {
      parts: present(option, ...new Set([scorer, metric]), subset !== 'all' && subset),
      title: `${label} by ${option}`,
      subtitle: present(
        subtitle(manifest, [...points, ...levels]),
        found.map(trendText),
        alone > 0 && `not drawn: ${plural(alone, 'row')} at one value of ${option} alone`,
        leftOut > 0 && `not drawn: ${plural(leftOut, 'more curve')}`,
        more > 0 && `not drawn: ${plural(more, 'more row')} that ${more === 1 ? 'does' : 'do'} not vary ${option}`,
      ),
      x: option,
      y: unit === 'percent' ? `${label} (%)` : label,
      points,
      levels: levels.slice(0, mostLevels),
      saturations: found.flatMap(({ falls, saturation }) => (falls <= alpha ? [] : (saturation ?? []))),
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

function subtitle(manifest: Manifest, scores: readonly Score[]): readonly string[] {
  const over = [...new Set(scores.filter(({ low }) => low !== null).map((score) => score.over))]
  const bars = over.length === 0 ? `no interval is known` : `bands: 95 % interval of the mean over ${over.join(' or ')}`
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
