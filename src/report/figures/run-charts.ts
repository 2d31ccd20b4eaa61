import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { isOfMetric, isRow } from '../compare/rows-to-compare.ts'
import { columnsOf } from '../render/columns.ts'
import { dataNotices } from '../render/notes-on-data.ts'
import type { Runs } from '../table/runs.ts'
import type { Table } from '../table/table.ts'
import { printable, type Chart } from './chart.ts'

/** Bar charts of counts and shares per scorer, and histograms over several runs. */
export const runCharts = (manifest: Manifest, table: Table): readonly Chart[] =>
  (table.runs ?? []).flatMap((runs, index) => {
    const { scorer, metric, rows } = runs
    const prefix = table.runs?.length === 1 ? 'runs' : `runs-${index + 1}`
    const share = columnsOf(manifest, table).find(
      (column) => column.scorer === scorer && column.subset === 'all' && column.unit === 'percent',
    )
    const chart = (name: string, title: string, notes: readonly string[], spec: Chart['spec']) => ({
      name: `${prefix}-${name}`,
      title,
      subtitle: [manifest.name, ...notes, ...dataNotices(manifest, table)],
      spec,
    })
    const shares = (share?.cells ?? []).flatMap((cell, row) => {
      if (cell?.mean == null) return []
      const error = cell.error === null ? null : 100 * cell.error
      return [{ row: printable(rowName(itemAt(manifest.methods, row))), share: 100 * cell.mean, error }]
    })
    const counts = rows.flatMap((row) =>
      Object.entries(row.mean).map(([verdict, count]) => {
        const cell = table.cells.find((of) => isRow(of, row) && isOfMetric(of, { scorer, metric: verdict }))
        const error = cell?.error == null ? null : cell.error * cell.n
        return { row: printable(rowName(row)), verdict: printable(verdict), count, error }
      }),
    )
    const note = ['bars: standard error over questions']
    const isSeveral = rows.some(({ perRun }) => (perRun[metric]?.length ?? 0) > 1)
    return present(
      share &&
        chart(share.metric, `${share.label} by row`, note, bars(shares, 'share', `${printable(share.label)} (%)`)),
      chart(
        'counts',
        `${scorer}: counts, in the mean of the runs`,
        note,
        bars(counts, 'count', 'questions', 'verdict'),
      ),
      isSeveral && chart('histogram', `${scorer}: ${metric} in single runs`, [], histogram(runs)),
    )
  })

const size = { width: 640, height: 280 }

/** Bars of each row with their errors, side by side by `side`. */
function bars(values: readonly object[], field: string, title: string, side?: string): Chart['spec'] {
  const sides = side === undefined ? undefined : nominal(side)
  return {
    ...size,
    data: { values: [...values] },
    encoding: {
      x: { ...nominal('row'), axis: { labelLimit: 200 } },
      ...(sides && { xOffset: sides }),
      y: { field, type: 'quantitative', title },
    },
    layer: [
      { mark: 'bar', ...(sides && { encoding: { color: { ...sides, legend: { orient: 'bottom' } } } }) },
      {
        transform: [{ filter: 'isValid(datum.error)' }],
        mark: { type: 'errorbar', ticks: true },
        encoding: { yError: { field: 'error' } },
      },
    ],
  }
}

function histogram({ metric, rows }: Runs): Chart['spec'] {
  const values = rows.flatMap((row) =>
    (row.perRun[metric] ?? []).map((count) => ({ row: printable(rowName(row)), count })),
  )
  const bins = { field: 'count', type: 'quantitative', bin: { maxbins: 60, minstep: 1 } } as const
  return {
    ...size,
    data: { values },
    mark: { type: 'bar', opacity: 0.6 },
    encoding: {
      x: { ...bins, title: `${printable(metric)} in a run` },
      y: { aggregate: 'count', type: 'quantitative', stack: null, title: 'runs' },
      color: { ...nominal('row'), legend: { orient: 'bottom', columns: 1, labelLimit: 440 } },
    },
  }
}

const nominal = (field: string) => ({ field, type: 'nominal', sort: null, title: null }) as const
