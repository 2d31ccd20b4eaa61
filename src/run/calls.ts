import { join } from 'node:path'
import { exportCassette, importCassette, openCache, type Cache } from '../models/index.ts'

/** Writes every kept call to a JSONL file, sorted by key; returns their number. */
export const exportCalls = (cacheFolder: string, file: string): Promise<number> =>
  using(cacheFolder, (cache) => exportCassette(cache, file))

/** Adds the calls of such a file to the cache; what is there already is kept. */
export const importCalls = (cacheFolder: string, file: string): Promise<Awaited<ReturnType<typeof importCassette>>> =>
  using(cacheFolder, (cache) => importCassette(cache, file))

async function using<T>(cacheFolder: string, work: (cache: Cache) => Promise<T>): Promise<T> {
  const cache = await openCache(join(cacheFolder, 'calls'))
  try {
    return await work(cache)
  } finally {
    await cache.close()
  }
}
