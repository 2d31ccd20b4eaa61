import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { rowLabels, rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { costUnit, type CostUnit, type CostsOfRow, breakEven, type BreakEven } from '../table/costs-of-row.ts'
import type { Cell } from '../table/estimate.ts'
import { rowAt, type Table } from '../table/table.ts'

/** A row's score in the compared metric, and what it costs. */
export interface RowCost extends CostsOfRow {
  readonly name: string
  readonly cell: Cell
  readonly mean: number
  readonly reference: boolean
  /** Whether no other row within the budget scores as much at a lower cost a question. */
  readonly front: boolean
  readonly breakEven: BreakEven
}

/** Costs of the rows, in money where that of every row is known and not nothing, else in tokens of language models. */
export interface RowCosts {
  readonly unit: CostUnit
  /** The row with which they break even. */
  readonly against: string | null
  readonly rows: readonly RowCost[]
}

/**
 * Costs beside scores; `cells` by method. Rows break even with the one named, else `vector`, the baseline or the first.
 */
export function rowCosts(manifest: Manifest, table: Table, cells: readonly (Cell | undefined)[]): RowCosts {
  const labels = rowLabels(manifest.methods)
  const found = manifest.methods.flatMap((row, index) => {
    const cell = cells[index]
    const name = itemAt(labels, index)
    return cell?.mean == null ? [] : [{ row, name, cell, mean: cell.mean, ...rowAt(table, index).costs }]
  })
  const within = found.filter(({ row }) => !isReferenceRow(row))
  const { baseline } = manifest.compare ?? {}
  const base =
    found.find(({ row }) => row.use === 'vector') ??
    found.find(({ row }) => baseline && rowName(baseline) === rowName(row)) ??
    within[0]
  const unit = costUnit(found)
  const perQuestion = ({ question }: CostsOfRow): number => question?.[unit] ?? Infinity
  const dominates = (one: (typeof found)[number], other: (typeof found)[number]): boolean => {
    const [x, y] = [perQuestion(one), perQuestion(other)]
    return x <= y && one.mean >= other.mean && (x < y || one.mean > other.mean)
  }
  return {
    unit,
    against: base?.name ?? null,
    rows: found.map((one) => ({
      name: one.name,
      cell: one.cell,
      mean: one.mean,
      reference: isReferenceRow(one.row),
      index: one.index,
      question: one.question,
      front: within.includes(one) && !within.some((other) => dominates(other, one)),
      breakEven: base && one !== base ? breakEven(one, base, unit) : null,
    })),
  }
}
