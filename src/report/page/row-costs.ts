import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import type { Cell } from '../table/estimate.ts'
import type { Table } from '../table/table.ts'

/** A row's score in the compared metric and the tokens of language models that it took: prompts and replies. */
export interface RowCost {
  readonly name: string
  readonly cell: Cell
  readonly mean: number
  readonly reference: boolean
  /** Of its index, all corpora together; of one repeat, in the mean, where repeats have indexes of their own. */
  readonly index: number
  /** Of a question, in the mean; null where no question was asked. */
  readonly perQuestion: number | null
  /** Whether no other row within the budget scores as much with fewer tokens a question. */
  readonly front: boolean
  readonly breakEven: BreakEven
}

/** After how many questions it took fewer tokens, index included; `always`: from the first. */
export type BreakEven = number | 'always' | 'never' | null

/** Costs of the rows, and the row with which they break even: full context, the baseline, or the cheapest index. */
export interface RowCosts {
  readonly against: string | null
  readonly rows: readonly RowCost[]
}

/** What the rows of a table cost beside what they score; `cells` stand in the order of the methods. */
export function rowCosts(manifest: Manifest, table: Table, cells: readonly (Cell | undefined)[]): RowCosts {
  const found = manifest.methods.flatMap((row, index) => {
    const cell = cells[index]
    if (cell?.mean == null) return []
    const { promptTokens = 0, completionTokens = 0 } = table.rows[index]?.perQuestion ?? {}
    const perQuestion = table.rows[index]?.perQuestion ? promptTokens + completionTokens : null
    return [{ row, cell, mean: cell.mean, index: indexTokens(table, index), perQuestion }]
  })
  const base =
    found.find(({ row }) => row.context === 'unlimited' && row.use === 'full-context') ??
    found.find(({ row }) => manifest.compare?.baseline && rowName(manifest.compare.baseline) === rowName(row)) ??
    found.filter(({ row }) => !isReferenceRow(row)).sort((a, b) => a.index - b.index)[0]
  const within = found.filter(({ row }) => !isReferenceRow(row))
  return {
    against: base ? rowName(base.row) : null,
    rows: found.map((one) => ({
      name: rowName(one.row),
      cell: one.cell,
      mean: one.mean,
      reference: isReferenceRow(one.row),
      index: one.index,
      perQuestion: one.perQuestion,
      front: within.includes(one) && !within.some((other) => dominates(other, one)),
      breakEven: base && one !== base ? breakEven(one, base) : null,
    })),
  }
}

interface Cost {
  readonly index: number
  readonly perQuestion: number | null
}

const dominates = (a: Cost & { readonly mean: number }, b: Cost & { readonly mean: number }): boolean => {
  const [x, y] = [a.perQuestion ?? Infinity, b.perQuestion ?? Infinity]
  return x <= y && a.mean >= b.mean && (x < y || a.mean > b.mean)
}

/** The least number of questions after which `one` took fewer tokens than `base` in all. */
export function breakEven(one: Cost, base: Cost): BreakEven {
  if (one.perQuestion === null || base.perQuestion === null) return null
  const more = one.index - base.index
  const saved = base.perQuestion - one.perQuestion
  if (saved <= 0) return 'never'
  return more <= 0 ? 'always' : Math.floor(more / saved) + 1
}

/** What the indexes of one repeat took: `perQuestion` is of one repeat, too. */
function indexTokens({ rows, usage }: Table, place: number): number {
  const row = rows[place]
  const spent = usage
    .filter(({ phase, method, variant }) => phase === 'index' && method === row?.method && variant === row.variant)
    .reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0)
  return row?.indexes ? Math.round((spent * row.indexes.corpora) / row.indexes.built) : spent
}
