import { itemAt } from '../../basics/collections.ts'
import { rounding, sum } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { Phase } from '../../types.ts'
import type { ComparedRow, RowComparison } from '../compare/row-comparison.ts'
import { markOf, isRow, isOfMetric } from '../compare/rows-to-compare.ts'
import type { Cell } from '../table/estimate.ts'
import type { RowSummary } from '../table/row-summary.ts'
import { rowAt, type Table } from '../table/table.ts'
import { counted, percent, present } from '../../text/amounts.ts'
import { graphColumns } from './graph-health.ts'
import { flawColumns } from './series-columns.ts'
import { columnsOf, referenceColumns, scaleOf, variedOptions, type Column, differenceColumns } from './columns.ts'

/** A table as text, ready for any format. The first `labels` columns (one, where it is not given) name the row. */
export interface Grid {
  readonly labels?: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly GridCell[])[]
}

/** A grid of plain texts, of which the first names the row. */
export const textGrid = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): Grid => ({
  head,
  rows: rows.map((row) => row.map((text) => ({ text: String(text) }))),
})

export interface GridCell {
  readonly text: string
  /** Of a score: its mean, its 95 % interval where it is known, and the letters of the rows that it is better than. */
  readonly score?: { readonly mean: string; readonly interval?: string; readonly letters: string }
  /** Better by a test than every other row that was compared; with a baseline, than the baseline. */
  readonly best?: boolean
}

/**
 * The scores in percent, a row a method. Letters name the rows that a score is better than; best: better than all
 * others, or the baseline. `graphs`: with what is counted in the graphs of the rows.
 */
export function scoreGrid(manifest: Manifest, table: Table, graphs = false): Grid {
  const { comparison } = table
  const columns = [...columnsOf(manifest, table), ...referenceColumns(manifest, table)]
  const options = variedOptions(manifest.methods)
  const { titles, textsOf } = differenceColumns(comparison)
  const isCompared = (column: Column): boolean => isOfMetric(column, comparison)
  const checksNames = table.rows.some(({ names }) => names !== undefined)
  const bounded = boundedColumn(manifest, table)
  const hasAnswers = manifest.answers !== 'none'
  const flaws = flawColumns(manifest, table)
  const ofGraphs = graphs ? graphColumns(table) : []
  const isBounded = (column: Column): boolean => isOfMetric(column, bounded)
  const titlesOf = (column: Column): readonly string[] =>
    present(
      ...(isLabelled(column) ? [correctedTitle(column), judgeTitle(column)] : [column.label]),
      isBounded(column) && bounds.map((end) => `${column.label}, ${end}`),
    )
  const rows = manifest.methods.map((row, index): readonly GridCell[] => {
    const { trials, failed, failedScores, contextTokens, names } = rowAt(table, index)
    const compared = comparison?.rows.find((one) => isRow(one, row))
    return present(
      comparison && { text: compared?.letter ?? '' },
      rowCells(row, options),
      columns.flatMap((column): readonly GridCell[] => {
        const cell = column.cells[index]
        const shownCell = isLabelled(column) ? cell?.people?.corrected : cell
        const text = shown(shownCell, column.unit)
        const beside = isLabelled(column) ? [cellOf(shown(cell, column.unit), partsOf(cell, column.unit, ''))] : []
        const ends = isBounded(column) ? bounds.map((end) => ({ text: boundText(column, index, end) })) : []
        const letters = compared && isCompared(column) ? compared.better.join('') : ''
        const score = partsOf(shownCell, column.unit, letters)
        return [
          {
            ...cellOf(letters === '' ? text : `${text} ${letters}`, score),
            ...(letters !== '' && compared && isBest(compared, comparison) && { best: true }),
          },
          ...beside,
          ...ends,
        ]
      }),
      textsOf(row).map((text) => ({ text })),
      [trials, failed, failedScores].map((count) => ({ text: String(count) })),
      flaws.map(({ counts: own }) => ({ text: counted(itemAt(own, index)) })),
      hasAnswers && { text: contextTokens?.toFixed(0) ?? '–' },
      checksNames && { text: names?.checked ? groundedText(names) : '–' },
      ofGraphs.map(({ texts }) => ({ text: itemAt(texts, index) })),
    )
  })
  const counts = present(
    ['trials', 'failed trials', 'failed scores', ...flaws.map(({ title }) => title)],
    hasAnswers && 'context tokens',
    checksNames && 'grounded',
    ofGraphs.map(({ title }) => title),
  )
  return {
    labels: (comparison ? 2 : 1) + options.length,
    head: present(comparison && '', 'method', options, columns.flatMap(titlesOf), titles, counts),
    rows,
  }
}

export const groundedText = ({ checked, grounded }: NonNullable<RowSummary['names']>): string =>
  `${percent(grounded / checked)} of ${counted(checked)}`

const cellOf = (text: string, score: GridCell['score']): GridCell => ({ text, ...(score && { score }) })

const isBest = ({ better }: ComparedRow, comparison: RowComparison | undefined): boolean =>
  comparison?.baseline == null
    ? better.length === (comparison?.rows.length ?? 0) - 1
    : better.includes(comparison.baseline)

/** Titles of a judge's column that labels correct: what they make of it, and the judge's own means beside. */
export const correctedTitle = ({ label }: Pick<Column, 'label'>): string => `${label}, corrected`
export const judgeTitle = ({ label }: Pick<Column, 'label'>): string => `${label}, judge`

/** Whether people's labels correct a column. */
export const isLabelled = ({ cells }: Column): boolean => cells.some((cell) => cell?.people !== undefined)

/** Beyond this share of questions that failed, what they could have scored stands in the table. */
const fewFailures = 0.02

/** The column that is compared, or the first that is of all questions. */
export function mainColumn(manifest: Manifest, table: Table): Column | undefined {
  const columns = columnsOf(manifest, table)
  return (
    columns.find((column) => isOfMetric(column, table.comparison)) ?? columns.find(({ subset }) => subset === 'all')
  )
}

/** The main column, where so many questions of a row failed that what they could have scored is shown beside it. */
export function boundedColumn(manifest: Manifest, table: Table): Column | undefined {
  const column = mainColumn(manifest, table)
  const many = ({ mean, least: from, greatest: to }: Cell): boolean =>
    mean !== null && from !== null && to !== null && to - from > fewFailures + rounding
  return column?.unit === 'percent' && column.cells.some((cell) => cell && many(cell)) ? column : undefined
}

type Bound = 'least' | 'greatest'
const bounds: readonly Bound[] = ['least', 'greatest']

function boundText({ cells, unit }: Column, index: number, end: Bound): string {
  const bound = cells[index]?.[end] ?? null
  const [scale, digits] = scaleOf(unit)
  return bound === null ? '–' : (scale * bound).toFixed(digits)
}

/** Calls, tokens and money, a row a method; `timed`: with the seconds of calls, which depend on the machine. */
export function costGrid(manifest: Manifest, table: Table, timed = false): Grid {
  const judged = table.usage.some(({ phase, calls }) => phase === 'judge' && calls > 0)
  const priced = table.usage.some(({ money }) => money !== undefined)
  const columns = present(
    spent(table, 'index', ['index']),
    spent(table, 'query', ['retrieve', 'answer']),
    perQuestion(table, 'prompt'),
    perQuestion(table, 'completion'),
    judged && spent(table, 'judge', ['judge']),
    priced && moneyOf(table),
    timed && [secondsOf(table, 'index'), secondsOf(table, 'question')],
  ).filter(
    // without answers most methods ask for nothing
    ({ title, textOf }) =>
      manifest.answers !== 'none' ||
      title.endsWith(' calls') ||
      manifest.methods.some((row, index) => !/^[0.]*$/.test(textOf(row, index))),
  )
  const options = variedOptions(manifest.methods)
  return {
    labels: 1 + options.length,
    head: ['method', ...options, ...columns.map(({ title }) => title)],
    rows: manifest.methods.map((row, index) => [
      ...rowCells(row, options),
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
    textOf(row) {
      const own = table.usage.filter((one) => isRow(one, row) && phases.includes(one.phase))
      return counted(sum(own.map((one) => one[field])))
    },
  }))

const perQuestion = (table: Table, word: 'prompt' | 'completion'): CostColumn => ({
  title: `query ${word} per question`,
  textOf: (_row, index) => rowAt(table, index).perQuestion?.[fields[word]].toFixed(1) ?? '–',
})

/** What a row cost in all; a dash where a phase used a model without a price. */
const moneyOf = (table: Table): CostColumn => ({
  title: 'money',
  textOf(row) {
    const phases = table.usage.filter((one) => isRow(one, row))
    if (phases.some(({ money }) => money === undefined)) return '–'
    return phases.reduce((sum, { money = 0 }) => sum + money, 0).toFixed(4)
  },
})

const secondsOf = (table: Table, of: 'index' | 'question'): CostColumn => ({
  title: of === 'index' ? 'index seconds' : 'seconds per question',
  textOf: (_row, index) => rowAt(table, index).costs[of]?.seconds?.toFixed(2) ?? '–',
})

/** What names a row: its method, and a column for every option that some row varies. */
const rowCells = ({ varied = [], ...row }: MethodRecord, options: readonly string[]): readonly GridCell[] => [
  { text: nameOf({ ...row, variant: '' }) },
  ...options.map((option) => ({ text: varied.find((one) => one.option === option)?.text ?? '' })),
]

/** A method's name with its variant and its marks. */
export const nameOf = (row: Pick<MethodRecord, 'method' | 'variant' | 'context' | 'answers' | 'inConfig'>): string =>
  `${rowName(row)}${markOf(row)}`

/** `61.8 ±4.1` percent or the number `12.25 ±0.50` with the standard error of the mean; a dash for nothing. */
function shown(
  cell: (Pick<Cell, 'mean' | 'error'> & { readonly n?: number }) | null | undefined,
  unit: Column['unit'],
): string {
  if (!cell || cell.mean === null) return '–'
  const [scale, digits] = scaleOf(unit, cell.n)
  const mean = (scale * cell.mean).toFixed(digits)
  return cell.error === null ? mean : `${mean} ±${(scale * cell.error).toFixed(digits)}`
}

/** A score in parts, with its interval in place of its error. */
function partsOf(
  cell: (Pick<Cell, 'mean' | 'low' | 'high'> & { readonly n?: number }) | null | undefined,
  unit: Column['unit'],
  letters: string,
): GridCell['score'] {
  if (!cell || cell.mean === null) return undefined
  const [scale, digits] = scaleOf(unit, cell.n)
  const text = (value: number): string => (scale * value).toFixed(digits)
  const { mean, low, high } = cell
  return {
    mean: text(mean),
    ...(low !== null && high !== null && { interval: `[${text(low)}, ${text(high)}]` }),
    letters,
  }
}
