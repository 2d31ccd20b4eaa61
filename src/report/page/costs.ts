import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { formatCount, formatDollars } from '../../text/amounts.ts'
import { rowLabels, rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { breakEven, costUnit } from '../gather/costs-of-row.ts'
import type { Cell } from '../gather/estimate.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { rowAt, type Table } from '../table/table.ts'

export type RowCosts = ReturnType<typeof rowCosts>

/**
 * The rows with a score in the main column and their costs: in money if every row's is known and any is above zero,
 * else in language model tokens. `base`: the row for break-even points, `vector`, the baseline or the first.
 */
export function rowCosts({ methods, compare }: Manifest, table: Table, cells: readonly (Cell | undefined)[]) {
  const labels = rowLabels(methods)
  const scoredRows = methods.flatMap((row, index) => {
    const cell = cells[index]
    if (cell?.mean == null) return []
    const isReference = isReferenceRow(row)
    return [{ row, name: itemAt(labels, index), cell, mean: cell.mean, isReference, ...rowAt(table, index).costs }]
  })
  const unit = costUnit(scoredRows)
  type ScoredRow = (typeof scoredRows)[number]
  const costOf = ({ question }: ScoredRow) => question?.[unit] ?? Infinity
  const isBetter = (a: ScoredRow, b: ScoredRow) =>
    costOf(a) <= costOf(b) && a.mean >= b.mean && (costOf(a) < costOf(b) || a.mean > b.mean)
  const budgetedRows = scoredRows.filter(({ isReference }) => !isReference)
  const rows = scoredRows.map((row) => ({
    ...row,
    /** On the Pareto front of score and cost per question. */
    isFront: !row.isReference && !budgetedRows.some((candidate) => isBetter(candidate, row)),
  }))
  const { baseline } = compare ?? {}
  const base =
    rows.find(({ row }) => row.use === 'vector') ??
    rows.find(({ row }) => baseline && rowName(baseline) === rowName(row)) ??
    rows.find(({ isReference }) => !isReference)
  return { unit, base, rows }
}

export function costsTable({ rows, unit, base }: RowCosts): TextTable {
  const isPriced = unit === 'money'
  const write = (value: number | undefined, format: (value: number) => string) =>
    value === undefined ? '–' : format(value)
  const count = (value: number) => formatCount(Math.round(value))
  const seconds = (value: number) => value.toFixed(2)
  return tableOf(rows, [
    { title: 'method', cell: ({ name }) => name },
    isPriced && {
      title: '$ of 1,000 questions',
      cell: ({ question }) => write(question?.money, (money) => formatDollars(1000 * money)),
    },
    isPriced && { title: '$ of the index', cell: ({ index }) => write(index.money, formatDollars) },
    { title: 'tokens a question', cell: ({ question }) => write(question?.tokens, count) },
    { title: 'tokens of the index', cell: ({ index }) => count(index.tokens) },
    { title: 'seconds a question', cell: ({ question }) => write(question?.seconds, seconds) },
    { title: 'seconds of the index', cell: ({ index }) => write(index.seconds, seconds) },
    base !== undefined && {
      title: `break-even with ${base.name}`,
      cell: (row) => (row === base ? '–' : breakEven(row, base, unit)),
    },
  ])
}
