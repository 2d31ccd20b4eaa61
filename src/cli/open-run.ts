import { openRun as opened } from '../run/open-run.ts'
import type { Results } from '../run/index.ts'
import { plain } from '../text/characters.ts'
import { printNotice } from './terminal/print.ts'

/** Opens a results folder and notes files changed after the run. Throws UserError for any other folder. */
export async function openRun(name: string, root: string): Promise<Results> {
  const { results, notes } = await opened(name, { results: root })
  printNotes(notes)
  return results
}

/** Prints notes on standard error. */
export function printNotes(notes: readonly string[]): void {
  for (const note of notes) printNotice(`note: ${plain(note)}`)
}
