import { stringify } from 'csv-stringify/sync'
import type { Manifest, Row } from '../../records.ts'
import { syntheticNotes } from '../synthetic.ts'
import type { Cell } from '../gather/estimate.ts'
import type { Table, UsageCell } from '../table/table.ts'
import { describeAcross, type AcrossDescription } from './describe-across.ts'
import { variedOptions, withColumns } from './columns.ts'
import { costCaption, present } from '../../text/amounts.ts'
import { decisionMessages, pairsTable, pairsTitle } from './decision.ts'
import { latex, latexAcross } from './latex.ts'
import { graphNotes } from './graph-health.ts'
import { costTable, namedCells, scoreTable, shortTable } from './tables.ts'
import { notesOf, shortNotes } from './notes.ts'
import { conditionsOf, shortConditionsOf } from './conditions.ts'
import { offlineBanners } from './notes-on-data.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { TextTable } from './text-table.ts'

/** Formats written to a results folder, with file names. */
export const tableFiles = [
  ['md', 'table.md'],
  ['csv', 'table.csv'],
  ['usage-csv', 'usage.csv'],
  ['latex', 'table.tex'],
  ['json', 'table.json'],
] as const

export type Format = (typeof tableFiles)[number][0]

/** The table of a run or series. `run`: name of the results folder, if several are rendered. */
export interface RenderedRun {
  readonly run?: string
  readonly manifest: Manifest
  readonly table: Table
}

/** `csv` has a line per cell, `usage-csv` a line per row and phase, `json` everything. */
export const render = (format: Format, manifest: Manifest, table: Table): string =>
  renderRuns(format, [{ manifest, table }])

/** `columns`: names of columns; default all. `isShort`, `mainNotes`, `pairs`: Markdown only. */
interface TableParts {
  readonly columns?: readonly string[]
  readonly isShort?: boolean
  readonly mainNotes?: boolean
  readonly pairs?: boolean
}

/** Renders several tables. CSV merges them, with the run in the first column. */
export function renderRuns(format: Format, all: readonly RenderedRun[], options: TableParts = {}): string {
  const { columns } = options
  const runs = columns ? all.map((run) => ({ ...run, manifest: withColumns(run.manifest, run.table, columns) })) : all
  switch (format) {
    case 'md':
      return [
        ...runs.map((run) => markdown(run, options)),
        ...overRuns(runs).map((across) => `${markdownAcross(across)}\n`),
      ].join('\n')
    case 'csv': {
      const isLabelled = runs.some(({ table }) => table.cells.some(({ people }) => people !== undefined))
      const fields = isLabelled ? [...cellColumns, ...peopleColumns] : cellColumns
      return csv(runs, ({ manifest, table }) => namedCells(manifest, table, columns), fields)
    }
    case 'usage-csv':
      return csv(runs, ({ table }) => usageLines(table), usageColumns)
    case 'json':
      return runs
        .map(({ manifest, table }) => `${JSON.stringify({ ...table, notes: notesOf(manifest, table) }, null, 2)}\n`)
        .join('')
    case 'latex':
      return [
        ...runs.map(({ manifest, table }) => latex(manifest, table, columns)),
        ...overRuns(runs).map(latexAcross),
      ].join('\n')
  }
}

/** Comparisons over runs, without duplicates. */
export function overRuns(runs: readonly RenderedRun[]): readonly AcrossDescription[] {
  const comparisons = runs.flatMap(({ table: { across } }) => across ?? [])
  return comparisons.filter((comparison, index) => comparisons.indexOf(comparison) === index).map(describeAcross)
}

const markdownAcross = ({ title, tables, notes }: AcrossDescription): string =>
  [`## ${escapeMarkdown(title)}`, ...tables.map(markdownTable), markdownList(notes)].join('\n\n')

const markdownList = (notes: readonly string[]): string => notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n')

interface CsvColumn<T> {
  readonly title: string
  readonly value: (line: T) => string | number | null | undefined
}

const fieldsOf = <K extends string>(...names: readonly K[]) =>
  names.map((title) => ({
    title,
    value: (line: Readonly<Partial<Record<K, string | number | null>>>) => line[title],
  }))

const cellColumns: readonly CsvColumn<Cell>[] = [
  ...fieldsOf('dataset', 'method', 'variant', 'scorer', 'metric', 'subset', 'mean', 'n', 'clusters', 'error'),
  ...fieldsOf('low', 'high', 'least', 'greatest', 'repeats', 'repeatVariance', 'judgeRuns', 'judgeVariance'),
  ...fieldsOf('skipped', 'failed'),
]

const peopleColumns: readonly CsvColumn<Cell>[] = [
  { title: 'labelled', value: ({ people }) => people?.labelled },
  { title: 'human', value: ({ people }) => people?.human },
  { title: 'corrected', value: ({ people }) => people?.corrected?.mean },
  { title: 'correctedError', value: ({ people }) => people?.corrected?.error },
  { title: 'correctedLow', value: ({ people }) => people?.corrected?.low },
  { title: 'correctedHigh', value: ({ people }) => people?.corrected?.high },
]

/** Usage without machine-dependent values. `trials` allows numbers per question. */
const usageColumns: readonly CsvColumn<UsageCell & { readonly dataset: string; readonly trials: number }>[] = [
  ...fieldsOf('dataset', 'method', 'variant', 'phase', 'trials', 'calls', 'promptTokens', 'completionTokens'),
  ...fieldsOf('embeddedTokens', 'estimated', 'money'),
]

const usageLines = ({ dataset, usage, rows }: Table) =>
  usage.map((cell) => {
    const row = rows.find((candidate) => isRow(candidate, cell))
    if (!row) throw new Error(`usage of a row that the table lacks: ${cell.method}`)
    return { ...cell, dataset, trials: row.trials }
  })

/** The lines of all runs; one column per varied option follows the variant. */
function csv<T extends Row>(
  runs: readonly RenderedRun[],
  linesOf: (run: RenderedRun) => readonly T[],
  columns: readonly CsvColumn<T>[],
): string {
  interface Line {
    readonly run: RenderedRun
    readonly line: T
  }
  const titles = ['run', ...columns.map(({ title }) => title)]
  const lineColumns = columns.map(({ title, value }): CsvColumn<Line> => ({ title, value: ({ line }) => value(line) }))
  const place = titles.indexOf('variant')
  const variants = variedOptions(runs.flatMap(({ manifest }) => manifest.methods)).map((option): CsvColumn<Line> => ({
    title: titles.includes(option) ? `varied ${option}` : option,
    value: ({ run: { manifest }, line }) =>
      manifest.methods.find((row) => isRow(row, line))?.varied?.find((setting) => setting.option === option)?.text,
  }))
  const all = present<CsvColumn<Line>>(
    runs.some(({ run }) => run !== undefined) && { title: 'run', value: ({ run }) => run.run },
    lineColumns.slice(0, place),
    variants,
    lineColumns.slice(place),
    runs.some(({ table }) => table.synthetic) && {
      title: 'synthetic questions',
      value: ({ run }) => syntheticNotes(run.manifest).join('; '),
    },
  )
  const lines = runs.flatMap((run) => linesOf(run).map((line) => all.map(({ value }) => value({ run, line }))))
  return stringify([all.map(({ title }) => title), ...lines], { escape_formulas: true })
}

function markdown({ manifest, table }: RenderedRun, parts: TableParts): string {
  const { columns, isShort = false, mainNotes = false, pairs = false } = parts
  const pairLines =
    pairs && table.comparison
      ? ['## Pairs', `${escapeMarkdown(pairsTitle(table.comparison))}.`, markdownTable(pairsTable(table.comparison))]
      : []
  if (isShort)
    return `${[`# ${escapeMarkdown(table.name)}`, escapeMarkdown(shortConditionsOf(manifest)), ...offlineBanners(manifest, table).map(escapeMarkdown), markdownTable(shortTable(manifest, table)), ...decisionMessages(table).map(escapeMarkdown), markdownList(shortNotes(manifest, table)), ...pairLines].join('\n\n')}\n`
  const scores = scoreTable(manifest, table, columns)
  const notes = [
    ...(mainNotes ? shortNotes(manifest, table, 5) : notesOf(manifest, table)),
    ...graphNotes(scores, table),
  ]
  const lines = present(
    `# ${escapeMarkdown(table.name)}`,
    escapeMarkdown(conditionsOf(manifest)),
    markdownTable(scores),
    markdownList(notes),
    pairLines,
    '## Cost',
    costCaption,
    markdownTable(costTable(manifest, table)),
    decisionMessages(table).map(escapeMarkdown),
  )
  return `${lines.join('\n\n')}\n`
}

function markdownTable({ labels = 1, head, rows }: TextTable): string {
  const body = rows.map((row) =>
    row.map(({ text, best }) => (best ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text))),
  )
  const titles = head.map(escapeMarkdown)
  const widths = titles.map((title, column) =>
    Math.max(3, title.length, ...body.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column < labels ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column < labels ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(titles), line(rule), ...body.map(line)].join('\n')
}

/** Labels come from configs and tags from datasets, so they are escaped. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replace(/</g, '&lt;')
