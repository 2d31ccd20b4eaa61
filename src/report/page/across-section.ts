import { itemAt } from '../../basics/collections.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import { escapeXml } from '../page-head.ts'
import { acrossShown, runTitle, stabilityNotes } from '../render/across.ts'
import { points } from '../render/columns.ts'
import { notesOnCurves } from '../render/notes-on-trends.ts'
import type { Grid } from '../render/grid.ts'
import type { Table } from '../table/table.ts'
import { folded, gridHtml, notesHtml } from './run-section.ts'

/** What a page says of rows over the runs of a series: whether the leader stays above, crossings, a cell a run and row. */
export function acrossSection({ across, ...table }: Pick<Table, 'across' | 'curves' | 'notCurves'>): string {
  if (!across) return ''
  const { title, grids, notes } = acrossShown(across)
  const { stability, runs } = across
  const said = [...stabilityNotes(stability, runs.length), ...notesOnCurves(table)]
  const caption = `Means in percent by run; bold: the highest of the run; ▲ ▼ shown to be above or below ${stability.leader}`
  return `<section>
<h2>${escapeXml(title)}</h2>
<ul>${said.map((note) => `<li>${escapeXml(note)}</li>`).join('')}</ul>
${gridHtml(cellsByRun(across), caption)}
${folded('Mean ranks and pairs', `${grids.map((grid) => gridHtml(grid, '')).join('')}${notesHtml(notes.filter((note) => !said.includes(note)))}`)}
</section>`
}

/** A line a run: the names of runs are longer than those of rows. */
function cellsByRun({ runs, metrics, rows, stability }: NonNullable<Table['across']>): Grid {
  const { leader, others } = stability
  return {
    head: ['run', ...rows.map(({ row }) => row)],
    rows: runs.map((run, index) => {
      const means = rows.map(({ row, means: own }) => ({ row, mean: itemAt(own, index) }))
      const highest = Math.max(...means.map(({ mean }) => mean))
      const cells = means.map(({ row, mean }) => {
        const shown = others.find((one) => one.row === row)?.shown[index] ?? 0
        const mark = row === leader || shown === 0 ? '' : shown > 0 ? ' ▼' : ' ▲'
        return { text: `${points(mean)}${mark}`, best: highest - mean <= rounding }
      })
      return [{ text: runTitle(run, metrics, index) }, ...cells]
    }),
  }
}
