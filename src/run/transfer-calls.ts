import { join } from 'node:path'
import { openCache, readCallFile, writeCallFile, type Cache } from '../models/index.ts'
import { readRecordedCalls } from './results/recorded-calls.ts'
import type { Results } from './results/results.ts'
import type { Settings } from './prepare/settings.ts'
import { inTemporaryFolder, isRegularFile } from '../basics/files.ts'

/** Exports the cached responses of `keys`. UserError where one is missing. */
export const exportCalls = (cacheFolder: string, file: string, keys: ReadonlySet<string>, warn?: Warn): Promise<void> =>
  using(cacheFolder, warn, (cache) => writeCallFile(cache, file, keys))

/** The keys of the calls that a run or series has used. */
export async function callsOf(results: Results): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (const { folder } of results.runs ?? [results]) for (const key of await readRecordedCalls(folder)) keys.add(key)
  return keys
}

/** Adds the responses of such a file to the cache; existing ones stay. */
export const importCalls = (cacheFolder: string, file: string, warn?: Warn): Promise<void> =>
  using(cacheFolder, warn, (cache) => readCallFile(cache, file))

/** How many calls a run has used, and the lines of used-calls.jsonl of those that a cache lacks. */
export async function lackingCalls(run: Results, cacheFolder: string | undefined) {
  const keys = [...(await callsOf(run))]
  const total = keys.length
  if (cacheFolder === undefined) return { total, lacking: [] }
  return using(cacheFolder, undefined, async (cache) => ({
    total,
    lacking: keys.flatMap((key, index) => (cache.get(key) ? [] : [index + 1])),
  }))
}

type Warn = Settings['warn']

async function using<T>(cacheFolder: string, warn: Warn, work: (cache: Cache) => Promise<T>): Promise<T> {
  const cache = await openCache(join(cacheFolder, 'calls'), warn)
  try {
    return await work(cache)
  } finally {
    await cache.close()
  }
}

/** The file of recorded responses in published results. */
export const callsFile = 'calls.jsonl.gz'

/**
 * Gives a cache folder with the recorded responses of a results folder to `work`: those beside its lines, or else the
 * cache that it was made with; undefined where there is neither. Throws UserError for a malformed file of calls.
 */
export async function withKeptCalls<T>(
  folder: string,
  cacheFolder: string,
  work: (cacheFolder: string | undefined) => Promise<T>,
): Promise<T> {
  const file = join(folder, callsFile)
  if (!isRegularFile(file))
    return work(isRegularFile(join(cacheFolder, 'calls', 'calls.log')) ? cacheFolder : undefined)
  return inTemporaryFolder(async (temporary) => {
    await importCalls(temporary, file)
    return work(temporary)
  })
}
