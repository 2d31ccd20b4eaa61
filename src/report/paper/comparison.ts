import type { Grid } from '../render/grid.ts'
import type { Compared } from './compare.ts'
import { alpha } from '../compare/compare-pair.ts'
import { plural } from '../render/amounts.ts'
import type { JudgedClaim, JudgedPair } from './judge-claims.ts'
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

/** The claims with their verdicts, and a grid of the tested pairs of each. */
export const claimsShown = (claims: readonly JudgedClaim[]): readonly Comparison[] =>
  claims.map(({ claim, run, scorer, metric, subset, verdict, pairs }) => {
    const rows = pairs.map((pair) => {
      const { above, below, difference, error } = pair
      return [
        `${above} above ${below}`,
        `${difference < 0 ? '' : '+'}${difference.toFixed(4)}${error === null ? '' : ` ±${error.toFixed(4)}`}`,
        adjustedP(pair),
      ]
    })
    const on = subset === 'all' ? '' : ` on ${subset}`
    return {
      title: `${verdict}: ${claim} (${run}: ${scorer}.${metric}${on})`,
      grid: {
        head: ['pair', 'difference, fractions', 'adjusted p'],
        rows: rows.map((row) => row.map((text) => ({ text }))),
      },
    }
  })

/** The p of a pair, or that it could not have reached the level. */
function adjustedP({ pAdjusted, smallestP, questions, clusters }: JudgedPair): string {
  if (smallestP > alpha)
    return `cannot reach ${alpha} with ${plural(clusters, clusters < questions ? 'cluster' : 'question')}`
  return pAdjusted < 0.0001 ? '< 0.0001' : pAdjusted.toFixed(4)
}

/** Why cells or claims have no verdict, each reason once. */
export const reasonsOf = (judged: readonly Pick<Compared | JudgedClaim, 'verdict' | 'reason'>[]): readonly string[] => [
  ...new Set(judged.flatMap(({ verdict, reason }) => (reason === undefined ? [] : [`${verdict}: ${reason}`]))),
]

const head = ['row', 'paper', 'ours', 'difference', 'verdict']
const unitNames: Readonly<Record<PaperColumn['unit'], string>> = {
  percent: '%',
  fraction: 'fractions',
  thousands: 'thousand tokens',
  number: 'numbers',
  count: 'counts',
}
const digits: Readonly<Record<PaperColumn['unit'], number>> = {
  percent: 2,
  fraction: 4,
  thousands: 1,
  number: 2,
  count: 1,
}

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
