import { hasPlaces } from '../../math/audit.ts'
import { unlessKnown, type Fault } from './fault.ts'
import type { Form } from './form.ts'
import type { Statement } from './statement.ts'

/** What a statement needs of its table and does not find there. */
export function statementFaults(table: Form, statement: Statement, path: Fault['path']): readonly Fault[] {
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
