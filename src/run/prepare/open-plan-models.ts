import { join } from 'node:path'
import { memoise } from '../../basics/memoise.ts'
import { mapRoles } from '../../basics/roles.ts'
import type { Plan, PlannedPlugIn } from '../../config/index.ts'
import { awaitRoles, inMemoryCache, notingCache, openCache, openModels, type ModelRequest } from '../../models/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import { withParameter, type PlugInObjects } from '../plug-ins/extract-objects.ts'
import { findPlugIn } from '../plug-ins/registries.ts'
import { loadPlugIn } from '../plug-ins/import-plug-in.ts'
import { plugInId } from './identity.ts'
import type { Settings } from './settings.ts'

/** Opens the models of a plan over the cache that the settings name; `close` closes both. Throws UserError. */
export async function openPlanModels(
  { models: roles, chunks, prompts }: Pick<Plan, 'models' | 'chunks' | 'prompts'>,
  { cache: onDisk, cacheFolder, signal, warn, usageLimiter, sharedCalls, onCall, objects }: Omit<Settings, 'results'>,
) {
  const cache = onDisk ? await openCache(join(cacheFolder, 'calls'), warn, sharedCalls?.session) : inMemoryCache()
  try {
    const requests = await awaitRoles(mapRoles(roles, (model) => modelRequest(model, objects)))
    const models = await openModels(requests, {
      cache: onCall ? notingCache(cache, onCall) : cache,
      tokenizer: tokenizer(chunks.tokenizer),
      templates: prompts,
      cacheFolder,
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

/** A model of a plan, with its provider where a file or the program defines it. Throws UserError. */
export async function modelRequest(plan: PlannedPlugIn, objects?: PlugInObjects): Promise<ModelRequest> {
  const { use, options, record, file, object } = plan
  if (file !== undefined) return { use: await providerOf(file)(await plugInId([], file)), options, record }
  return { use: object === undefined ? use : (await findPlugIn('provider', plan, objects)).item, options, record }
}

/** The provider of a file with a text of that id: equal models share it, and so a client. */
const providerOf = memoise((file: string) =>
  memoise(async (id: string) => withParameter(await loadPlugIn('provider', file), { file: id })),
)
