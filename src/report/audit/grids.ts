import type { Comparison } from '../paper/comparison.ts'
import type { PaperTable } from '../paper/paper-table.ts'
import type { Grid } from '../render/grid.ts'
import { shownValue } from './cells.ts'
import type { AuditedClaim } from './claims.ts'
import type { AuditedNoise } from './noise.ts'

/** The best two rows of a column, and every other pair whose difference runs alone explain. */
export function noiseGrid(paper: PaperTable, { column, runs, without, pairs }: AuditedNoise): Comparison {
  const lacking = without.length > 0 ? ` (no variance: ${without.join(', ')})` : ''
  const beyond = pairs.filter(({ exceeds }) => exceeds).length
  const rows = pairs
    .filter(({ exceeds }, index) => index === 0 || !exceeds)
    .map(({ better, worse, difference, z, bound, exceeds }) => [
      `${better} against ${worse}`,
      shownDifference(paper, column, difference),
      z.toFixed(2),
      bound.toFixed(2),
      exceeds ? 'more than run noise' : 'within run noise',
    ])
  return {
    title: `${column}, ${runs} runs: ${beyond} of ${pairs.length} pairs differ by more than run noise${lacking}`,
    grid: gridOf(['pair', 'difference', 'z', 'bound of |z|', 'verdict'], rows),
  }
}

/** The cells that a claim is about; without them, its verdict alone. */
export function claimGrid({ columns }: PaperTable, { claim, column, verdict, pairs }: AuditedClaim): Comparison {
  const decimals = columns[column ?? '']?.decimals
  const shown = (value: number | null): string => (value === null ? '–' : shownValue(value, decimals))
  const rows = pairs
    .filter(({ values }) => values.some((value) => value !== null))
    .map(({ first, second, values, noise, verdict }) => [
      `${first} against ${second}`,
      ...values.map(shown),
      noise ? noise.z.toFixed(2) : '–',
      verdict,
    ])
  return {
    title: `${verdict}: ${claim} (${column ?? 'the file has no column for it'})`,
    grid: gridOf(['pair', 'first', 'second', 'z', 'verdict'], rows),
  }
}

const gridOf = (head: readonly string[], rows: readonly (readonly string[])[]): Grid => ({
  head,
  rows: rows.map((row) => row.map((text) => ({ text }))),
})

/** A difference of cells, without the digits that floating point adds. */
const shownDifference = ({ columns }: PaperTable, column: string, difference: number): string =>
  shownValue(Number(difference.toPrecision(12)), columns[column]?.decimals)
