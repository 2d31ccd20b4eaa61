import type { Manifest, MethodRecord } from '../records.ts'
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
      { text: String((facts?.failed ?? 0) + (facts?.failedScores ?? 0)) },
      { text: facts?.contextTokens == null ? '–' : facts.contextTokens.toFixed(0) },
    ]
  })
  return { head: ['method', ...columns.map(({ label }) => label), 'trials', 'failed', 'context tokens'], rows }
}

/** What a run cost, a row a method: tokens by the columns of the papers, index apart from query. */
export function costGrid(manifest: Manifest, table: Table): Grid {
  const judged = table.usage.some(({ phase, calls }) => phase === 'judge' && calls > 0)
  const priced = table.usage.some(({ money }) => money !== undefined)
  const rows = manifest.methods.map((row): readonly GridCell[] => {
    const spent = (
      phases: readonly string[],
      field: 'calls' | 'promptTokens' | 'completionTokens' | 'embeddedTokens',
    ): GridCell => {
      const used = table.usage.filter(
        ({ method, variant, phase }) => method === row.method && variant === row.variant && phases.includes(phase),
      )
      return { text: used.reduce((sum, one) => sum + one[field], 0).toLocaleString('en-US') }
    }
    const query = ['retrieve', 'answer']
    return [
      { text: nameOf(row) },
      spent(['index'], 'calls'),
      spent(['index'], 'promptTokens'),
      spent(['index'], 'completionTokens'),
      spent(['index'], 'embeddedTokens'),
      spent(query, 'calls'),
      spent(query, 'promptTokens'),
      spent(query, 'completionTokens'),
      spent(query, 'embeddedTokens'),
      ...(judged
        ? [spent(['judge'], 'calls'), spent(['judge'], 'promptTokens'), spent(['judge'], 'completionTokens')]
        : []),
      ...(priced ? [{ text: moneyText(table, row) }] : []),
    ]
  })
  const columns = (phase: string, ...fields: string[]): string[] => fields.map((field) => `${phase} ${field}`)
  const head = [
    'method',
    ...columns('index', 'calls', 'prompt', 'completion', 'embedded'),
    ...columns('query', 'calls', 'prompt', 'completion', 'embedded'),
    ...(judged ? columns('judge', 'calls', 'prompt', 'completion') : []),
    ...(priced ? ['money'] : []),
  ]
  return { head, rows }
}

/** What a row cost in all; a dash where a phase used a model without a price. */
function moneyText(table: Table, row: MethodRecord): string {
  const phases = table.usage.filter(({ method, variant }) => method === row.method && variant === row.variant)
  if (phases.some(({ money }) => money === undefined)) return '–'
  return phases.reduce((sum, { money = 0 }) => sum + money, 0).toFixed(4)
}

/** A method's name with its variant and the mark of a bracket. */
export const nameOf = ({ method, variant, context }: MethodRecord): string =>
  `${method}${variant === '' ? '' : ` (${variant})`}${context ? ' †' : ''}`

/** What a scorer shows under one title; cells stand in the order of the methods. */
export interface Column {
  readonly label: string
  readonly scorer: string
  readonly metric: string
  readonly subset: string
  readonly cells: readonly (Cell | undefined)[]
}

/** The columns that the scorers show and that at least one row can fill. */
export function columnsOf(manifest: Manifest, table: Table): readonly Column[] {
  return manifest.scorers.flatMap((scorer) =>
    scorer.columns.flatMap(({ metric, subset = 'all', label }) => {
      const cells = manifest.methods.map(({ method, variant }) =>
        table.cells.find(
          (cell) =>
            cell.method === method &&
            cell.variant === variant &&
            cell.scorer === scorer.scorer &&
            cell.metric === metric &&
            cell.subset === subset,
        ),
      )
      if (!cells.some(Boolean)) return []
      const title = label ?? (subset === 'all' ? metric : `${metric} ${subset}`)
      return [{ label: title, scorer: scorer.scorer, metric, subset, cells }]
    }),
  )
}

/** `61.8`, or `61.8 ±0.4` with the standard error of the mean over runs; a dash where nothing was scored. */
function percent(cell: Cell | undefined): string {
  if (!cell || cell.mean === null) return '–'
  const mean = (100 * cell.mean).toFixed(1)
  return cell.variance === null ? mean : `${mean} ±${(100 * Math.sqrt(cell.variance / cell.runs)).toFixed(1)}`
}

/** The best text of a column among methods inside the budget, where there are at least two to compare. */
function bestOf(methods: readonly MethodRecord[], cells: readonly (Cell | undefined)[]): string | undefined {
  const inside = cells.filter((cell, index) => cell?.mean != null && !methods[index]?.context)
  if (inside.length < 2) return undefined
  return percent(inside.reduce((best, cell) => ((cell?.mean ?? 0) > (best?.mean ?? 0) ? cell : best)))
}
