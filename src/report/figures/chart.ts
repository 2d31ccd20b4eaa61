import type { TopLevelSpec } from 'vega-lite'
import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { columnsOf, type Column } from '../render/columns.ts'
import { syntheticNotes } from '../synthetic.ts'
import type { Runs } from '../table/runs.ts'
import type { Table } from '../table/table.ts'
import type { Figure } from './figure.ts'
import { present } from '../../text/amounts.ts'
import { isRow, isOfMetric } from '../compare/rows-to-compare.ts'

/** A figure in Vega-Lite: bands of 95 % intervals, levels as dashed lines. */
export function chartOf(figure: Figure): TopLevelSpec {
  const { title, subtitle, x, y, points, levels, saturations } = figure
  const steps = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b)
  const across = { field: 'at', type: 'quantitative', title: printable(x) } as const
  const ticks = { values: steps, format: '.6~g', labelOverlap: true }
  const axis = { axis: ticks, scale: { zero: false, nice: false, padding: 8 } } as const
  const names = [...new Set([...points.map(({ curve }) => curve), ...levels.map(({ name }) => name)].map(printable))]
  const byName = { field: 'name', type: 'nominal', scale: { domain: names }, title: null } as const
  const interval = { y: { field: 'low', type: 'quantitative' }, y2: { field: 'high' } } as const
  return {
    width: 440,
    height: 260,
    background: 'white',
    title: {
      text: printable(title),
      subtitle: subtitle.flatMap(linesOf),
      anchor: 'start',
      offset: 12,
    },
    data: { values: marksOf(figure, steps) },
    encoding: {
      x: { ...across, ...axis },
      y: { field: 'y', type: 'quantitative', title: printable(y), scale: { zero: false, nice: true } },
      color: { ...byName, legend: { orient: 'bottom', columns: 1, labelLimit: 440, symbolOpacity: 1 } },
    },
    layer: [
      ...saturations.map((from) => ({
        data: { values: [{ from }] },
        mark: { type: 'rule' as const, strokeDash: [2, 3] },
        encoding: { x: { ...across, ...axis, field: 'from' }, ...fullHeight, color: { value: 'gray' } },
      })),
      {
        transform: [{ filter: "datum.kind === 'point' && isValid(datum.low)" }],
        mark: { type: 'area', opacity: 0.15 },
        encoding: interval,
      },
      {
        transform: [{ filter: "datum.kind !== 'level'" }],
        mark: 'line',
      },
      {
        transform: [{ filter: "datum.kind === 'level'" }],
        mark: { type: 'rule', strokeDash: [5, 4] },
        encoding: { x: { ...across, ...axis, field: 'from' }, x2: { field: 'to' } },
      },
      {
        mark: { type: 'point', filled: true, opacity: 1, size: 50 },
        encoding: { shape: byName, description: { field: 'said' } },
      },
      { transform: [{ filter: "datum.kind !== 'point' && isValid(datum.low)" }], mark: 'rule', encoding: interval },
    ],
  }
}

const linesOf = (text: string): readonly string[] =>
  printable(text)
    .replace(/(.{1,90})(?:\s+|$)/g, '$1\n')
    .trim()
    .split('\n')

const fullHeight = { y: { value: 0 }, y2: { value: 'height' as const } }

/** What is drawn: a point in a band, one alone with a bar, or a level beside the last value. */
function marksOf({ x, y, points, levels }: Figure, steps: readonly number[]) {
  const [first = 0, last = 0] = [steps[0], steps.at(-1)]
  const span = last - first || 1
  const isBand = ({ curve }: Figure['points'][number]): boolean =>
    points.filter((one) => one.curve === curve).length > 1
  return [
    ...points.map((point) => ({
      name: printable(point.curve),
      kind: isBand(point) ? 'point' : 'alone',
      at: point.x,
      y: point.y,
      low: point.low,
      high: point.high,
      said: printable(`${x}: ${point.x}; ${y}: ${point.y}; ${point.curve}`),
    })),
    ...levels.map((level, index) => ({
      name: printable(level.name),
      kind: 'level',
      y: level.y,
      low: level.low,
      high: level.high,
      at: last + 0.03 * span * (index + 1.5),
      from: first,
      to: last + 0.03 * span * (levels.length + 1),
      said: printable(`${y}: ${level.y}; ${level.name}`),
    })),
  ]
}

/** Without what SVG forbids or a viewer would obey: labels come from configs. Markup is escaped when drawn. */
const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')

/** A chart and the name of its file, without the ending: letters, digits and hyphens. */
interface NamedChart {
  readonly name: string
  readonly chart: TopLevelSpec
}

/** Bars of the first share and of the counts of every scorer that shows counts, and histograms of several runs. */
export const runCharts = (manifest: Manifest, table: Table): readonly NamedChart[] =>
  (table.runs ?? []).flatMap((runs, index) => {
    const name = table.runs?.length === 1 ? 'runs' : `runs-${index + 1}`
    const several = runs.rows.some(({ perRun }) => (perRun[runs.metric]?.length ?? 0) > 1)
    const share = columnsOf(manifest, table).find(
      ({ scorer, subset, unit }) => scorer === runs.scorer && subset === 'all' && unit === 'percent',
    )
    return present(
      share && { name: `${name}-${share.metric}`, chart: shareBarsOf(manifest, share) },
      { name: `${name}-counts`, chart: barsOf(manifest, table, runs) },
      several && { name: `${name}-histogram`, chart: histogramOf(manifest, runs) },
    )
  })

const overQuestions = ['bars: standard error over questions']

function barsOf(manifest: Manifest, { cells }: Table, { scorer, rows }: Runs): TopLevelSpec {
  const values = rows.flatMap((row) =>
    Object.entries(row.mean).map(([metric, count]) => {
      const cell = cells.find((one) => isRow(one, row) && isOfMetric(one, { scorer, metric }))
      const error = cell?.error == null ? null : cell.error * cell.n
      return { row: printable(rowName(row)), verdict: printable(metric), count, error }
    }),
  )
  const x = { field: 'verdict', type: 'nominal', sort: null, title: null } as const
  return {
    ...frame(`${scorer}: counts, in the mean of the runs`, manifest, overQuestions),
    data: { values },
    encoding: { x: byRow, xOffset: x, y: { field: 'count', type: 'quantitative', title: 'questions' } },
    layer: [{ mark: 'bar', encoding: { color: { ...x, legend: { orient: 'bottom' } } } }, errorBars],
  }
}

/** Bars of a share in percent, with one standard error over questions. */
function shareBarsOf(manifest: Manifest, { label, cells }: Column): TopLevelSpec {
  const values = manifest.methods.flatMap((row, index) => {
    const { mean = null, error = null } = cells[index] ?? {}
    return mean === null
      ? []
      : [{ row: printable(rowName(row)), share: 100 * mean, error: error === null ? null : 100 * error }]
  })
  return {
    ...frame(`${label} by row`, manifest, overQuestions),
    data: { values },
    encoding: { x: byRow, y: { field: 'share', type: 'quantitative', title: `${printable(label)} (%)` } },
    layer: [{ mark: 'bar' }, errorBars],
  }
}

function histogramOf(manifest: Manifest, { scorer, metric, rows }: Runs): TopLevelSpec {
  const values = rows.flatMap((row) =>
    (row.perRun[metric] ?? []).map((count) => ({ row: printable(rowName(row)), count })),
  )
  return {
    ...frame(`${scorer}: ${metric} in single runs`, manifest),
    data: { values },
    mark: { type: 'bar', opacity: 0.6 },
    encoding: {
      x: { ...counts, title: `${printable(metric)} in a run` },
      y: { aggregate: 'count', type: 'quantitative', stack: null, title: 'runs' },
      color: { ...named, legend: { orient: 'bottom', columns: 1, labelLimit: 440 } },
    },
  }
}

const named = { field: 'row', type: 'nominal', sort: null, title: null } as const
const byRow = { ...named, axis: { labelLimit: 200 } } as const
const counts = { field: 'count', type: 'quantitative', bin: { maxbins: 60, minstep: 1 } } as const

const errorBars = {
  transform: [{ filter: 'isValid(datum.error)' }],
  mark: { type: 'errorbar' as const, ticks: true },
  encoding: { yError: { field: 'error' } },
}

/** Size and titles of a chart of a run, `more` of it, and what its numbers do not tell of language models. */
function frame(title: string, manifest: Manifest, more: readonly string[] = []) {
  const offline = manifest.offline.map((provider) => `"${provider}" is not a language model`)
  const subtitle = [manifest.name, ...more, ...syntheticNotes(manifest), ...offline].map(printable)
  return {
    width: 640,
    height: 280,
    background: 'white',
    title: { text: printable(title), subtitle, anchor: 'start', offset: 12 } as const,
  }
}
