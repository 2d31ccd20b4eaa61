import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import type { IndexLine, Manifest, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import { changedFiles } from './checksums.ts'
import { files } from './journal.ts'
import { readMeter, readScores, readTrials } from './read-lines.ts'
import { readManifest } from './read-manifest.ts'

/** A results folder, open for reading. */
export interface Results {
  readonly folder: string
  readonly manifest: Manifest
  trials(): AsyncIterable<IndexLine | TrialLine>
  scores(): AsyncIterable<ScoreLine>
  meter(): AsyncIterable<MeterLine>
  /** Names of its files that were changed after the run ended. */
  readonly changed: () => Promise<readonly string[]>
}

/** Opens a results folder, named by its path or by its name below the folder that holds the results folders. Throws UserError when it is none. */
export async function openResults(name: string, root: string): Promise<Results> {
  for (const folder of [name, join(root, name)]) {
    const manifest = await readManifest(folder)
    if (!manifest) continue
    const { trials, scores, meter } = files(folder)
    return {
      folder,
      manifest,
      trials: () => readTrials(trials),
      scores: () => readScores(scores),
      meter: () => readMeter(meter),
      changed: () => changedFiles(folder, manifest),
    }
  }
  const known = await runsIn(root)
  throw new UserError(
    `${name}: is not a results folder (it has no manifest.json)${known.length > 0 ? `; in ${root}: ${known.join(', ')}` : ''}`,
  )
}

async function runsIn(root: string): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => ((await isFile(join(root, name, 'manifest.json'))) ? [name] : [])),
  )
  return found.flat().sort()
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
