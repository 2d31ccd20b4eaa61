import type { Manifest, MethodRecord } from '../records.ts'
import type { Phase } from '../types.ts'
import { columnsOf } from './columns.ts'
import type { Cell, Table } from './table.ts'

/** A table as text, ready for any format: the first column names the method. */
export interface Grid {
  readonly head: readonly string[]
  readonly rows: readonly (readonly GridCell[])[]
}

export interface GridCell {
  readonly text: string
  /** The best of its column among the methods inside the budget. */
  readonly best?: boolean
}

/** The scores of a run in percent, a row a method, with the columns that its scorers show. */
export function scoreGrid(manifest: Manifest, table: Table): Grid {
  const columns = columnsOf(manifest, table)
  const best = columns.map(({ cells }) => bestOf(manifest.methods, cells))
  const rows = manifest.methods.map((row, index): readonly GridCell[] => {
    const facts = table.rows[index]
    return [
      { text: nameOf(row) },
      ...columns.map(({ cells }, column) => {
        const text = percent(cells[index])
        return best[column] !== undefined && text === best[column] && !row.context ? { text, best: true } : { text }
      }),
      { text: String(facts?.trials ?? 0) },
      { text: String(facts?.failed ?? 0) },
      { text: String(facts?.failedScores ?? 0) },
      { text: facts?.contextTokens == null ? '–' : facts.contextTokens.toFixed(0) },
    ]
  })
  const facts = ['trials', 'failed trials', 'failed scores', 'context tokens']
  return { head: ['method', ...columns.map(({ label }) => label), ...facts], rows }
}

/** What a run cost, a row a method: calls and tokens by the columns of the papers, index apart from query, and a query's tokens per question. */
export function costGrid(manifest: Manifest, table: Table): Grid {
  const judged = table.usage.some(({ phase, calls }) => phase === 'judge' && calls > 0)
  const priced = table.usage.some(({ money }) => money !== undefined)
  const columns = [
    ...spent(table, 'index', ['index']),
    ...spent(table, 'query', ['retrieve', 'answer']),
    perQuestion(table, 'prompt'),
    perQuestion(table, 'completion'),
    ...(judged ? spent(table, 'judge', ['judge']) : []),
    ...(priced ? [moneyOf(table)] : []),
  ]
  return {
    head: ['method', ...columns.map(({ title }) => title)],
    rows: manifest.methods.map((row, index) => [
      { text: nameOf(row) },
      ...columns.map(({ textOf }) => ({ text: textOf(row, index) })),
    ]),
  }
}

interface CostColumn {
  readonly title: string
  readonly textOf: (row: MethodRecord, index: number) => string
}

const fields = {
  calls: 'calls',
  prompt: 'promptTokens',
  completion: 'completionTokens',
  embedded: 'embeddedTokens',
} as const

const spent = (table: Table, name: string, phases: readonly Phase[]): readonly CostColumn[] =>
  Object.entries(fields).map(([word, field]) => ({
    title: `${name} ${word}`,
    textOf: ({ method, variant }) =>
      table.usage
        .filter((one) => one.method === method && one.variant === variant && phases.includes(one.phase))
        .reduce((sum, one) => sum + one[field], 0)
        .toLocaleString('en-US'),
  }))

const perQuestion = (table: Table, word: 'prompt' | 'completion'): CostColumn => ({
  title: `query ${word} per question`,
  textOf: (_row, index) => table.rows[index]?.perQuestion?.[fields[word]].toFixed(1) ?? '–',
})

/** What a row cost in all; a dash where a phase used a model without a price. */
const moneyOf = (table: Table): CostColumn => ({
  title: 'money',
  textOf(row) {
    const phases = table.usage.filter(({ method, variant }) => method === row.method && variant === row.variant)
    if (phases.some(({ money }) => money === undefined)) return '–'
    return phases.reduce((sum, { money = 0 }) => sum + money, 0).toFixed(4)
  },
})

/** A method's name with its variant and the mark of a bracket. */
export const nameOf = ({ method, variant, context }: MethodRecord): string =>
  `${method}${variant === '' ? '' : ` (${variant})`}${context ? ' †' : ''}`

/** `61.8`, or `61.8 ±0.41` with the standard error of the mean over runs; a dash where nothing was scored. */
function percent(cell: Cell | undefined): string {
  if (!cell || cell.mean === null) return '–'
  const mean = (100 * cell.mean).toFixed(1)
  return cell.standardError === null ? mean : `${mean} ±${(100 * cell.standardError).toFixed(2)}`
}

/** The best text of a column among methods inside the budget, where there are at least two to compare. */
function bestOf(methods: readonly MethodRecord[], cells: readonly (Cell | undefined)[]): string | undefined {
  const inside = cells.filter((cell, index) => cell?.mean != null && !methods[index]?.context)
  if (inside.length < 2) return undefined
  return percent(inside.reduce((best, cell) => ((cell?.mean ?? 0) > (best?.mean ?? 0) ? cell : best)))
}
