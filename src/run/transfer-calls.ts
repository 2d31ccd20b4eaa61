import { join } from 'node:path'
import { exportCassette, importCassette, openCache, type Cache } from '../models/index.ts'
import type { Settings } from './settings.ts'

/** Writes every kept call to a JSONL file, sorted by key; returns their number. */
export const exportCalls = (cacheFolder: string, file: string, warn?: Warn): Promise<number> =>
  using(cacheFolder, warn, (cache) => exportCassette(cache, file))

/** Adds the calls of such a file to the cache; what is there already is kept. */
export const importCalls = (
  cacheFolder: string,
  file: string,
  warn?: Warn,
): Promise<Awaited<ReturnType<typeof importCassette>>> =>
  using(cacheFolder, warn, (cache) => importCassette(cache, file))

type Warn = Settings['warn']

async function using<T>(cacheFolder: string, warn: Warn, work: (cache: Cache) => Promise<T>): Promise<T> {
  const cache = await openCache(join(cacheFolder, 'calls'), warn)
  try {
    return await work(cache)
  } finally {
    await cache.close()
  }
}
