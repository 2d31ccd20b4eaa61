import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { formatCount, formatDollars, present } from '../../text/amounts.ts'
import { rowLabels, rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { escapeXml } from '../page-head.ts'
import { textGrid, type Grid } from '../render/text-grid.ts'
import { breakEven, breakEvenWords, costUnit, type CostsOfRow, type CostUnit } from '../table/costs-of-row.ts'
import type { Cell } from '../table/estimate.ts'
import { rowAt, type Table } from '../table/table.ts'
import { gridHtml } from './grid-html.ts'

/** A row's score in the compared metric, and what it costs. */
export interface RowCost extends CostsOfRow {
  readonly name: string
  readonly cell: Cell
  readonly mean: number
  readonly isReference: boolean
  /** Whether no other row within the budget scores as much at a lower cost a question. */
  readonly isFront: boolean
}

/** Costs of the rows, in money where that of every row is known and not nothing, else in tokens of language models. */
export interface RowCosts {
  readonly unit: CostUnit
  /** The row with which they break even: `vector`, the baseline or the first. */
  readonly base: RowCost | undefined
  readonly rows: readonly RowCost[]
}

/** Costs beside scores; `cells` by method. */
export function rowCosts({ methods, compare }: Manifest, table: Table, cells: readonly (Cell | undefined)[]): RowCosts {
  const labels = rowLabels(methods)
  const scored = methods.flatMap((row, index) => {
    const cell = cells[index]
    if (cell?.mean == null) return []
    const isReference = isReferenceRow(row)
    return [{ row, name: itemAt(labels, index), cell, mean: cell.mean, isReference, ...rowAt(table, index).costs }]
  })
  const unit = costUnit(scored)
  const within = scored.filter(({ isReference }) => !isReference)
  const isBeaten = (row: (typeof scored)[number]): boolean =>
    within.some(({ mean, question }) => {
      const [cost, costOfRow] = [question?.[unit] ?? Infinity, row.question?.[unit] ?? Infinity]
      return cost <= costOfRow && mean >= row.mean && (cost < costOfRow || mean > row.mean)
    })
  const rows = scored.map((row) => ({ ...row, isFront: within.includes(row) && !isBeaten(row) }))
  const { baseline } = compare ?? {}
  const base =
    rows.find(({ row }) => row.use === 'vector') ??
    rows.find(({ row }) => baseline && rowName(baseline) === rowName(row)) ??
    rows.find(({ isReference }) => !isReference)
  return { unit, base, rows }
}

/** The costs of the rows; its break-even is that with another row where the reader chooses one. */
export function costsHtml(costs: RowCosts): string {
  const { rows, unit, base } = costs
  const data = rows.map(({ name, index, question }) => ({ name, index, question }))
  const note = base
    ? `; break-even: with which numbers of questions index and questions together ${unit === 'money' ? 'cost less' : 'take fewer tokens'} than those of the row chosen`
    : ''
  return `<div class="costs" data-unit="${unit}" data-costs="${escapeXml(JSON.stringify(data))}">
<label hidden>Break-even with <select data-against="${escapeXml(base?.name ?? '')}"></select></label>
${gridHtml(costsGrid(costs), `What it costs: dollars, tokens of language models, seconds of calls to models${note}`)}</div>`
}

function costsGrid({ rows, unit, base }: RowCosts): Grid {
  const isPriced = unit === 'money'
  const tokens = (value: number | undefined): string => (value === undefined ? '–' : formatCount(Math.round(value)))
  const dollars = (value: number | undefined): string => (value === undefined ? '–' : formatDollars(value))
  const seconds = (value: number | undefined): string => value?.toFixed(2) ?? '–'
  return textGrid(
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
