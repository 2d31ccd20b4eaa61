import { itemAt } from '../../basics/collections.ts'
import { columnsOf, rowsInClaim, type Claim, type Measure } from './claims.ts'
import { paperSchema, type Form } from './schema.ts'
import { UserError } from '../../errors.ts'
import { unknownName } from '../../text/names.ts'

/** A paper's table as data: printed cells, the method of each row, the run of each column. */
export const paperTable = paperSchema.superRefine((paper, context) => {
  const fault: Fault = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
  for (const [name, column] of Object.entries(paper.columns)) checkColumn(paper, column, ['columns', name], fault)
  for (const [name, { runs }] of Object.entries(paper.rows))
    for (const [run, replacement] of Object.entries(runs))
      for (const label of [run, replacement]) checkName(paper.runs, label, 'run', ['rows', name, 'runs', run], fault)
  checkCells(paper, fault)
  for (const [index, claim] of paper.claims.entries()) checkClaim(paper, claim, ['claims', index], fault)
  for (const [index, test] of paper.tests.entries()) checkTest(paper, test, ['tests', index], fault)
})

export type PaperTable = Form
export type PaperRun = PaperTable['runs'][string]
export type PaperColumn = PaperTable['columns'][string]
export type PaperCell = PaperTable['cells'][number]
export type { Experiment } from './schema.ts'

type Path = readonly (string | number)[]

/** Reports an inconsistency and its path. */
type Fault = (path: Path, message: string) => void

function checkName(names: object, name: string, kind: 'row' | 'column' | 'run', path: Path, fault: Fault) {
  if (!Object.hasOwn(names, name)) fault(path, `there is no ${kind} "${name}" in this file`)
}

const checkColumn = ({ runs }: Form, column: PaperColumn, path: Path, fault: Fault): void =>
  checkName(runs, column.run, 'run', [...path, 'run'], fault)

function checkCells({ rows, columns, cells }: Form, fault: Fault): void {
  const cellKeys = new Set<string>()
  for (const [index, { row, column, value, perRun = [] }] of cells.entries()) {
    const path = ['cells', index]
    checkName(rows, row, 'row', [...path, 'row'], fault)
    checkName(columns, column, 'column', [...path, 'column'], fault)
    const key = JSON.stringify([row, column])
    if (cellKeys.has(key)) fault([...path, 'row'], 'this cell is listed twice')
    cellKeys.add(key)
    const where = columns[column]
    if (!where) continue
    const { decimals } = where
    const runs = 'runs' in where ? where.runs : 1
    const numbers = [...(value === null ? [] : [value]), ...perRun]
    const longer = decimals === undefined ? undefined : numbers.find((number) => !hasPlaces(number, decimals))
    if (longer !== undefined) fault(path, `${longer} has more decimal places than its column prints (${decimals})`)
    if (perRun.length > 0 && decimals === undefined) fault([...path, 'perRun'], 'needs the decimals of its column')
    if (perRun.length > 0 && perRun.length !== runs)
      fault([...path, 'perRun'], `holds ${perRun.length} runs, its column is the mean of ${runs}`)
  }
}

function checkClaim({ rows, columns }: Form, claim: Claim, path: Path, fault: Fault): void {
  const claimRows = rowsInClaim(claim)
  for (const row of claimRows) checkName(rows, row, 'row', path, fault)
  for (const measure of claim.columns) {
    const parts = columnsOf(measure)
    for (const name of parts) checkName(columns, name, 'column', path, fault)
    const scorePart = parts.length > 1 ? parts.find((name) => 'scorer' in (columns[name] ?? {})) : undefined
    if (scorePart !== undefined) fault(path, `"${scorePart}" is a score: only columns of tokens can be added up`)
  }
  if (new Set(claimRows).size < claimRows.length) fault(path, 'this claim names a row twice')
  if ('times' in claim && claim.from > claim.to) fault(path, 'from must not be above to')
  if ('widest' in claim && claim.columns.length < 2) fault(path, 'needs a column whose lead is less')
}

function checkTest({ rows, columns, cells }: Form, test: Form['tests'][number], path: Path, fault: Fault): void {
  const { column, row, than, p, decimals } = test
  checkName(columns, column, 'column', [...path, 'column'], fault)
  checkName(rows, row, 'row', [...path, 'row'], fault)
  checkName(rows, than, 'row', [...path, 'than'], fault)
  for (const name of [row, than])
    if (!cells.some((cell) => cell.column === column && cell.row === name && cell.perRun !== undefined))
      fault(path, `the cell of "${name}" in "${column}" needs perRun`)
  if (p !== null && !hasPlaces(p, decimals))
    fault([...path, 'p'], `${p} has more decimal places than "decimals" says (${decimals})`)
}

const hasPlaces = (value: number, decimals: number): boolean => Number(value.toFixed(decimals)) === value

/** 1: higher is better; -1: lower is better, as for tokens. */
export const directionOf = (column: PaperColumn): 1 | -1 => ('better' in column && column.better === 'higher' ? 1 : -1)

/** The column, or the first of several to add up. Throws Error for an unchecked table. */
export function columnOf({ columns }: Pick<Form, 'columns'>, measure: Measure): PaperColumn {
  const column = columns[itemAt(columnsOf(measure), 0)]
  if (!column) throw new Error('a checked table lacks a column')
  return column
}

/** Throws Error for an unchecked table. */
export function rowOf({ rows }: Pick<Form, 'rows'>, name: string): Form['rows'][string] {
  const row = rows[name]
  if (!row) throw new Error('a checked table lacks a row')
  return row
}

/** All columns of a measure have the same direction. */
export const directionOfMeasure = (paper: Pick<Form, 'columns'>, measure: Measure): 1 | -1 =>
  directionOf(columnOf(paper, measure))

/** Rows with a number in the measure, without reference rows. */
export const rankedIn =
  ({ rows, cells }: Pick<Form, 'rows' | 'cells'>) =>
  (measure: Measure): readonly string[] =>
    Object.keys(rows).filter(
      (row) =>
        rows[row]?.reference === false &&
        columnsOf(measure).every((column) =>
          cells.some((cell) => cell.row === row && cell.column === column && cell.value !== null),
        ),
    )

/** Margin of the claim, else the column's tolerance, in the column's unit. */
export function marginOf(
  paper: Pick<PaperTable, 'columns'>,
  measure: Measure,
  claimMargin: number | string | undefined,
  value: number,
): number {
  const margin = claimMargin ?? columnOf(paper, measure).tolerance
  return typeof margin === 'number' ? margin : (Math.abs(value) * Number.parseFloat(margin)) / 100
}

/** The part of the table with these rows or runs, and the claims about it. Throws UserError for an unknown name. */
export function partOfPaper(paper: PaperTable, names: readonly string[]): PaperTable {
  const [rows, runs] = [Object.keys(paper.rows), Object.keys(paper.runs)]
  const unknown = names.find((name) => !rows.includes(name) && !runs.includes(name))
  if (unknown !== undefined) throw new UserError(`--only: ${unknownName('row or run', unknown, [...rows, ...runs])}`)
  const selection = (all: readonly string[]): ReadonlySet<string> => {
    const matches = all.filter((name) => names.includes(name))
    return new Set(matches.length === 0 ? all : matches)
  }
  const [wantedRows, wantedRuns] = [selection(rows), selection(runs)]
  return {
    ...paper,
    runs: Object.fromEntries(Object.entries(paper.runs).filter(([name]) => wantedRuns.has(name))),
    cells: paper.cells.filter(({ row }) => wantedRows.has(row)),
    claims: paper.claims.flatMap((claim): readonly Claim[] => {
      if (!rowsInClaim(claim).every((row) => wantedRows.has(row))) return []
      const isWanted = (measure: Measure): boolean =>
        columnsOf(measure).every((name) => wantedRuns.has(paper.columns[name]?.run ?? ''))
      const columns = claim.columns.filter(isWanted)
      return columns.length === 0 || ('widest' in claim && columns.length < claim.columns.length)
        ? []
        : [{ ...claim, columns }]
    }),
  }
}

/** Our methods of these cells. */
export const methodsOf = ({ cells, rows }: Pick<PaperTable, 'cells' | 'rows'>): readonly string[] => [
  ...new Set(cells.flatMap(({ row }) => rows[row]?.method ?? [])),
]
