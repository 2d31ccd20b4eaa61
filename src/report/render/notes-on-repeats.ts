import type { Manifest } from '../../records.ts'
import type { Table } from '../table/table.ts'
import { runsIn } from '../run-of-row.ts'
import { columnsOf, scaleOf } from './columns.ts'
import type { NamedRow } from './notes-on-warnings.ts'
import { plural } from './plural.ts'

/** How far repeats differ, and whether they had indexes of their own; none where every question was asked once. */
export function notesOnRepeats(manifest: Manifest, table: Table, rows: readonly NamedRow[]): readonly string[] {
  if (!table.cells.some(({ repeats }) => repeats > 1)) return []
  return [...deviations(manifest, table, rows), ...indexes(manifest, rows)]
}

/** The standard deviation of the means of single repeats, in the first column. */
function deviations(manifest: Manifest, table: Table, rows: readonly NamedRow[]): readonly string[] {
  const [column] = columnsOf(manifest, table)
  if (!column) return []
  const { label, unit, cells } = column
  const points = unit === 'percent' ? ' in points' : ''
  const found = rows.flatMap(({ name }, index) => {
    const variance = cells[index]?.repeatVariance ?? null
    const [scale, digits] = scaleOf(unit, cells[index]?.n)
    return variance === null ? [] : [`${name} ${(scale * Math.sqrt(variance)).toFixed(digits)}`]
  })
  return found.length === 0
    ? []
    : [`${label}: standard deviation${points} between the means of single repeats: ${found.join(', ')}.`]
}

function indexes(manifest: Manifest, rows: readonly NamedRow[]): readonly string[] {
  if (runsIn(manifest).every(({ indexPerRepeat }) => indexPerRepeat === false))
    return [
      'All repeats asked the same index: how far they differ leaves out what other random numbers at the index would change.',
    ]
  const own = rows.flatMap(({ name, summary: { indexes } }) =>
    indexes ? [`${name} ${indexes.built} of ${plural(indexes.corpora, 'corpus', 'corpora')}`] : [],
  )
  return own.length === 0
    ? []
    : [
        `Indexes that depend on random numbers were built for each repeat: ${own.join(', ')}. Their costs are added up, each counted as if it were the only one.`,
      ]
}
