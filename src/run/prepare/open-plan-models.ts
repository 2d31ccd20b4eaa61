import { join } from 'node:path'
import { mapRoles } from '../../basics/roles.ts'
import type { Plan, PlannedPlugIn } from '../../config/index.ts'
import {
  awaitRoles,
  inMemoryCache,
  openArrayStore,
  notingCache,
  openCache,
  openModels,
  type ModelRequest,
  type OpenedModels,
  type ProviderKind,
} from '../../models/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import { objectOf, withParameter, type PlugInObjects } from '../plug-ins/extract-objects.ts'
import { loadPlugIn } from '../plug-ins/import-plug-in.ts'
import { plugInId } from './identity.ts'
import type { Settings } from './settings.ts'

/** Opens the models of a plan over the cache that the settings name; `close` closes both. Throws UserError. */
export async function openPlanModels(
  { models: roles, chunks, prompts }: Pick<Plan, 'models' | 'chunks' | 'prompts'>,
  { cache: onDisk, cacheFolder, signal, warn, usageLimiter, sharedCalls, onCall, objects }: Omit<Settings, 'results'>,
): Promise<{ readonly models: OpenedModels; readonly close: () => Promise<void> }> {
  const cache = onDisk ? await openCache(join(cacheFolder, 'calls'), warn, sharedCalls?.session) : inMemoryCache()
  try {
    const requests = await awaitRoles(mapRoles(roles, (model) => modelRequest(model, objects)))
    const models = await openModels(requests, {
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

/** A model of a plan, with its provider where a file or the program defines it. Throws UserError for another file. */
export async function modelRequest(
  { use, options, record, file, object }: PlannedPlugIn,
  objects?: PlugInObjects,
): Promise<ModelRequest> {
  if (object !== undefined) return { use: objectOf(objects?.models, object).item, options, record }
  return { use: file === undefined ? use : await providerOf(file), options, record }
}

/** The provider of a file; one for each text of the file, since equal models share a client. */
async function providerOf(file: string): Promise<ProviderKind> {
  const id = await plugInId([], file)
  const key = `${file} ${id}`
  const loading =
    fileProviders.get(key) ?? loadPlugIn('provider', file).then((kind) => withParameter(kind, { file: id }))
  fileProviders.set(key, loading)
  return loading
}

const fileProviders = new Map<string, Promise<ProviderKind>>()
