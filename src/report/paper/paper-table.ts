import { form, type Form, type Statement, type Claim } from './form.ts'
import { hasPlaces } from '../../math/audit.ts'
/** A table of a paper as data: its cells as printed, which method stands for a row, and where our cell of a column comes from. */
export const paperTable = form.superRefine((paper, context) => {
  for (const { path, message } of faultsOf(paper)) context.addIssue({ code: 'custom', path: [...path], message })
})

export type PaperTable = Form
export type PaperRun = PaperTable['runs'][string]
export type PaperColumn = PaperTable['columns'][string]
export type PaperCell = PaperTable['cells'][number]
/** Configs that make a run, and what is set in them. */
export type { Experiment } from './form.ts'

/** Something of a paper's table that does not fit together, and where it stands. */
interface Fault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The fault that a table has no row, column or run of that name; none where it has one. */
const unlessKnown = (known: object, name: string, path: Fault['path'], what: string): readonly Fault[] =>
  Object.hasOwn(known, name) ? [] : [{ path, message: `there is no ${what} "${name}" in this file` }]

/** What a statement needs of its table and does not find there. */
function statementFaults(table: Form, statement: Statement, path: Fault['path']): readonly Fault[] {
  const { rows, columns } = table
  switch (statement.kind) {
    case 'sum':
    case 'mean': {
      const { over, of, equals } = statement
      const named = [...of, ...(typeof equals === 'string' ? [equals] : [])]
      if (over === 'rows') {
        const has = (row: string, column: string): boolean =>
          table.cells.some((cell) => cell.row === row && cell.column === column)
        const checked = Object.entries(columns).filter(([column]) => named.every((row) => has(row, column)))
        return [
          ...named.flatMap((name) => unlessKnown(rows, name, path, 'row')),
          ...checked.flatMap(([name, column]) => unlessPrinted(column, name, path)),
        ]
      }
      return named.flatMap((name) => [
        ...unlessKnown(columns, name, path, 'column'),
        ...unlessPrinted(columns[name], name, path),
      ])
    }
    case 'relative': {
      const { column, row, than, percent, decimals } = statement
      return [
        ...pairFaults(table, [column, row, than], path),
        ...unlessPrinted(columns[column], column, path),
        ...unlessPlaces(percent, decimals, [...path, 'percent']),
      ]
    }
    case 'test': {
      const { column, row, than, p, decimals } = statement
      const cells = table.cells.filter((cell) => cell.column === column && cell.perRun !== undefined)
      const without = [row, than].filter((name) => !cells.some((cell) => cell.row === name))
      return [
        ...pairFaults(table, [column, row, than], path),
        ...without.map((name) => ({ path, message: `the cell of "${name}" in "${column}" needs perRun` })),
        ...(p === null ? [] : unlessPlaces(p, decimals, [...path, 'p'])),
      ]
    }
    case 'best':
      return [
        ...unlessKnown(columns, statement.column, [...path, 'column'], 'column'),
        ...statement.rows.flatMap((row) => unlessKnown(rows, row, [...path, 'rows'], 'row')),
      ]
  }
}

function pairFaults(
  { rows, columns }: Form,
  [column, row, than]: readonly [column: string, row: string, than: string],
  path: Fault['path'],
): readonly Fault[] {
  return [
    ...unlessKnown(columns, column, [...path, 'column'], 'column'),
    ...unlessKnown(rows, row, [...path, 'row'], 'row'),
    ...unlessKnown(rows, than, [...path, 'than'], 'row'),
  ]
}

const unlessPrinted = (column: Form['columns'][string] | undefined, name: string, path: Fault['path']) =>
  column && column.decimals === undefined ? [{ path, message: `the column "${name}" needs decimals` }] : []

const unlessPlaces = (value: number, decimals: number, path: Fault['path']): readonly Fault[] =>
  hasPlaces(value, decimals)
    ? []
    : [{ path, message: `${value} has more decimal places than "decimals" says (${decimals})` }]

/** What of a table does not fit together: names that it does not have, cells that are listed twice, digits that are not printed. */
const faultsOf = (table: Form): readonly Fault[] => [
  ...Object.entries(table.columns).flatMap(([name, column]) => columnFaults(table, column, ['columns', name])),
  ...Object.entries(table.rows).flatMap(([name, { runs }]) =>
    Object.entries(runs).flatMap(([of, instead]) => [
      ...unlessKnown(table.runs, of, ['rows', name, 'runs', of], 'run'),
      ...unlessKnown(table.runs, instead, ['rows', name, 'runs', of], 'run'),
    ]),
  ),
  ...cellFaults(table),
  ...table.claims.flatMap((claim, index) => claimFaults(table, claim, ['claims', index])),
  ...table.statements.flatMap((statement, index) => statementFaults(table, statement, ['statements', index])),
]

function columnFaults({ runs, shares }: Form, column: Form['columns'][string], path: Fault['path']): readonly Fault[] {
  const unknown = unlessKnown(runs, column.run, [...path, 'run'], 'run')
  if (!('scorer' in column) || column.shareOf === undefined) return unknown
  const { shareOf, unit, decimals } = column
  const at = [...path, 'shareOf']
  return [
    ...unknown,
    ...unlessKnown(shares, shareOf, at, 'share'),
    ...(unit === 'percent' || unit === 'fraction' ? [] : [{ path: at, message: 'a share is in percent or fractions' }]),
    ...(decimals === undefined ? [{ path: at, message: 'a share needs the decimals of its column' }] : []),
  ]
}

function cellFaults({ rows, columns, cells }: Form): readonly Fault[] {
  const seen = new Set<string>()
  return cells.flatMap(({ row, column, value, perRun = [] }, index) => {
    const path = ['cells', index]
    const unknown = [
      ...unlessKnown(rows, row, [...path, 'row'], 'row'),
      ...unlessKnown(columns, column, [...path, 'column'], 'column'),
    ]
    const key = JSON.stringify([row, column])
    const twice = seen.has(key) ? [{ path: [...path, 'row'], message: 'this cell is listed twice' }] : []
    seen.add(key)
    const where = columns[column]
    if (!where) return [...unknown, ...twice]
    const { decimals } = where
    const runs = 'runs' in where ? where.runs : 1
    const printed = [...(value === null ? [] : [value]), ...perRun]
    const longer = decimals === undefined ? undefined : printed.find((one) => !hasPlaces(one, decimals))
    return [
      ...unknown,
      ...twice,
      ...(longer === undefined
        ? []
        : [{ path, message: `${longer} has more decimal places than its column prints (${decimals})` }]),
      ...(perRun.length > 0 && decimals === undefined
        ? [{ path: [...path, 'perRun'], message: 'needs the decimals of its column' }]
        : []),
      ...(perRun.length > 0 && perRun.length !== runs
        ? [{ path: [...path, 'perRun'], message: `holds ${perRun.length} runs, its column is the mean of ${runs}` }]
        : []),
    ]
  })
}

function claimFaults({ runs, rows }: Form, claim: Claim, path: Fault['path']): readonly Fault[] {
  const named = 'best' in claim ? [claim.best, ...claim.of] : claim.order
  return [
    ...unlessKnown(runs, claim.run, [...path, 'run'], 'run'),
    ...named.flatMap((row) => unlessKnown(rows, row, path, 'row')),
    ...(new Set(named).size < named.length ? [{ path, message: 'this claim names a row twice' }] : []),
  ]
}
