import type { Manifest, MethodRecord } from '../../records.ts'
import { columnsOf, type Column } from '../columns.ts'
import type { Cell, Table } from '../table.ts'
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

/** `y` and `error` in percent; `error` is the standard error of the mean over runs, or over questions where there was one run. */
export interface Point {
  readonly series: string
  readonly x: number
  readonly y: number
  readonly error: number | null
  readonly over: 'runs' | 'questions'
}

/** One figure for every varied option that is a number and every column of the table; none where nothing was varied. */
export function figuresOf(manifest: Manifest, table: Table): readonly Figure[] {
  const columns = columnsOf(manifest, table)
  const figures = sweepsOf(manifest.methods).flatMap((sweep) =>
    columns.flatMap(({ label, scorer, metric, subset, cells }) => {
      const points = pointsOf(sweep, manifest.methods, cells)
      const parts = [sweep.option, ...new Set([scorer, metric]), ...(subset === 'all' ? [] : [subset])]
      const title = `${label} by ${sweep.option}`
      return points.length === 0
        ? []
        : [{ parts, title, subtitle: subtitle(manifest, points), x: sweep.option, y: `${label} (%)`, points }]
    }),
  )
  const names = namesOf(figures.map(({ parts }) => parts))
  return figures.map(({ parts: _parts, ...figure }, index) => ({ ...figure, name: names[index] ?? '' }))
}

const pointsOf = ({ steps }: Sweep, methods: readonly MethodRecord[], cells: Column['cells']): readonly Point[] =>
  steps.flatMap(({ row, series, x }) => {
    const cell = cells[methods.indexOf(row)]
    if (cell?.mean == null) return []
    return [{ series, x, y: 100 * cell.mean, ...errorOf(cell) }]
  })

function errorOf({ standardError, questionError }: Cell): Pick<Point, 'error' | 'over'> {
  const error = standardError ?? questionError
  return { error: error === null ? null : 100 * error, over: standardError === null ? 'questions' : 'runs' }
}

function subtitle({ name, dataset, offline }: Manifest, points: readonly Point[]): readonly string[] {
  const over = [...new Set(points.filter(({ error }) => error !== null).map((point) => point.over))]
  const bars =
    over.length === 0 ? 'one question, and so no error bars' : `bars: standard error over ${over.join(' or ')}`
  return [
    `${name}: ${dataset.questions} questions of ${dataset.name}; ${bars}`,
    ...offline.map((provider) => `"${provider}" is no language model: these numbers reproduce no paper`),
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
