import pc from 'picocolors'
import { costCaption } from '../../text/amounts.ts'
import { allColumns, withColumns } from '../../report/render/columns.ts'
import { decisionMessages, pairsTable, pairsTitle } from '../../report/render/decision.ts'
import { overRuns, type RenderedRun } from '../../report/render/formats.ts'
import { graphNotes } from '../../report/render/graph-health.ts'
import { costTable, scoreTable } from '../../report/render/tables.ts'
import { correctedTitle, mainColumn } from '../../report/render/score-columns.ts'
import { compactTable, omissionNote, type TextTable } from '../../report/render/text-table.ts'
import { notesOf, shortNotes } from '../../report/render/notes.ts'
import { conditionsOf } from '../../report/render/conditions.ts'
import { plain } from '../../text/characters.ts'
import { lineWidth, wrapText } from './wrap-text.ts'
import { print } from './print.ts'
import { formatTable } from './format-table.ts'

/** `columns`: names, or "all"; default: informative columns. */
export interface ShownTable {
  readonly columns?: readonly string[] | undefined
  readonly allNotes: boolean
  readonly pairs?: boolean
}

/** Prints scores, notes, recommendation and costs of a run. */
export function printTable(
  { manifest: allColumnsManifest, table }: RenderedRun,
  { columns, allNotes, pairs = false }: ShownTable,
): void {
  const manifest = columns ? withColumns(allColumnsManifest, table, columns) : allColumnsManifest
  const main = mainColumn(manifest, table)
  print(`${pc.bold(plain(manifest.name))}\n${pc.dim(inLines(conditionsOf(manifest)))}\n`)
  const scores = scoreTable(manifest, table, columns)
  const hiddenNotes = printCompactTable(scores, columns, main && [main.label, correctedTitle(main)])
  print('')
  const notes = [...hiddenNotes, ...(allNotes ? notesOf : shortNotes)(manifest, table), ...graphNotes(scores, table)]
  for (const note of notes) print(pc.dim(inLines(note)))
  for (const sentence of decisionMessages(table, true)) print(`\n${pc.bold(inLines(sentence))}`)
  if (pairs && table.comparison) {
    print(`\n${pc.bold('Pairs')}\n${pc.dim(inLines(pairsTitle(table.comparison)))}\n`)
    print(formatTable(pairsTable(table.comparison)))
  }
  print(`\n${pc.bold('Cost')}\n${pc.dim(inLines(costCaption))}\n`)
  for (const note of printCompactTable(
    costTable(manifest, table, true),
    columns?.includes(allColumns) ? columns : undefined,
  ))
    print(`\n${pc.dim(inLines(note))}`)
}

/** Prints comparisons over several runs: ranks and pairs. */
export function printAcross(runs: readonly RenderedRun[]): void {
  for (const { title, tables, notes } of overRuns(runs)) {
    print(`\n${pc.bold(inLines(title))}\n`)
    for (const table of tables) print(`${formatTable(table)}\n`)
    for (const note of notes) print(pc.dim(inLines(note)))
  }
}

/** Wraps text to the terminal; unchanged if the output is not a terminal. */
const inLines = (text: string): string =>
  process.stdout.isTTY ? wrapText(plain(text), lineWidth()).join('\n') : plain(text)

/** Prints a table; drops uninformative columns unless columns are named. Returns the note on them. */
function printCompactTable(
  table: TextTable,
  columns: readonly string[] | undefined,
  permanentTitles?: readonly string[],
): readonly string[] {
  const { compact, omissions } = columns ? { compact: table, omissions: [] } : compactTable(table, permanentTitles)
  print(formatTable(compact))
  return omissionNote(omissions)
}
