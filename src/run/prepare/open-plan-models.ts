import { join } from 'node:path'
import { mapRoles } from '../../basics/roles.ts'
import type { Plan, Planned } from '../../config/index.ts'
import {
  inMemoryCache,
  openArrayStore,
  notingCache,
  openCache,
  openModels,
  type ModelRequest,
  type OpenedModels,
} from '../../models/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import { objectOf } from '../plug-ins/extract-objects.ts'
import type { Settings } from './settings.ts'

/** Opens the models of a plan over the cache that the settings name; `close` closes both. Throws UserError. */
export async function openPlanModels(
  { models: roles, chunks, prompts }: Pick<Plan, 'models' | 'chunks' | 'prompts'>,
  { cache: onDisk, cacheFolder, signal, warn, usageLimiter, sharedCalls, onCall, objects }: Omit<Settings, 'results'>,
): Promise<{ readonly models: OpenedModels; readonly close: () => Promise<void> }> {
  const cache = onDisk ? await openCache(join(cacheFolder, 'calls'), warn, sharedCalls?.session) : inMemoryCache()
  const requestOf = ({ object, ...request }: Planned): ModelRequest =>
    object === undefined ? request : { ...request, use: objectOf(objects?.models, object).item }
  try {
    const models = await openModels(mapRoles(roles, requestOf), {
      cache: onCall ? notingCache(cache, onCall) : cache,
      tokenizer: tokenizer(chunks.tokenizer),
      templates: prompts,
      cacheFolder,
      cached: onDisk ? openArrayStore(join(cacheFolder, 'indexes'), warn) : undefined,
      warn,
      signal,
      usageLimiter,
      sharedCalls,
    })
    const close = async (): Promise<void> => {
      await models.close()
      await cache.close()
    }
    return { models, close }
  } catch (error) {
    await cache.close()
    throw error
  }
}
