import type { IndexLine, Manifest, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import { changedFiles } from './checksums.ts'
import { files } from './journal.ts'
import { readMeter, readScores, readTrials } from './read-lines.ts'
import { readManifest } from './read-manifest.ts'

/** A results folder, open for reading: of a run, or of a series of runs that share a table. */
export interface Results {
  readonly folder: string
  readonly manifest: Manifest
  /** Of a series: its runs, each for itself. */
  readonly runs?: readonly Results[]
  trials(): AsyncIterable<IndexLine | TrialLine>
  scores(): AsyncIterable<ScoreLine>
  meter(): AsyncIterable<MeterLine>
  /** Names of its files that were changed after the run ended. */
  readonly changed: () => Promise<readonly string[]>
}

/** Opens the results folder of one run; undefined where the folder is none. Throws UserError for a manifest that cannot be read. */
export async function openRunFolder(folder: string): Promise<Results | undefined> {
  const manifest = await readManifest(folder)
  if (!manifest) return undefined
  const { scores, meter } = files(folder)
  return {
    folder,
    manifest,
    trials: () => readTrials(folder),
    scores: () => readScores(scores),
    meter: () => readMeter(meter),
    changed: () => changedFiles(folder, manifest),
  }
}
