import { stringify } from 'csv-stringify/sync'
import type { Manifest } from '../records.ts'
import { costGrid, scoreGrid, type Grid } from './grid.ts'
import { conditionsOf, notesOf } from './notes.ts'
import type { Table } from './table.ts'

export const formats = ['md', 'csv', 'json', 'latex'] as const
export type Format = (typeof formats)[number]

/** A table in one of the formats: `md` and `latex` as shown, `csv` a line a cell, `json` with everything. */
export function render(format: Format, manifest: Manifest, table: Table): string {
  switch (format) {
    case 'md':
      return markdown(manifest, table)
    case 'csv':
      return stringify([...table.cells], { header: true, columns: [...csvColumns], escape_formulas: true })
    case 'json':
      return `${JSON.stringify(table, null, 2)}\n`
    case 'latex':
      return latex(manifest, table)
  }
}

const csvColumns = [
  'dataset',
  'method',
  'variant',
  'scorer',
  'metric',
  'subset',
  'mean',
  'variance',
  'runs',
  'n',
  'failed',
] as const

function markdown(manifest: Manifest, table: Table): string {
  const lines = [
    `# ${escapeMarkdown(table.name)}`,
    escapeMarkdown(conditionsOf(manifest)),
    markdownGrid(scoreGrid(manifest, table)),
    notesOf(manifest, table)
      .map((note) => `- ${escapeMarkdown(note)}`)
      .join('\n'),
    '## Cost',
    'Calls and tokens; a call answered from the cache is counted as if made.',
    markdownGrid(costGrid(manifest, table)),
  ]
  return `${lines.join('\n\n')}\n`
}

function markdownGrid({ head, rows }: Grid): string {
  const body = rows.map((row) =>
    row.map(({ text, best }) => (best ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text))),
  )
  const titles = head.map(escapeMarkdown)
  const widths = titles.map((title, column) =>
    Math.max(3, title.length, ...body.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(titles), line(rule), ...body.map(line)].join('\n')
}

function latex(manifest: Manifest, table: Table): string {
  const { head, rows } = scoreGrid(manifest, table)
  const line = (cells: readonly string[]): string => `  ${cells.join(' & ')} \\\\`
  return [
    ...[conditionsOf(manifest), ...notesOf(manifest, table)].map((note) => `% ${note.replace(/\s+/g, ' ')}`),
    `\\begin{tabular}{l${'r'.repeat(head.length - 1)}}`,
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
    '±': '$\\pm$',
    '–': '--',
  }
  return text.replace(/\s+/g, ' ').replace(/[\\~^†±–{}$&#%_]/g, (mark) => marks[mark] ?? `\\${mark}`)
}
