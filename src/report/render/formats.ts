import { stringify } from 'csv-stringify/sync'
import type { Manifest } from '../../records.ts'
import { costGrid, scoreGrid, type Grid } from './grid.ts'
import { conditionsOf, notesOf } from './notes.ts'
import type { Cell } from '../table/cell.ts'
import type { Table } from '../table/table.ts'

export const formats = ['md', 'csv', 'usage-csv', 'json', 'latex'] as const
export type Format = (typeof formats)[number]

/** A table in one of the formats: `md` and `latex` as shown, `csv` a line a cell, `usage-csv` a line a row and phase, `json` with everything. */
export function render(format: Format, manifest: Manifest, table: Table): string {
  switch (format) {
    case 'md':
      return markdown(manifest, table)
    case 'csv':
      return csv(table.cells.map(withPeople), [...cellColumns, ...(isLabelled(table) ? peopleColumns : [])])
    case 'usage-csv':
      return csv(usageLines(table), usageColumns)
    case 'json':
      return `${JSON.stringify(table, null, 2)}\n`
    case 'latex':
      return latex(manifest, table)
  }
}

const cellColumns = [
  'dataset',
  'method',
  'variant',
  'scorer',
  'metric',
  'subset',
  'mean',
  'n',
  'clusters',
  'error',
  'low',
  'high',
  'least',
  'greatest',
  'repeats',
  'repeatVariance',
  'judgeRuns',
  'judgeVariance',
  'skipped',
  'failed',
] as const

/** What human labels say, after all else. */
const peopleColumns = ['labelled', 'human', 'corrected', 'correctedError', 'correctedLow', 'correctedHigh'] as const

const isLabelled = ({ cells }: Table): boolean => cells.some(({ people }) => people !== undefined)

const withPeople = ({ people, ...cell }: Cell): object => ({
  ...cell,
  ...{ labelled: people?.labelled, human: people?.human, corrected: people?.corrected?.mean },
  correctedError: people?.corrected?.error,
  ...{ correctedLow: people?.corrected?.low, correctedHigh: people?.corrected?.high },
})

const usageColumns = [
  'dataset',
  'method',
  'variant',
  'phase',
  'trials',
  'calls',
  'promptTokens',
  'completionTokens',
  'embeddedTokens',
  'estimated',
  'money',
] as const

/** Usage without what depends on the machine, and with the trials that make a number per question of it. */
const usageLines = ({ dataset, usage, rows }: Table): readonly object[] =>
  usage.map((one) => {
    const row = rows.find(({ method, variant }) => method === one.method && variant === one.variant)
    return { ...one, dataset, trials: row?.trials ?? 0 }
  })

const csv = (lines: readonly object[], columns: readonly string[]): string =>
  stringify([...lines], { header: true, columns: [...columns], escape_formulas: true })

function markdown(manifest: Manifest, table: Table): string {
  const lines = [
    `# ${escapeMarkdown(table.name)}`,
    escapeMarkdown(conditionsOf(manifest)),
    markdownGrid(scoreGrid(manifest, table)),
    notesOf(manifest, table)
      .map((note) => `- ${escapeMarkdown(note)}`)
      .join('\n'),
    '## Cost',
    costCaption,
    markdownGrid(costGrid(manifest, table)),
  ]
  return `${lines.join('\n\n')}\n`
}

function markdownGrid({ labels = 1, head, rows }: Grid): string {
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

const costCaption =
  'Calls, and tokens by kind (prompt, completion, embedded); calls answered from the cache are included.'

function latex(manifest: Manifest, table: Table): string {
  const comments = (notes: readonly string[]): string =>
    notes.map((note) => `% ${note.replace(/\s+/g, ' ')}\n`).join('')
  return [
    comments([conditionsOf(manifest), ...notesOf(manifest, table)]) + tabular(scoreGrid(manifest, table)),
    comments([costCaption]) + tabular(costGrid(manifest, table)),
  ].join('\n')
}

function tabular({ labels = 1, head, rows }: Grid): string {
  const line = (cells: readonly string[]): string => `  ${cells.join(' & ')} \\\\`
  return [
    `\\begin{tabular}{${'l'.repeat(labels)}${'r'.repeat(head.length - labels)}}`,
    '  \\toprule',
    line(head.map(escapeLatex)),
    '  \\midrule',
    ...rows.map((row) =>
      line(row.map(({ text, best }) => (best ? `\\textbf{${escapeLatex(text)}}` : escapeLatex(text)))),
    ),
    '  \\bottomrule',
    '\\end{tabular}',
    '',
  ].join('\n')
}

/** Labels come from configs and tags from datasets: nothing in them may become markup. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replace(/</g, '&lt;')

export function escapeLatex(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '\\': '\\textbackslash{}',
    '~': '\\textasciitilde{}',
    '^': '\\textasciicircum{}',
    '†': '$\\dagger$',
    '‡': '$\\ddagger$',
    '±': '$\\pm$',
    '–': '--',
    '<': '$<$',
    '>': '$>$',
  }
  return text.replace(/\s+/g, ' ').replace(/[\\~^†‡±–<>{}$&#%_]/g, (mark) => marks[mark] ?? `\\${mark}`)
}
