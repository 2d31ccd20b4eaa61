import { itemAt } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { unknownName } from '../../text/names.ts'
import { paperSchema, type Claim, type Measure, type PaperColumn, type PaperTable } from './schema.ts'

/** A paper's table as data: printed cells, the method of each row, the run of each column. */
export const paperTable = paperSchema.superRefine((paper, context) => {
  const fault: Fault = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
  const checkName: CheckName = (kind, name, path) => {
    if (!Object.hasOwn(paper[`${kind}s`], name)) fault(path, `there is no ${kind} "${name}" in this file`)
  }
  for (const [name, { run }] of Object.entries(paper.columns)) checkName('run', run, ['columns', name, 'run'])
  for (const [name, { runs }] of Object.entries(paper.rows))
    for (const [run, replacement] of Object.entries(runs))
      for (const label of [run, replacement]) checkName('run', label, ['rows', name, 'runs', run])
  checkCells(paper, checkName, fault)
  for (const [index, claim] of paper.claims.entries()) {
    for (const row of rowsInClaim(claim)) checkName('row', row, ['claims', index])
    for (const column of claim.columns.flat()) checkName('column', column, ['claims', index])
    checkClaim(paper, claim, (message) => fault(['claims', index], message))
  }
  for (const [index, { column, row, than }] of paper.tests.entries()) {
    checkName('column', column, ['tests', index, 'column'])
    for (const name of [row, than]) {
      checkName('row', name, ['tests', index])
      if (!paper.cells.some((cell) => cell.column === column && cell.row === name && cell.perRun !== undefined))
        fault(['tests', index], `the cell of "${name}" in "${column}" needs perRun`)
    }
  }
})

/** Reports an inconsistency and its path. */
type Fault = (path: readonly (string | number)[], message: string) => void

type CheckName = (kind: 'row' | 'column' | 'run', name: string, path: readonly (string | number)[]) => void

function checkCells({ columns, cells }: PaperTable, checkName: CheckName, fault: Fault) {
  const cellKeys = new Set<string>()
  for (const [index, { row, column: name, perRun = [] }] of cells.entries()) {
    checkName('row', row, ['cells', index, 'row'])
    checkName('column', name, ['cells', index, 'column'])
    const key = JSON.stringify([row, name])
    if (cellKeys.has(key)) fault(['cells', index, 'row'], 'this cell is listed twice')
    cellKeys.add(key)
    const column = columns[name]
    const runs = column && 'runs' in column ? column.runs : 1
    if (perRun.length > 0 && perRun.length !== runs)
      fault(['cells', index, 'perRun'], `holds ${perRun.length} runs, its column is the mean of ${runs}`)
  }
}

function checkClaim({ columns }: PaperTable, claim: Claim, fault: (message: string) => void) {
  const rows = rowsInClaim(claim)
  const summands = claim.columns.flatMap((measure) => (typeof measure === 'string' ? [] : measure))
  const score = summands.find((name) => 'scorer' in (columns[name] ?? {}))
  if (score !== undefined) fault(`"${score}" is a score: only columns of tokens can be added up`)
  if (new Set(rows).size < rows.length) fault('this claim names a row twice')
  if ('times' in claim && claim.from > claim.to) fault('from must not be above to')
  if ('widest' in claim && claim.columns.length < 2) fault('needs a column whose lead is less')
}

const rowFields: ReadonlySet<string> = new Set([
  ...['order', 'top', 'of', 'last', 'same', 'as', 'notWorse', 'than', 'times', 'widest', 'gain', 'above'],
])

/** The rows that a claim names. */
export const rowsInClaim = (claim: Claim): readonly string[] =>
  Object.entries(claim).flatMap(([field, value]) =>
    rowFields.has(field) ? [value].flat(3).filter((name) => typeof name === 'string') : [],
  )

export const columnsOf = (measure: Measure): readonly string[] => [measure].flat()

export const measureName = (measure: Measure): string => columnsOf(measure).join(' + ')

/** The column, or the first of several to add up. Throws Error for an unchecked table. */
export function columnOf({ columns }: PaperTable, measure: Measure): PaperColumn {
  const column = columns[itemAt(columnsOf(measure), 0)]
  if (!column) throw new Error('a checked table lacks a column')
  return column
}

/** Throws Error for an unchecked table. */
export function rowOf({ rows }: PaperTable, name: string): PaperTable['rows'][string] {
  const row = rows[name]
  if (!row) throw new Error('a checked table lacks a row')
  return row
}

/** 1: higher is better; -1: lower is better, as for tokens. All columns of a measure have the same direction. */
export function directionOf(paper: PaperTable, measure: Measure): 1 | -1 {
  const column = columnOf(paper, measure)
  return 'better' in column && column.better === 'higher' ? 1 : -1
}

/** Rows with a number in the measure, without reference rows. */
const rankedIn = ({ rows, cells }: PaperTable, measure: Measure) =>
  Object.keys(rows).filter(
    (row) =>
      rows[row]?.reference === false &&
      columnsOf(measure).every((column) =>
        cells.some((cell) => cell.row === row && cell.column === column && cell.value !== null),
      ),
  )

/** A margin as an amount; `scale`: factor from the unit of `value` to that of the margin. */
export const marginOf = (margin: number | string, value: number, scale = 1): number =>
  typeof margin === 'number' ? margin / scale : (Math.abs(value) * Number.parseFloat(margin)) / 100

/** The part of the table with these rows or runs, and the claims about it. Throws UserError for an unknown name. */
export function partOfPaper(paper: PaperTable, names: readonly string[]): PaperTable {
  const rows = Object.keys(paper.rows)
  const runs = Object.keys(paper.runs)
  const unknown = names.find((name) => !rows.includes(name) && !runs.includes(name))
  if (unknown !== undefined) throw new UserError(`--only: ${unknownName('row or run', unknown, [...rows, ...runs])}`)
  const selection = (all: readonly string[]) => {
    const matches = all.filter((name) => names.includes(name))
    return matches.length === 0 ? all : matches
  }
  return partOfRuns(paper, selection(runs), selection(rows))
}

/** The cells of these runs and rows, and the claims about them. */
export function partOfRuns(
  paper: PaperTable,
  runs: readonly string[],
  rows: readonly string[] = Object.keys(paper.rows),
): PaperTable {
  const isThere = (row: string, column: string) => rows.includes(row) && runs.includes(runOf(paper, row, column))
  const isChosen = (measure: Measure, claim: Claim) =>
    columnsOf(measure).every((column) => rowsInClaim(claim).every((row) => isThere(row, column)))
  return {
    ...paper,
    runs: Object.fromEntries(Object.entries(paper.runs).filter(([name]) => runs.includes(name))),
    cells: paper.cells.filter(({ row, column }) => isThere(row, column)),
    claims: paper.claims.flatMap((claim): readonly Claim[] => {
      const columns = claim.columns.filter((measure) => isChosen(measure, claim))
      const hasColumns = 'widest' in claim ? columns.length === claim.columns.length : columns.length > 0
      return hasColumns ? [{ ...claim, columns }] : []
    }),
  }
}

/** The run of a cell. */
export function runOf(paper: PaperTable, row: string, column: string): string {
  const { run } = columnOf(paper, column)
  return rowOf(paper, row).runs[run] ?? run
}

/** A row in a column. With `bases` its distance to the best of them: a lead, or a gain over one row. */
export interface Side {
  readonly row: string
  readonly measure: Measure
  readonly bases: readonly string[]
}

/** Two sides and what is claimed of them. `statement`: such as "A above B"; `range`: of the ratio for "times". */
export interface ClaimedPair extends Limits, Readonly<Record<'first' | 'second', Side>> {
  readonly kind: 'better' | 'same' | 'not worse' | 'times'
  readonly statement: string
  readonly range?: readonly [from: number, to: number]
}

interface Limits {
  readonly bars?: string | undefined
  readonly margin?: number | string | undefined
}

/** All pairs of a claim, column by column. */
export function pairsOf(paper: PaperTable, claim: Claim): readonly ClaimedPair[] {
  if (!('widest' in claim)) return claim.columns.flatMap((measure) => pairsIn(paper, claim, measure))
  const { widest: row, of: bases, columns } = claim
  return columns.slice(1).map((measure) => ({
    kind: 'better',
    statement: `lead of ${row} over that in ${measureName(measure)}`,
    first: { row, measure: itemAt(columns, 0), bases },
    second: { row, measure, bases },
  }))
}

type ClaimInColumn = Exclude<Claim, { readonly widest: string }>

function pairsIn(paper: PaperTable, claim: ClaimInColumn, measure: Measure): readonly ClaimedPair[] {
  const relations = {
    better: directionOf(paper, measure) === 1 ? 'above' : 'below',
    same: 'the same as',
    'not worse': 'not worse than',
  }
  const side = (row: string, ...bases: readonly string[]): Side => ({ row, measure, bases })
  const pair = (kind: keyof typeof relations, first: string, second: string, more?: Limits): ClaimedPair => ({
    kind,
    statement: `${first} ${relations[kind]} ${second}`,
    first: side(first),
    second: side(second),
    bars: more?.bars,
    margin: more?.margin,
  })
  const rowsBut = (names: readonly string[]) => rankedIn(paper, measure).filter((row) => !names.includes(row))
  if ('order' in claim)
    return claim.order.slice(1).map((row, index) => pair('better', itemAt(claim.order, index), row, claim))
  if ('top' in claim)
    return claim.top.flatMap((row) =>
      (claim.of ?? rowsBut(claim.top)).map((rival) => pair('better', row, rival, claim)),
    )
  if ('last' in claim) return (claim.of ?? rowsBut([claim.last])).map((row) => pair('better', row, claim.last))
  if ('same' in claim) return claim.as.map((row) => pair('same', claim.same, row, claim))
  if ('notWorse' in claim) return claim.than.map((row) => pair('not worse', claim.notWorse, row, claim))
  if ('gain' in claim) {
    const [row, base] = claim.gain
    return claim.above.map(([second, secondBase]) => ({
      kind: 'better',
      statement: `gain of ${row} over ${base} larger than of ${second} over ${secondBase}`,
      first: side(row, base),
      second: side(second, secondBase),
    }))
  }
  const { times, than, from, to } = claim
  const statement = `${times} ${from === to ? from : `${from} to ${to}`} times ${than}`
  const range = [from - halfDigit(from), to + halfDigit(to)] as const
  return [{ kind: 'times', statement, range, first: side(times), second: side(than) }]
}

/** Half a unit of the last printed digit. */
const halfDigit = (value: number) => 10 ** -(String(value).split('.')[1] ?? '').length / 2
