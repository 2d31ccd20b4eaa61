import { join } from 'node:path'
import type { Plan } from '../../config/index.ts'
import {
  beginModels,
  inMemoryCache,
  notingCache,
  openCache,
  openModels,
  type OpenedModels,
} from '../../models/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Settings } from '../settings.ts'

/** Opens the models of a plan over the cache that the settings name; `close` closes both. Throws UserError. */
export async function openPlanModels(
  { models, chunks }: Pick<Plan, 'models' | 'chunks'>,
  { cache: kept, cacheFolder, signal, warn, spending, shared, used }: Omit<Settings, 'results'>,
): Promise<{ readonly models: OpenedModels; readonly close: () => Promise<void> }> {
  const cache = kept ? await openCache(join(cacheFolder, 'calls'), warn, shared?.session) : inMemoryCache()
  try {
    await beginModels(models)
    const context = {
      cache: used ? notingCache(cache, used) : cache,
      tokenizer: tokenizer(chunks.tokenizer),
      cacheFolder,
      warn,
      signal,
      spending,
      shared,
    }
    const opened = await openModels(models, context)
    const close = async (): Promise<void> => {
      await opened.close()
      await cache.close()
    }
    return { models: opened, close }
  } catch (error) {
    await cache.close()
    throw error
  }
}
