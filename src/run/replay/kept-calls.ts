import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRegularFile } from '../../basics/files.ts'
import { importCalls } from '../transfer-calls.ts'

/** The file of kept calls beside published results, as `gembench cache export --run` writes it. */
export const callsFile = 'calls.jsonl.gz'

/** The names that such a file may have. */
export const callsFiles = [callsFile, 'calls.jsonl'] as const

/** The file of calls in a results folder, packed or not; undefined where there is none. */
export const callsIn = (folder: string): string | undefined =>
  callsFiles.map((name) => join(folder, name)).find(isRegularFile)

/**
 * Gives a cache folder with the kept calls of a results folder to `work`: those beside its lines alone, or else those
 * of the cache that it was made with; undefined where there is neither. Throws UserError for a malformed file of calls.
 */
export async function withKeptCalls<T>(
  folder: string,
  cacheFolder: string,
  work: (cacheFolder: string | undefined) => Promise<T>,
): Promise<T> {
  const file = callsIn(folder)
  if (file === undefined) return work(isRegularFile(join(cacheFolder, 'calls', 'calls.log')) ? cacheFolder : undefined)
  const own = await mkdtemp(join(tmpdir(), 'gembench-calls-'))
  try {
    await importCalls(own, file)
    return await work(own)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
