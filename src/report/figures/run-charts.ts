import type { TopLevelSpec } from 'vega-lite'
import { rowName } from '../../text/names.ts'
import type { Manifest } from '../../records.ts'
import { isOf } from '../paper/find-score.ts'
import type { Runs } from '../runs/runs.ts'
import { syntheticNotes } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import { printable } from './chart.ts'

/** A chart and the name of its file, without the ending: letters, digits and hyphens. */
export interface NamedChart {
  readonly name: string
  readonly chart: TopLevelSpec
}

/** Of every scorer that shows counts: the counts of its rows as bars, and a histogram of the single runs where there are several (HLGraphRAG, Figures 5.2 to 5.4). */
export const runCharts = (manifest: Manifest, table: Table): readonly NamedChart[] =>
  (table.runs ?? []).flatMap((runs, index) => {
    const name = table.runs?.length === 1 ? 'runs' : `runs-${index + 1}`
    const several = runs.rows.some(({ perRun }) => (perRun[runs.metric]?.length ?? 0) > 1)
    return [
      { name: `${name}-counts`, chart: barsOf(manifest, table, runs) },
      ...(several ? [{ name: `${name}-histogram`, chart: histogramOf(manifest, runs) }] : []),
    ]
  })

const caveatsOf = (manifest: Manifest): readonly string[] => [
  ...syntheticNotes(manifest),
  ...manifest.offline.map((provider) => `"${provider}" is not a language model`),
]

/** Bars of one standard error over questions, not of a percentage. */
function barsOf(manifest: Manifest, { cells }: Table, { scorer, rows }: Runs): TopLevelSpec {
  const values = rows.flatMap((row) =>
    Object.entries(row.mean).map(([metric, count]) => {
      const cell = cells.find(
        (one) => isOf(one, row) && one.scorer === scorer && one.metric === metric && one.subset === 'all',
      )
      const error = cell?.error == null ? null : cell.error * cell.n
      return { row: printable(rowName(row)), verdict: printable(metric), count, error }
    }),
  )
  const x = { field: 'verdict', type: 'nominal', sort: null, title: null } as const
  return {
    ...frame(`${scorer}: counts, in the mean of the runs`, [
      manifest.name,
      'bars: standard error over questions',
      ...caveatsOf(manifest),
    ]),
    data: { values },
    encoding: {
      x: { field: 'row', type: 'nominal', sort: null, title: null, axis: { labelLimit: 200 } },
      xOffset: x,
      y: { field: 'count', type: 'quantitative', title: 'questions' },
    },
    layer: [
      { mark: 'bar', encoding: { color: { ...x, legend: { orient: 'bottom' } } } },
      {
        transform: [{ filter: 'isValid(datum.error)' }],
        mark: { type: 'errorbar', ticks: true },
        encoding: { yError: { field: 'error' } },
      },
    ],
  }
}

function histogramOf(manifest: Manifest, { scorer, metric, rows }: Runs): TopLevelSpec {
  const values = rows.flatMap((row) =>
    (row.perRun[metric] ?? []).map((count) => ({ row: printable(rowName(row)), count })),
  )
  return {
    ...frame(`${scorer}: ${metric} in single runs`, [manifest.name, ...caveatsOf(manifest)]),
    data: { values },
    mark: { type: 'bar', opacity: 0.6 },
    encoding: {
      x: {
        field: 'count',
        type: 'quantitative',
        bin: { maxbins: 60, minstep: 1 },
        title: `${printable(metric)} in a run`,
      },
      y: { aggregate: 'count', type: 'quantitative', stack: null, title: 'runs' },
      color: {
        field: 'row',
        type: 'nominal',
        sort: null,
        title: null,
        legend: { orient: 'bottom', columns: 1, labelLimit: 440 },
      },
    },
  }
}

const frame = (title: string, subtitle: readonly string[]) => ({
  ...{ width: 640, height: 280, background: 'white' },
  title: { text: printable(title), subtitle: subtitle.map(printable), anchor: 'start', offset: 12 } as const,
})
