import { once } from '../basics/memoise.ts'
import { createMeter, inMemoryCache, openModels } from '../models/index.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Models } from '../types.ts'

/** Models without a network, for checks: equal at every call of `models`. */
export interface OfflineModels {
  models(): Models
  close(): Promise<void>
}

/** The provider `extractive` for tasks, embeddings by shared words; replies are kept in memory. */
export async function offlineModels(): Promise<OfflineModels> {
  const tasks = { use: 'extractive', options: {} }
  const opened = await openModels(
    { complete: tasks, judge: tasks, embed: { use: 'fake', options: {} } },
    {
      cache: inMemoryCache(),
      tokenizer: tokenizer('o200k_base'),
      cacheFolder: '',
      signal: new AbortController().signal,
    },
  )
  return {
    models: () => opened.scope({ phase: 'index', sample: 0, seed: ['check'], meter: createMeter() }),
    close: () => opened.close(),
  }
}

/** New models, alike each time, with which plug-ins are checked where a case names none. */
export const usualModels = async (): Promise<Models> => (await opened()).models()
const opened = once(offlineModels)
