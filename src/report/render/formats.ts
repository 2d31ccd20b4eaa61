import { stringify } from 'csv-stringify/sync'
import type { Manifest, Row } from '../../records.ts'
import { syntheticNotes } from '../synthetic.ts'
import type { Cell } from '../gather/estimate.ts'
import type { Table } from '../table/table.ts'
import { variedOptions } from './columns.ts'
import { present } from '../../text/amounts.ts'
import { latex, latexAcross } from './latex.ts'
import { documentOf, overRuns, type Block, type DocumentParts, type RenderedRun } from './document.ts'
import { notesOf } from './notes.ts'
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

/** `csv` has a line per cell, `usage-csv` a line per row and phase, `json` everything. */
export const render = (format: Format, manifest: Manifest, table: Table) => renderRuns(format, [{ manifest, table }])

/** Renders several tables. CSV merges them, with the run in the first column. */
export function renderRuns(format: Format, runs: readonly RenderedRun[], parts: DocumentParts = {}) {
  switch (format) {
    case 'md':
      return `${documentOf(runs, parts).map(markdown).join('\n\n')}\n`
    case 'csv': {
      const isLabelled = runs.some(({ table }) => table.cells.some(({ people }) => people !== undefined))
      const fields = [...cellFields, ...(isLabelled ? labelFields : [])]
      return csv(runs, ({ table }) => table.cells.map(cellLine), fields)
    }
    case 'usage-csv':
      return csv(runs, ({ table }) => usageLines(table), usageFields)
    case 'json':
      return runs
        .map(({ manifest, table }) => `${JSON.stringify({ ...table, notes: notesOf(manifest, table) }, null, 2)}\n`)
        .join('')
    case 'latex':
      return [
        ...runs.map(({ manifest, table }) => latex(manifest, table, parts.columns)),
        ...overRuns(runs).map(latexAcross),
      ].join('\n')
  }
}

const cellFields = [
  ...['dataset', 'method', 'variant', 'scorer', 'metric', 'subset', 'mean', 'n', 'clusters', 'error', 'low', 'high'],
  ...['least', 'greatest', 'repeats', 'repeatVariance', 'judgeRuns', 'judgeVariance', 'skipped', 'failed'],
]

const labelFields = ['labelled', 'human', 'corrected', 'correctedError', 'correctedLow', 'correctedHigh']

/** A cell with the means by human labels, where there are any. */
function cellLine({ people, ...cell }: Cell) {
  const { mean, error, low, high } = people?.corrected ?? {}
  const correctedFields = { corrected: mean, correctedError: error, correctedLow: low, correctedHigh: high }
  return { ...cell, labelled: people?.labelled, human: people?.human, ...correctedFields }
}

/** Usage without machine-dependent values. `trials` allows numbers per question. */
const usageFields = [
  ...['dataset', 'method', 'variant', 'phase', 'trials', 'calls', 'promptTokens', 'completionTokens'],
  ...['embeddedTokens', 'estimated', 'money'],
]

const usageLines = ({ dataset, usage, rows }: Table) =>
  usage.map((cell) => ({ ...cell, dataset, trials: rows.find((row) => isRow(row, cell))?.trials }))

/** The lines of all runs; one column per varied option follows the variant. */
function csv(runs: readonly RenderedRun[], linesOf: (run: RenderedRun) => readonly Row[], fields: readonly string[]) {
  const synthetic = 'synthetic questions'
  const titleOf = (option: string) => ([...fields, 'run'].includes(option) ? `varied ${option}` : option)
  const options = variedOptions(runs.flatMap(({ manifest }) => manifest.methods)).map(titleOf)
  const columns = present(
    runs.some(({ run }) => run !== undefined) && 'run',
    fields.flatMap((field) => (field === 'variant' ? [field, ...options] : [field])),
    runs.some(({ table }) => table.synthetic) && synthetic,
  )
  const lines = runs.flatMap((run) =>
    linesOf(run).map((line) => {
      const { varied = [] } = run.manifest.methods.find((row) => isRow(row, line)) ?? {}
      const values = Object.fromEntries(varied.map(({ option, text }) => [titleOf(option), text]))
      return { ...line, ...values, run: run.run, [synthetic]: syntheticNotes(run.manifest).join('; ') }
    }),
  )
  return stringify(lines, { header: true, columns: [...columns], escape_formulas: true })
}

function markdown(block: Block) {
  if ('head' in block) return markdownTable(block)
  const marks = { title: '# ', heading: '## ', text: '', strong: '', note: '- ' }
  return block
    .map(([kind, text], index) => {
      const gap = kind === 'note' && block[index - 1]?.[0] === 'note' ? '\n' : '\n\n'
      return `${index === 0 ? '' : gap}${marks[kind]}${escapeMarkdown(text)}`
    })
    .join('')
}

function markdownTable({ labels = 1, head, rows }: TextTable) {
  const body = rows.map((row) =>
    row.map(({ text, best }) => (best ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text))),
  )
  const titles = head.map(escapeMarkdown)
  const widths = titles.map((title, column) =>
    Math.max(3, title.length, ...body.map((row) => row[column]?.length ?? 0)),
  )
  const pad = (cell: string, column: number) =>
    column < labels ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`
  const rule = widths.map((width, column) => (column < labels ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(titles), line(rule), ...body.map(line)].join('\n')
}

/** Labels come from configs and tags from datasets, so they are escaped. */
export const escapeMarkdown = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replace(/</g, '&lt;')
