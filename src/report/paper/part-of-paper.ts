import { UserError } from '../../errors.ts'
import { unknownName } from '../../text/names.ts'
import { columnsOf, measuresOf, rowsNamed, type Claim, type Measure } from './claims.ts'
import type { PaperTable } from './paper-table.ts'

/**
 * The part of a paper's table that some names mean: names of rows, of runs (the paper's datasets), or both. Claims stay
 * whose rows all stay, on the columns that stay. Throws UserError for a name that is neither.
 */
export function partOfPaper(paper: PaperTable, names: readonly string[]): PaperTable {
  const [rows, runs] = [Object.keys(paper.rows), Object.keys(paper.runs)]
  const unknown = names.find((name) => !rows.includes(name) && !runs.includes(name))
  if (unknown !== undefined) throw new UserError(`--only: ${unknownName('row or run', unknown, [...rows, ...runs])}`)
  const wanted = (all: readonly string[]): ReadonlySet<string> => {
    const named = all.filter((name) => names.includes(name))
    return new Set(named.length === 0 ? all : named)
  }
  const [wantedRows, wantedRuns] = [wanted(rows), wanted(runs)]
  return {
    ...paper,
    runs: Object.fromEntries(Object.entries(paper.runs).filter(([name]) => wantedRuns.has(name))),
    cells: paper.cells.filter(({ row }) => wantedRows.has(row)),
    claims: paper.claims.flatMap((claim): readonly Claim[] => {
      if (!rowsNamed(claim).every((row) => wantedRows.has(row))) return []
      const isWanted = (measure: Measure): boolean =>
        columnsOf(measure).every((name) => wantedRuns.has(paper.columns[name]?.run ?? ''))
      if (!('columns' in claim)) return measuresOf(claim).every(isWanted) ? [claim] : []
      const columns = claim.columns.filter(isWanted)
      return columns.length === 0 || ('widest' in claim && columns.length < claim.columns.length)
        ? []
        : [{ ...claim, columns }]
    }),
  }
}

/** The methods of ours that stand for the rows of these cells. */
export const methodsOf = ({ cells, rows }: Pick<PaperTable, 'cells' | 'rows'>): readonly string[] => [
  ...new Set(cells.flatMap(({ row }) => rows[row]?.method ?? [])),
]
