import pc from 'picocolors'
import { costCaption } from '../../text/amounts.ts'
import { allColumns, withColumns } from '../../report/render/columns.ts'
import { decisionMessages, pairsTable, pairsTitle } from '../../report/render/decision.ts'
import { overRuns, type RenderedRun } from '../../report/render/formats.ts'
import { graphNotes } from '../../report/render/row-columns.ts'
import { costTable, scoreTable, shortTable } from '../../report/render/tables.ts'
import { correctedTitle, mainColumn } from '../../report/render/score-columns.ts'
import { compactTable, omissionNote, type TextTable } from '../../report/render/text-table.ts'
import { notesOf, shortNotes } from '../../report/render/notes.ts'
import { offlineBanners } from '../../report/render/notes-on-data.ts'
import type { Manifest } from '../../records.ts'
import type { Table } from '../../report/table/table.ts'
import { conditionsOf, shortConditionsOf } from '../../report/render/conditions.ts'
import { plain } from '../../text/characters.ts'
import { lineWidth, wrapText } from './wrap-text.ts'
import { print } from './print.ts'
import { formatTable } from './format-table.ts'

/** `columns`: names, or "all". `isFull`: all informative columns, notes and costs. */
export interface ShownTable {
  readonly columns?: readonly string[] | undefined
  readonly isFull: boolean
  readonly pairs?: boolean
}

/** Prints scores, recommendation and notes of a run. */
export function printTable(run: RenderedRun, options: ShownTable): void {
  const { table } = run
  const { columns, isFull, pairs = false } = options
  const manifest = columns ? withColumns(run.manifest, table, columns) : run.manifest
  const isShort = !isFull && !columns
  const conditions = isShort ? shortConditionsOf(manifest) : conditionsOf(manifest)
  print(`${pc.bold(plain(manifest.name))}\n${pc.dim(inLines(conditions))}`)
  for (const banner of isShort ? offlineBanners(manifest, table) : []) print(pc.bold(inLines(banner)))
  print('')
  if (isShort) printShort(manifest, table)
  else printFull(manifest, table, options)
  if (pairs && table.comparison) {
    print(`\n${pc.bold('Pairs')}\n${pc.dim(inLines(pairsTitle(table.comparison)))}\n`)
    print(formatTable(pairsTable(table.comparison)))
  }
}

function printShort(manifest: Manifest, table: Table): void {
  print(formatTable(shortTable(manifest, table)))
  print('')
  for (const sentence of decisionMessages(table)) print(pc.bold(inLines(sentence)))
  for (const note of shortNotes(manifest, table)) print(pc.dim(inLines(note)))
}

function printFull(manifest: Manifest, table: Table, { columns, isFull }: ShownTable): void {
  const main = mainColumn(manifest, table)
  const scores = scoreTable(manifest, table, columns)
  const omissions = printCompactTable(scores, columns, main && [main.label, correctedTitle(main)])
  const notes = isFull ? notesOf(manifest, table) : shortNotes(manifest, table, 5)
  print('')
  for (const note of [...omissions, ...notes, ...graphNotes(scores, table)]) print(pc.dim(inLines(note)))
  for (const sentence of decisionMessages(table, true)) print(`\n${pc.bold(inLines(sentence))}`)
  print(`\n${pc.bold('Cost')}\n${pc.dim(inLines(costCaption))}\n`)
  const isEveryColumn = columns?.includes(allColumns)
  for (const note of printCompactTable(costTable(manifest, table, true), isEveryColumn ? columns : undefined))
    print(`\n${pc.dim(inLines(note))}`)
}

/** Prints comparisons over several runs: ranks, and with `isFull` pairs and notes. */
export function printAcross(runs: readonly RenderedRun[], isFull: boolean): void {
  for (const { title, tables, notes } of overRuns(runs)) {
    print(`\n${pc.bold(inLines(title))}\n`)
    for (const table of isFull ? tables : tables.slice(0, 1)) print(`${formatTable(table)}\n`)
    for (const note of isFull ? notes : notes.slice(0, 1)) print(pc.dim(inLines(note)))
  }
}

/** Wraps text to the terminal; unchanged if the output is not a terminal. */
const inLines = (text: string): string =>
  process.stdout.isTTY ? wrapText(plain(text), lineWidth()).join('\n') : plain(text)

/** Prints a table, without uninformative columns unless columns are named. Returns the note on them. */
function printCompactTable(
  table: TextTable,
  columns: readonly string[] | undefined,
  permanentTitles?: readonly string[],
): readonly string[] {
  const { compact, omissions } = columns ? { compact: table, omissions: [] } : compactTable(table, permanentTitles)
  print(formatTable(compact))
  return omissionNote(omissions)
}
