import { rounding } from '../../math/statistics/descriptive.ts'
import type { Manifest } from '../../records.ts'
import type { Table } from '../table/table.ts'
import { nameOf } from './grid.ts'
import { percent } from './percent.ts'

/** The rows by the first column of a scorer that ranks them, best first, equal ones on one place; rows without a number are left out. */
export const rankingNotes = ({ scorers, methods }: Manifest, { cells }: Table): readonly string[] =>
  scorers.flatMap(({ scorer, ranks, columns: [column] }) => {
    if (!ranks || !column) return []
    const own = cells.filter((one) => one.scorer === scorer && one.metric === column.metric && one.subset === 'all')
    const ranked = methods
      .flatMap((row) => {
        const cell = own.find(({ method, variant }) => method === row.method && variant === row.variant)
        return cell?.mean == null ? [] : [{ name: nameOf(row), mean: cell.mean }]
      })
      .sort((a, b) => b.mean - a.mean)
    const placeOf = (mean: number) => ranked.findIndex((one) => one.mean - mean <= rounding) + 1
    const places = ranked.map(({ name, mean }) => `${placeOf(mean)}. ${name} ${percent(mean)}`)
    return places.length === 0
      ? []
      : [`${scorer} ranks by the mean of ${column.label ?? column.metric}, untested: ${places.join(', ')}.`]
  })
