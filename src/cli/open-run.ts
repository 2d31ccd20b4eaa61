import { openRun as opened } from '../run/open-run.ts'
import type { Results } from '../run/index.ts'
import { plain } from '../text/characters.ts'
import { printNotice } from './terminal/print.ts'

/** Opens a results folder and notes files changed after the run. Throws UserError for any other folder. */
export const openRun = async (name: string, results: string): Promise<Results> =>
  (await opened(name, { results, warn: printNote })).results

/** Prints a note on standard error. */
export const printNote = (note: string): void => printNotice(`note: ${plain(note)}`)
