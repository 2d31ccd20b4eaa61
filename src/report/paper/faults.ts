import { hasPlaces } from '../../math/audit.ts'
import type { Claim } from './claim.ts'
import { unlessKnown, type Fault } from './fault.ts'
import type { Form } from './form.ts'
import { statementFaults } from './statement-faults.ts'

/** What of a table does not fit together: names that it does not have, cells that are listed twice, digits that are not printed. */
export const faultsOf = (table: Form): readonly Fault[] => [
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
