import { openResults } from './results/series.ts'

/** A results folder, and what must be known of it: a line where files were changed after the run ended. */
export type OpenedRun = Awaited<ReturnType<typeof openRun>>

/** Where results folders are looked for. */
export interface ResultsPlace {
  /** Folder of all results, where a run is given by name (default: `results`). */
  readonly results?: string
  /** Told at once, in a line, what must be known of a folder; the result has it among its notes. */
  readonly warn?: (line: string) => void
}

/** Opens a results folder by its path, or by its name among all results. Throws UserError for another folder. */
export async function openRun(name: string, { results: root = 'results', warn }: ResultsPlace) {
  const results = await openResults(name, root)
  const changedFiles = await results.changedFiles()
  if (changedFiles.length === 0) return { results, notes: [] }
  const note = `${results.folder}: ${changedFiles.join(', ')} changed since the run; its numbers may differ`
  warn?.(note)
  return { results, notes: [note] }
}
