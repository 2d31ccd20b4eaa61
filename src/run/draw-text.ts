import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readForText, type PlannedMethod, type ReadSettings } from '../config/index.ts'
import { messageOf, UserError } from '../errors.ts'
import { methods } from '../methods/index.ts'
import { memoryCache, openCache, openModels } from '../models/index.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Corpus, Drawing } from '../types.ts'
import { drawCorpus, type DrawnMethod, type Sketch } from './draw.ts'
import { menus } from './menus.ts'
import { loadPlugIn } from './plug-in.ts'
import type { Settings } from './prepare.ts'

/** Draws a text file as a corpus of one document, without a config: its defaults changed by `--set`, and gem-rag where no method is named. Throws UserError and ModelError. */
export async function drawText(
  file: string,
  { method = 'gem-rag', ask }: Sketch,
  settings: Settings & ReadSettings,
): Promise<Drawing> {
  const plan = await readForText(method, settings, menus)
  const corpus = await corpusOf(file)
  const contestants = await Promise.all(plan.methods.map(contestantOf))
  const { cacheFolder, signal } = settings
  const cache = settings.cache ? await openCache(join(cacheFolder, 'calls')) : memoryCache()
  try {
    const words = tokenizer(plan.chunks.tokenizer)
    const models = await openModels(plan.models, { cache, tokenizer: words, cacheFolder, signal })
    try {
      return await drawCorpus(corpus, contestants, ask, { ...plan, models })
    } finally {
      await models.close()
    }
  } finally {
    await cache.close()
  }
}

async function corpusOf(file: string): Promise<Corpus> {
  const text = await read(file)
  if (text.trim() === '') throw new UserError(`${file}: holds no text, so there is nothing to draw`)
  const id = basename(file)
  return { id, documents: [{ id, text }], questions: [] }
}

async function read(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (error) {
    throw new UserError(`${file}: cannot be read as UTF-8 text (${messageOf(error)})`, { cause: error })
  }
}

async function contestantOf({ label, variant, use, options, file }: PlannedMethod): Promise<DrawnMethod> {
  const method = file === undefined ? methods.find(({ name }) => name === use) : await loadPlugIn('method', file)
  if (!method) throw new Error(`the method "${use}" was on the menu a moment ago`)
  return { row: { method: label, variant }, method, options }
}
