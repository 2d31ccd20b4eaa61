import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fromBytes, openCache } from '../../models/index.ts'
import type { Settings } from '../settings.ts'
import type { Connection } from './connect-redis.ts'
import { keysOf } from './keys.ts'

const everyMs = 500
const most = 500

/** Puts the calls that a run makes or finds in Redis into the call cache of this computer, as they come; the returned function waits for the last ones and ends it. */
export async function copyCalls(
  { redis, asked }: Connection,
  run: string,
  prefix: string,
  { cacheFolder, warn, signal, used }: Settings,
): Promise<() => Promise<void>> {
  const cache = await openCache(join(cacheFolder, 'calls'), warn, run)
  const copyAll = async (): Promise<void> => {
    for (;;) {
      const keys = (await redis.lpop(keysOf(run).made, most)) ?? []
      if (keys.length === 0) return
      const found = await redis.mgetBuffer(keys.map((key) => `${prefix}${key}`))
      for (const [index, key] of keys.entries()) {
        const bytes = found[index]
        if (!bytes) continue
        used?.(key)
        if (!cache.get(key)) cache.put(key, fromBytes(bytes).entry)
      }
    }
  }
  const end = new AbortController()
  const stop = AbortSignal.any([signal, end.signal])
  const copying = (async () => {
    while (!stop.aborted) {
      await copyAll()
      await sleep(everyMs, undefined, { signal: stop }).catch(() => undefined)
    }
  })()
  // a Redis that is lost ends the run elsewhere
  copying.catch(() => undefined)
  return async () => {
    end.abort()
    try {
      await copying
      await asked(copyAll())
    } finally {
      await cache.close()
    }
  }
}
