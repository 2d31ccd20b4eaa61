import { itemAt } from '../../basics/collections.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { plural } from '../render/amounts.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import { sweepsOf, type Sweep } from '../sweeps.ts'
import { runsIn, syntheticNotes } from '../synthetic.ts'
import type { Cell } from '../table/estimate.ts'
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
  /** The values after which a score is shown to rise no more than the margin. */
  readonly saturations: readonly number[]
}

/** `y` and `error` in percent, or as they are; `error` is the standard error of the mean. */
interface Score {
  readonly y: number
  readonly error: number | null
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

/**
 * One figure for every varied option that is a number and every column of the table that is wanted; none where nothing
 * was varied.
 */
export function figuresOf(
  manifest: Manifest,
  table: Pick<Table, 'cells' | 'trends'>,
  isWanted: (column: Column) => boolean = () => true,
): readonly Figure[] {
  const columns = columnsOf(manifest, table).filter(isWanted)
  const figures = sweepsOf(manifest.methods).flatMap((sweep) =>
    columns.flatMap((column) => {
      const { label, scorer, metric, subset, unit } = column
      const scoreOf = (row: MethodRecord): Score | undefined => scoreIn(column, manifest.methods.indexOf(row))
      // curves of one method are told apart by what else is varied
      const isOfOne = new Set(sweep.steps.map(({ row }) => row.method)).size === 1
      const nameOf = ({ curve, others }: Sweep['steps'][number]): string => (isOfOne && others !== '' ? others : curve)
      const curves = [...new Set(sweep.steps.map(nameOf))]
      const kept = new Set(curves.slice(0, mostCurves))
      const leftOut = curves.length - kept.size
      const points = sweep.steps.flatMap((step): Point[] => {
        const [curve, { row, x }] = [nameOf(step), step]
        if (!kept.has(curve)) return []
        const score = scoreOf(row)
        return score ? [{ curve, x, ...score }] : []
      })
      const levels = sweep.others.flatMap((row): Level[] => {
        const score = scoreOf(row)
        return score ? [{ name: levelName(row, sweep.option), ...score }] : []
      })
      const trends = (subset === 'all' ? (table.trends ?? []) : []).filter(
        (one) => one.option === sweep.option && one.scorer === scorer && one.metric === metric,
      )
      const drawn = levels.slice(0, mostLevels)
      const more = levels.length - drawn.length
      return points.length === 0
        ? []
        : [
            {
              parts: [sweep.option, ...new Set([scorer, metric]), ...(subset === 'all' ? [] : [subset])],
              title: `${label} by ${sweep.option}`,
              subtitle: [
                ...subtitle(manifest, [...points, ...drawn]),
                ...trends.map(trendText),
                ...(leftOut > 0 ? [`not drawn: ${plural(leftOut, 'more curve')}`] : []),
                ...(more > 0
                  ? [
                      `not drawn: ${plural(more, 'more row')} that ${more === 1 ? 'does' : 'do'} not vary ${sweep.option}`,
                    ]
                  : []),
              ],
              x: sweep.option,
              y: unit === 'percent' ? `${label} (%)` : label,
              ...{ points, levels: drawn, saturations: trends.flatMap(({ saturation }) => saturation ?? []) },
            },
          ]
    }),
  )
  const names = namesOf(figures.map(({ parts }) => parts))
  return figures.map(({ parts: _parts, ...figure }, index) => ({ ...figure, name: itemAt(names, index) }))
}

function scoreIn({ cells, unit }: Column, index: number): Score | undefined {
  const cell = cells[index]
  if (cell?.mean == null) return undefined
  const [scale] = scaleOf(unit, cell.n)
  return { y: scale * cell.mean, ...errorOf(cell, scale) }
}

const errorOf = ({ error, n, clusters }: Cell, scale: number): Pick<Score, 'error' | 'over'> => ({
  error: error === null ? null : scale * error,
  over: clusters < n ? 'clusters of questions' : 'questions',
})

function subtitle(manifest: Manifest, scores: readonly Score[]): readonly string[] {
  const over = [...new Set(scores.filter(({ error }) => error !== null).map((score) => score.over))]
  const bars =
    over.length === 0 ? 'one question, and so no error bars' : `bars: standard error over ${over.join(' or ')}`
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
