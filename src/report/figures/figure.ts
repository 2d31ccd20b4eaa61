import type { Manifest, MethodRecord } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { rowName } from '../../text/names.ts'
import { plural } from '../render/amounts.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import { runsIn, syntheticNotes } from '../synthetic.ts'
import type { Cell } from '../table/estimate.ts'
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
}

/** `y` and `error` in percent, or as they are; `error` is the standard error of the mean. */
interface Score {
  readonly y: number
  readonly error: number | null
  readonly over: 'questions' | 'clusters of questions'
}

/** The score of a row at a value of the option. */
interface Point extends Score {
  readonly curve: string
  readonly x: number
}

/** The score of a row that does not vary the option. */
interface Level extends Score {
  readonly name: string
}

/** More levels than these would hide what is varied. */
const mostLevels = 8

/** One figure for every varied option that is a number and every column of the table; none where nothing was varied. */
export function figuresOf(manifest: Manifest, table: Pick<Table, 'cells'>): readonly Figure[] {
  const columns = columnsOf(manifest, table)
  const figures = sweepsOf(manifest.methods).flatMap((sweep) =>
    columns.flatMap((column) => {
      const { label, scorer, metric, subset, unit } = column
      const scoreOf = (row: MethodRecord): Score | undefined => scoreIn(column, manifest.methods.indexOf(row))
      const points = sweep.steps.flatMap(({ row, curve, x }): Point[] => {
        const score = scoreOf(row)
        return score ? [{ curve, x, ...score }] : []
      })
      const levels = sweep.others.flatMap((row): Level[] => {
        const score = scoreOf(row)
        return score ? [{ name: levelName(row, sweep.option), ...score }] : []
      })
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
                ...(more > 0
                  ? [
                      `not drawn: ${plural(more, 'more row')} that ${more === 1 ? 'does' : 'do'} not vary ${sweep.option}`,
                    ]
                  : []),
              ],
              x: sweep.option,
              y: unit === 'percent' ? `${label} (%)` : label,
              ...{ points, levels: drawn },
            },
          ]
    }),
  )
  const names = namesOf(figures.map(({ parts }) => parts))
  return figures.map(({ parts: _parts, ...figure }, index) => ({ ...figure, name: names[index] ?? '' }))
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

/** A varied option or key of the config whose values are numbers, and the rows of a table. */
interface Sweep {
  /** Its name, dotted where it lies within another. */
  readonly option: string
  /** The rows that vary it, in the order of the table. */
  readonly steps: readonly Step[]
  /** The rows that vary nothing: those of another ablation are not drawn. */
  readonly others: readonly MethodRecord[]
}

/** A row at one value of the option; `curve` names the method and what else is varied. */
interface Step {
  readonly row: MethodRecord
  readonly curve: string
  readonly x: number
}

/** What was varied, by the names of the options; options of one name share a sweep. */
export function sweepsOf(methods: readonly MethodRecord[]): readonly Sweep[] {
  const sweeps = new Map<string, Step[]>()
  for (const label of new Set(methods.map(({ method }) => method))) {
    const variants = methods
      .filter(({ method, variant }) => method === label && variant !== '')
      .map((row) => ({ row, values: valuesOf(row) }))
    const varied = [...new Set(variants.flatMap(({ values }) => [...values.keys()]))].filter(
      (option) => new Set(variants.map(({ values }) => values.get(option))).size > 1,
    )
    for (const option of varied) {
      const steps = variants.flatMap(({ row, values }): Step[] => {
        const x = Number(values.get(option) ?? NaN)
        const rest = varied
          .filter((other) => other !== option)
          .map((other) => `${other}=${values.get(other) ?? 'null'}`)
        const curve = rest.length === 0 ? label : `${label} (${rest.join(', ')})`
        return Number.isFinite(x) ? [{ row, curve, x }] : []
      })
      if (steps.length > 0) sweeps.set(option, [...(sweeps.get(option) ?? []), ...steps])
    }
  }
  return Array.from(sweeps, ([option, steps]) => {
    return { option, steps, others: methods.filter(({ variant }) => variant === '') }
  })
}

/**
 * The values of a row's options, as texts that are numbers only where the values are. A row of an earlier version does
 * not say which were varied: all of them.
 */
const valuesOf = ({ varied, options }: MethodRecord): ReadonlyMap<string, string> =>
  varied ? new Map(varied.map(({ option, text }) => [option, text])) : flat(options)

/** Options by their dotted names. */
function flat(options: unknown, prefix = ''): ReadonlyMap<string, string> {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return new Map([[prefix, textOf(options)]])
  const inner = Object.entries(options).map(([name, value]) => flat(value, prefix === '' ? name : `${prefix}.${name}`))
  return new Map(inner.flatMap((map) => [...map]))
}

const textOf = (value: unknown): string =>
  typeof value === 'string' && Number.isNaN(Number(value)) ? value : canonicalJson(value ?? null)

/** The name of a row's level in a figure of an option that it does not vary. */
const levelName = (row: MethodRecord, option: string): string => `${rowName(row)}, dashed: does not vary ${option}`
