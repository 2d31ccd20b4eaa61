import type { Manifest, MethodRecord } from '../../records.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import type { Table } from '../table/table.ts'
import type { Cell } from '../table/cell.ts'
import { sweepsOf, type Sweep } from './sweep.ts'

/** A score against a varied option: everything that a chart shows. */
export interface Figure {
  /** Of its file, without the ending: letters, digits and hyphens. */
  readonly name: string
  readonly title: string
  readonly subtitle: readonly string[]
  readonly x: string
  readonly y: string
  readonly points: readonly Point[]
}

/** `y` and `error` in percent, or as they are where the column says `number`; `error` is the standard error of the mean over questions, or over clusters of questions that share a text. */
export interface Point {
  readonly series: string
  readonly x: number
  readonly y: number
  readonly error: number | null
  readonly over: 'questions' | 'clusters of questions'
}

/** One figure for every varied option that is a number and every column of the table; none where nothing was varied. */
export function figuresOf(manifest: Manifest, table: Table): readonly Figure[] {
  const columns = columnsOf(manifest, table)
  const figures = sweepsOf(manifest.methods).flatMap((sweep) =>
    columns.flatMap(({ label, scorer, metric, subset, unit, cells }) => {
      const points = pointsOf(sweep, manifest.methods, { cells, unit })
      const parts = [sweep.option, ...new Set([scorer, metric]), ...(subset === 'all' ? [] : [subset])]
      const title = `${label} by ${sweep.option}`
      return points.length === 0
        ? []
        : [
            {
              parts,
              title,
              subtitle: subtitle(manifest, points),
              x: sweep.option,
              y: unit === 'percent' ? `${label} (%)` : label,
              points,
            },
          ]
    }),
  )
  const names = namesOf(figures.map(({ parts }) => parts))
  return figures.map(({ parts: _parts, ...figure }, index) => ({ ...figure, name: names[index] ?? '' }))
}

function pointsOf(
  { steps }: Sweep,
  methods: readonly MethodRecord[],
  { cells, unit }: Pick<Column, 'cells' | 'unit'>,
): readonly Point[] {
  return steps.flatMap(({ row, series, x }) => {
    const cell = cells[methods.indexOf(row)]
    if (cell?.mean == null) return []
    const [scale] = scaleOf(unit, cell.n)
    return [{ series, x, y: scale * cell.mean, ...errorOf(cell, scale) }]
  })
}

const errorOf = ({ error, n, clusters }: Cell, scale: number): Pick<Point, 'error' | 'over'> => ({
  error: error === null ? null : scale * error,
  over: clusters < n ? 'clusters of questions' : 'questions',
})

function subtitle({ name, dataset, offline }: Manifest, points: readonly Point[]): readonly string[] {
  const over = [...new Set(points.filter(({ error }) => error !== null).map((point) => point.over))]
  const bars =
    over.length === 0 ? 'one question, and so no error bars' : `bars: standard error over ${over.join(' or ')}`
  return [
    `${name}: ${dataset.questions} questions of ${dataset.name}; ${bars}`,
    ...offline.map((provider) => `"${provider}" is not a language model: these numbers do not reproduce a paper`),
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
