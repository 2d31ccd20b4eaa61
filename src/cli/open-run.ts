import { openRun as opened } from '../run/open-run.ts'
import type { Results } from '../run/index.ts'
import { plain } from '../text/characters.ts'
import { printNotice } from './terminal/print.ts'

/** Opens a results folder and says which files were changed after the run. Throws UserError where it is none. */
export async function openRun(name: string, root: string): Promise<Results> {
  const { results, notes } = await opened(name, { results: root })
  printNotes(notes)
  return results
}

/** Tells a person what must be known beside what a command prints. */
export function printNotes(notes: readonly string[]): void {
  for (const note of notes) printNotice(`note: ${plain(note)}`)
}
