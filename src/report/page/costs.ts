import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { formatCount, formatDollars, present } from '../../text/amounts.ts'
import { rowLabels, rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { escapeXml } from '../page-head.ts'
import { plainTable, type TextTable } from '../render/text-table.ts'
import { breakEven, breakEvenWords, costUnit, type CostsOfRow, type CostUnit } from '../gather/costs-of-row.ts'
import type { Cell } from '../gather/estimate.ts'
import { rowAt, type Table } from '../table/table.ts'
import { tableHtml } from './table-html.ts'

/** A row's score in the compared metric, with its costs. */
export interface RowCost extends CostsOfRow {
  readonly name: string
  readonly cell: Cell
  readonly mean: number
  readonly isReference: boolean
  /** Whether the row is on the Pareto front of score and cost per question. */
  readonly isFront: boolean
}

/** Costs in money if every row's is known and any is above zero, else in language model tokens. */
export interface RowCosts {
  readonly unit: CostUnit
  /** The row for break-even points: `vector`, the baseline or the first. */
  readonly base: RowCost | undefined
  readonly rows: readonly RowCost[]
}

export function rowCosts({ methods, compare }: Manifest, table: Table, cells: readonly (Cell | undefined)[]): RowCosts {
  const labels = rowLabels(methods)
  const scoredRows = methods.flatMap((row, index) => {
    const cell = cells[index]
    if (cell?.mean == null) return []
    const isReference = isReferenceRow(row)
    return [{ row, name: itemAt(labels, index), cell, mean: cell.mean, isReference, ...rowAt(table, index).costs }]
  })
  const unit = costUnit(scoredRows)
  const budgetedRows = scoredRows.filter(({ isReference }) => !isReference)
  const isBeaten = (row: (typeof scoredRows)[number]): boolean =>
    budgetedRows.some(({ mean, question }) => {
      const [cost, costOfRow] = [question?.[unit] ?? Infinity, row.question?.[unit] ?? Infinity]
      return cost <= costOfRow && mean >= row.mean && (cost < costOfRow || mean > row.mean)
    })
  const rows = scoredRows.map((row) => ({ ...row, isFront: budgetedRows.includes(row) && !isBeaten(row) }))
  const { baseline } = compare ?? {}
  const base =
    rows.find(({ row }) => row.use === 'vector') ??
    rows.find(({ row }) => baseline && rowName(baseline) === rowName(row)) ??
    rows.find(({ isReference }) => !isReference)
  return { unit, base, rows }
}

/** The cost table; a script recomputes break-even points for a chosen row. */
export function costsHtml(costs: RowCosts): string {
  const { rows, unit, base } = costs
  const data = rows.map(({ name, index, question }) => ({ name, index, question }))
  const note = base
    ? `; break-even: with which numbers of questions index and questions together ${unit === 'money' ? 'cost less' : 'take fewer tokens'} than those of the row chosen`
    : ''
  return `<div class="costs" data-unit="${unit}" data-costs="${escapeXml(JSON.stringify(data))}">
<label hidden>Break-even with <select data-against="${escapeXml(base?.name ?? '')}"></select></label>
${tableHtml(costsTable(costs), `What it costs: dollars, tokens of language models, seconds of calls to models${note}`)}</div>`
}

function costsTable({ rows, unit, base }: RowCosts): TextTable {
  const isPriced = unit === 'money'
  const tokens = (value: number | undefined): string => (value === undefined ? '–' : formatCount(Math.round(value)))
  const dollars = (value: number | undefined): string => (value === undefined ? '–' : formatDollars(value))
  const seconds = (value: number | undefined): string => value?.toFixed(2) ?? '–'
  return plainTable(
    present(
      ...['method', isPriced && ['$ of 1,000 questions', '$ of the index']],
      ...['tokens a question', 'tokens of the index', 'seconds a question', 'seconds of the index'],
      `break-even with ${base?.name ?? 'no row'}`,
    ),
    rows.map((row) =>
      present(
        row.name,
        isPriced && [dollars(row.question?.money && 1000 * row.question.money), dollars(row.index.money)],
        [tokens(row.question?.tokens), tokens(row.index.tokens)],
        [seconds(row.question?.seconds), seconds(row.index.seconds)],
        breakEvenWords(base && row !== base ? breakEven(row, base, unit) : null),
      ),
    ),
  )
}
