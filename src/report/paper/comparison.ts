import type { Grid } from '../grid.ts'
import type { Compared } from './compare.ts'
import type { PaperColumn, PaperTable } from './paper-table.ts'

/** The cells of one column of a paper, as text. */
export interface Comparison {
  readonly title: string
  readonly grid: Grid
}

/** Our cells beside the paper's, a grid for each column of the paper. */
export function comparisons(paper: PaperTable, cells: readonly Compared[]): readonly Comparison[] {
  return Object.entries(paper.columns).flatMap(([name, column]) => {
    const own = cells.filter((cell) => cell.column === name)
    if (own.length === 0) return []
    const rows = own.map((cell) => textOf(cell, column).map((text) => ({ text })))
    return [{ title: `${name}, ${unitNames[column.unit]}`, grid: { head, rows } }]
  })
}

/** Why cells have no verdict, each reason once. */
export const reasonsOf = (cells: readonly Compared[]): readonly string[] => [
  ...new Set(cells.flatMap(({ verdict, reason }) => (reason === undefined ? [] : [`${verdict}: ${reason}`]))),
]

const head = ['row', 'paper', 'ours', 'difference', 'verdict']
const unitNames: Readonly<Record<PaperColumn['unit'], string>> = {
  percent: '%',
  fraction: 'fractions',
  thousands: 'thousand tokens',
}
const digits: Readonly<Record<PaperColumn['unit'], number>> = { percent: 2, fraction: 4, thousands: 1 }

function textOf(cell: Compared, { unit }: PaperColumn): readonly string[] {
  const { row, paper, ours, error, difference, tolerance, verdict } = cell
  const shown = (value: number | null): string => (value === null ? '–' : value.toFixed(digits[unit]))
  const signed = difference !== null && difference >= 0 ? `+${shown(difference)}` : shown(difference)
  return [
    row,
    shown(paper),
    error === null ? shown(ours) : `${shown(ours)} ±${shown(error)}`,
    signed,
    tolerance === null ? verdict : `${verdict} (±${shown(tolerance)})`,
  ]
}
