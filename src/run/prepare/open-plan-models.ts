import { join } from 'node:path'
import type { Plan, Planned } from '../../config/index.ts'
import {
  inMemoryCache,
  notingCache,
  openCache,
  openModels,
  type ModelRequest,
  type OpenedModels,
} from '../../models/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import { objectNamed } from '../plug-ins/take-objects.ts'
import type { Settings } from '../settings.ts'

/** Opens the models of a plan over the cache that the settings name; `close` closes both. Throws UserError. */
export async function openPlanModels(
  { models, chunks, prompts }: Pick<Plan, 'models' | 'chunks' | 'prompts'>,
  { cache: kept, cacheFolder, signal, warn, spending, shared, used, objects }: Omit<Settings, 'results'>,
): Promise<{ readonly models: OpenedModels; readonly close: () => Promise<void> }> {
  const cache = kept ? await openCache(join(cacheFolder, 'calls'), warn, shared?.session) : inMemoryCache()
  const requestOf = ({ object, ...planned }: Planned): ModelRequest =>
    object === undefined ? planned : { ...planned, use: objectNamed(objects?.models, object).item }
  const requests = {
    ...{ complete: requestOf(models.complete), embed: requestOf(models.embed), judge: requestOf(models.judge) },
    ...(models.answer && { answer: requestOf(models.answer) }),
  }
  try {
    const context = {
      cache: used ? notingCache(cache, used) : cache,
      tokenizer: tokenizer(chunks.tokenizer),
      templates: prompts,
      cacheFolder,
      warn,
      signal,
      spending,
      shared,
    }
    const opened = await openModels(requests, context)
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
