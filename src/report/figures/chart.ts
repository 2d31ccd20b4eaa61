import type { TopLevelSpec } from 'vega-lite'
import type { Manifest } from '../../records.ts'
import { present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { isOfMetric, isRow } from '../compare/rows-to-compare.ts'
import { columnsOf, type Column } from '../render/columns.ts'
import { offlineBanner, syntheticNotes } from '../synthetic.ts'
import type { Runs } from '../table/runs.ts'
import type { Table } from '../table/table.ts'

/** A Vega-Lite chart and its file name without extension (letters, digits, hyphens). */
export interface NamedChart {
  readonly name: string
  readonly chart: TopLevelSpec
}

/** A chart on a page. Its data values have a `description`. */
export interface PageChart extends NamedChart {
  readonly title: string
  readonly caption: string
}

/** Bar charts of counts and shares per scorer, and histograms over several runs. */
export const runCharts = (manifest: Manifest, table: Table): readonly NamedChart[] =>
  (table.runs ?? []).flatMap((runs, index) => {
    const name = table.runs?.length === 1 ? 'runs' : `runs-${index + 1}`
    const isSeveral = runs.rows.some(({ perRun }) => (perRun[runs.metric]?.length ?? 0) > 1)
    const share = columnsOf(manifest, table).find(
      ({ scorer, subset, unit }) => scorer === runs.scorer && subset === 'all' && unit === 'percent',
    )
    return present(
      share && { name: `${name}-${share.metric}`, chart: shareBars(manifest, share) },
      { name: `${name}-counts`, chart: countBars(manifest, table, runs) },
      isSeveral && { name: `${name}-histogram`, chart: histogram(manifest, runs) },
    )
  })

function countBars(manifest: Manifest, { cells }: Table, { scorer, rows }: Runs): TopLevelSpec {
  const values = rows.flatMap((row) =>
    Object.entries(row.mean).map(([metric, count]) => {
      const cell = cells.find((candidate) => isRow(candidate, row) && isOfMetric(candidate, { scorer, metric }))
      const error = cell?.error == null ? null : cell.error * cell.n
      return { row: printable(rowName(row)), verdict: printable(metric), count, error }
    }),
  )
  const x = { field: 'verdict', type: 'nominal', sort: null, title: null } as const
  return {
    ...frame(`${scorer}: counts, in the mean of the runs`, manifest, [overQuestions]),
    data: { values },
    encoding: { x: byRow, xOffset: x, y: { field: 'count', type: 'quantitative', title: 'questions' } },
    layer: [{ mark: 'bar', encoding: { color: { ...x, legend: { orient: 'bottom' } } } }, errorBars],
  }
}

function shareBars(manifest: Manifest, { label, cells }: Column): TopLevelSpec {
  const values = manifest.methods.flatMap((row, index) => {
    const { mean = null, error = null } = cells[index] ?? {}
    return mean === null
      ? []
      : [{ row: printable(rowName(row)), share: 100 * mean, error: error === null ? null : 100 * error }]
  })
  return {
    ...frame(`${label} by row`, manifest, [overQuestions]),
    data: { values },
    encoding: { x: byRow, y: { field: 'share', type: 'quantitative', title: `${printable(label)} (%)` } },
    layer: [{ mark: 'bar' }, errorBars],
  }
}

function histogram(manifest: Manifest, { scorer, metric, rows }: Runs): TopLevelSpec {
  const values = rows.flatMap((row) =>
    (row.perRun[metric] ?? []).map((count) => ({ row: printable(rowName(row)), count })),
  )
  const bins = { field: 'count', type: 'quantitative', bin: { maxbins: 60, minstep: 1 } } as const
  return {
    ...frame(`${scorer}: ${metric} in single runs`, manifest, []),
    data: { values },
    mark: { type: 'bar', opacity: 0.6 },
    encoding: {
      x: { ...bins, title: `${printable(metric)} in a run` },
      y: { aggregate: 'count', type: 'quantitative', stack: null, title: 'runs' },
      color: { ...rowField, legend: { orient: 'bottom', columns: 1, labelLimit: 440 } },
    },
  }
}

const overQuestions = 'bars: standard error over questions'
const rowField = { field: 'row', type: 'nominal', sort: null, title: null } as const
const byRow = { ...rowField, axis: { labelLimit: 200 } } as const

const errorBars = {
  transform: [{ filter: 'isValid(datum.error)' }],
  mark: { type: 'errorbar' as const, ticks: true },
  encoding: { yError: { field: 'error' } },
}

const frame = (title: string, manifest: Manifest, notes: readonly string[]) => ({
  width: 640,
  height: 280,
  ...titleSpec(title, [manifest.name, ...notes, ...syntheticNotes(manifest), ...offlineNotes(manifest)]),
})

export const offlineNotes = ({ answers, offline }: Manifest): readonly string[] =>
  answers === 'none' ? [] : offline.map(offlineBanner)

/** Title and wrapped subtitle, on white. */
export const titleSpec = (title: string, subtitle: readonly string[]) => ({
  background: 'white',
  title: {
    text: printable(title),
    subtitle: subtitle.flatMap((text) =>
      printable(text)
        .replace(/(.{1,90})(?:\s+|$)/g, '$1\n')
        .trim()
        .split('\n'),
    ),
    anchor: 'start' as const,
    offset: 12,
  },
})

/** Replaces control characters, which SVG forbids. Vega escapes markup. */
export const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
