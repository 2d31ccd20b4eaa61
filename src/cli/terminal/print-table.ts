import pc from 'picocolors'
import { costCaption } from '../../text/amounts.ts'
import { allColumns, withColumns } from '../../report/render/columns.ts'
import { decisionWords, pairsGrid, pairsTitle } from '../../report/render/decision.ts'
import { overRuns, type RenderedRun } from '../../report/render/formats.ts'
import { notesOnShown } from '../../report/render/graph-health.ts'
import { costGrid, scoreGrid } from '../../report/render/grid.ts'
import { correctedTitle, mainColumn } from '../../report/render/score-columns.ts'
import { leanGrid, leftOutNote, type Grid } from '../../report/render/text-grid.ts'
import { notesOf, shortNotes } from '../../report/render/notes.ts'
import { conditionsOf } from '../../report/render/conditions.ts'
import { plain } from '../../text/characters.ts'
import { lineWidth, wrapped } from './columns.ts'
import { print } from './print.ts'
import { terminalGrid } from './terminal-grid.ts'

/** `columns`: those that are shown, "all" for all; where none are named, those that tell something. */
export interface ShownTable {
  readonly columns?: readonly string[] | undefined
  readonly allNotes: boolean
  readonly pairs?: boolean
}

/** Prints the table of a run for a person: scores, notes, which row to take, and what the rows cost. */
export function printTable(
  { manifest: made, table }: RenderedRun,
  { columns, allNotes, pairs = false }: ShownTable,
): void {
  const manifest = columns ? withColumns(made, table, columns) : made
  const main = mainColumn(manifest, table)
  print(`${pc.bold(plain(manifest.name))}\n${pc.dim(inLines(conditionsOf(manifest)))}\n`)
  const scores = scoreGrid(manifest, table, columns)
  const left = printGrid(scores, columns, main && [main.label, correctedTitle(main)])
  print('')
  const notes = [...left, ...(allNotes ? notesOf : shortNotes)(manifest, table), ...notesOnShown(scores, table)]
  for (const note of notes) print(pc.dim(inLines(note)))
  for (const sentence of decisionWords(table, true)) print(`\n${pc.bold(inLines(sentence))}`)
  if (pairs && table.comparison) {
    print(`\n${pc.bold('Pairs')}\n${pc.dim(inLines(pairsTitle(table.comparison)))}\n`)
    print(terminalGrid(pairsGrid(table.comparison)))
  }
  print(`\n${pc.bold('Cost')}\n${pc.dim(inLines(costCaption))}\n`)
  for (const note of printGrid(costGrid(manifest, table, true), columns?.includes(allColumns) ? columns : undefined))
    print(`\n${pc.dim(inLines(note))}`)
}

/** Prints what holds over several runs: ranks and pairs. */
export function printAcross(runs: readonly RenderedRun[]): void {
  for (const { title, grids, notes } of overRuns(runs)) {
    print(`\n${pc.bold(inLines(title))}\n`)
    for (const grid of grids) print(`${terminalGrid(grid)}\n`)
    for (const note of notes) print(pc.dim(inLines(note)))
  }
}

/** A text in lines of the terminal, broken at spaces; as it is where there is none. */
const inLines = (text: string): string =>
  process.stdout.isTTY ? wrapped(plain(text), lineWidth()).join('\n') : plain(text)

/** Prints a grid, without the columns that tell nothing where none are named, and gives the note on these. */
function printGrid(grid: Grid, columns: readonly string[] | undefined, stay?: readonly string[]): readonly string[] {
  const lean = columns ? { grid, left: [] } : leanGrid(grid, stay)
  print(terminalGrid(lean.grid))
  return leftOutNote(lean.left)
}
