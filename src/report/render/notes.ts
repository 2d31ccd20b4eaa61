import type { Manifest } from '../../records.ts'
import { plural, present } from '../../text/amounts.ts'
import type { Table } from '../table/table.ts'
import { factsOf, messagesOf, type Note, type Spread } from './rows.ts'
import { comparisonNotes } from './notes-on-comparison.ts'
import { dataNotes, incompletenessNote } from './notes-on-data.ts'
import { failureNotes as failures, rowNotes } from './notes-on-rows.ts'
import { runNotes } from './notes-on-runs.ts'
import { judgeNotes, scoreNotes } from './notes-on-scores.ts'

/** All notes in display order. To add a note, add a record to one of these lists. */
const all: readonly Note[] = [...scoreNotes, ...comparisonNotes, ...runNotes, ...dataNotes, ...rowNotes, ...judgeNotes]

/** All notes of a table. `spread`: the uncertainty printed next to means. */
export const notesOf = (manifest: Manifest, table: Table, spread: Spread = 'error') =>
  messagesOf(all, factsOf(manifest, table, spread))

/** Notes on failed trials and failed scores. */
export const failureNotes = (manifest: Manifest, table: Table) => messagesOf(failures, factsOf(manifest, table))

/** The note on missing trials or runs. */
export const incompleteNote = (manifest: Manifest, table: Table) =>
  messagesOf([incompletenessNote], factsOf(manifest, table))

/** The most important notes, and where the rest is. */
export function shortNotes(manifest: Manifest, table: Table) {
  const { notes, more } = mainNotes(manifest, table, 3)
  return present(notes, more > 0 && `${plural(more, 'more note')}: --full, table.md`)
}

/** The `most` notes with the lowest priority numbers, in display order, and a count of the rest. */
export function mainNotes(manifest: Manifest, table: Table, most: number) {
  const facts = factsOf(manifest, table)
  const entries = all.flatMap((note) =>
    messagesOf([note], facts).map((text) => ({ text, priority: note.priority ?? Infinity })),
  )
  // Infinity less Infinity is no number
  const order = entries.toSorted((a, b) => (a.priority === b.priority ? 0 : a.priority - b.priority))
  const first = order.slice(0, most)
  const notes = entries.filter((entry) => first.includes(entry)).map(({ text }) => text)
  return { notes, more: entries.length - notes.length }
}
