import type { Manifest } from '../../records.ts'
import { syntheticNotes } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import type { AcrossDescription } from './describe-across.ts'
import { decisionMessages } from './decision.ts'
import { costCaption, present } from '../../text/amounts.ts'
import { comparedTable, costTable, scoreTable } from './tables.ts'
import { notesOf } from './notes.ts'
import { conditionsOf } from './conditions.ts'
import { compactTable, type TextTable, type TextCell } from './text-table.ts'

/** Tables of scores and costs; notes become comments. Default columns: the compared ones. */
export function latex(manifest: Manifest, table: Table, names?: readonly string[]) {
  const above = syntheticNotes(manifest)
  const scores = names ? scoreTable(manifest, table, names) : comparedTable(manifest, table)
  const notes = notesOf(manifest, table, 'interval')
  return [
    comments([packages, conditionsOf(manifest), ...notes, letters, ...decisionMessages(table)]) +
      tabular(scores, above),
    comments([costCaption]) + tabular(compactTable(costTable(manifest, table)).compact, above),
  ].join('\n')
}

export const latexAcross = ({ title, tables, notes }: AcrossDescription) =>
  tables.map((table, index) => (index === 0 ? comments([title, ...notes]) : '') + tabular(table, [])).join('\n')

/** A floating table with a caption and a label, and the packages that it needs as comments. */
export const latexFloat = (table: TextTable, caption: string, label: string, notes: readonly string[] = []) =>
  [
    `${comments([packages, ...notes])}\\begin{table}`,
    `\\caption{${escapeLatex(caption)}}`,
    `\\label{${label}}`,
    `${tabular(table, [])}\\end{table}`,
    '',
  ].join('\n')

const comments = (notes: readonly string[]) => notes.map((note) => `% ${note.replace(/\s+/g, ' ')}\n`).join('')

const packages = '\\usepackage{booktabs,adjustbox}'

const letters = 'Raised letters: the rows that a score is better than.'

/** A score with its interval and significance letters; other cells are escaped text. */
function latexCell({ text, score, best }: TextCell) {
  const letters = score?.letters ? `\\textsuperscript{${escapeLatex(score.letters)}}` : ''
  const content = score ? `${escapeLatex(meanWithInterval(score))}${letters}` : escapeLatex(text)
  return best ? `\\textbf{${content}}` : content
}

const meanWithInterval = ({ mean, interval }: NonNullable<TextCell['score']>) => present(mean, interval).join(' ')

/** A table that shrinks to the width of the text. `above`: lines before it. */
function tabular({ labels = 1, head, rows }: TextTable, above: readonly string[]) {
  const line = (cells: readonly string[]) => `  ${cells.join(' & ')} \\\\`
  const sides = 'l'.repeat(labels) + 'r'.repeat(head.length - labels)
  return [
    ...above.map((note) => `\\noindent ${escapeLatex(note)}\\par`),
    '\\noindent\\begin{adjustbox}{max width=\\linewidth}',
    `\\begin{tabular}{@{}${sides}@{}}`,
    '  \\toprule',
    line(head.map(escapeLatex)),
    '  \\midrule',
    ...rows.map((row) => line(row.map(latexCell))),
    '  \\bottomrule',
    '\\end{tabular}',
    '\\end{adjustbox}',
    '',
  ].join('\n')
}

export function escapeLatex(text: string) {
  const marks: Readonly<Record<string, string>> = {
    '\\': '\\textbackslash{}',
    '~': '\\textasciitilde{}',
    '^': '\\textasciicircum{}',
    '†': '$\\dagger$',
    '‡': '$\\ddagger$',
    '§': '\\S{}',
    '±': '$\\pm$',
    '–': '--',
    '<': '$<$',
    '>': '$>$',
  }
  return text.replace(/\s+/g, ' ').replace(/[\\~^†‡§±–<>{}$&#%_]/g, (mark) => marks[mark] ?? `\\${mark}`)
}
