import { openResults } from './results/series.ts'

/** A results folder, and what must be known of it: a line where files were changed after the run ended. */
export type OpenedRun = Awaited<ReturnType<typeof openRun>>

/** Where results folders are looked for. */
export interface ResultsPlace {
  /** Folder of all results, where a run is given by name (default: `results`). */
  readonly results?: string
}

/** Opens a results folder by its path, or its name among all results. Throws UserError. */
export async function openRun(name: string, { results: root = 'results' }: ResultsPlace) {
  const results = await openResults(name, root)
  const changedFiles = await results.changedFiles()
  const note = `${results.folder}: ${changedFiles.join(', ')} changed since the run; its numbers may differ`
  return { results, notes: changedFiles.length > 0 ? [note] : [] }
}
