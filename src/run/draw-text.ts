import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { configSchema, defaultModels } from '../config/schema.ts'
import { messageOf, UserError } from '../errors.ts'
import { methods } from '../methods/index.ts'
import { memoryCache, openCache, openModels } from '../models/index.ts'
import { unknownName } from '../text/nearest.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Corpus, Drawing } from '../types.ts'
import { drawCorpus, type DrawnMethod, type Sketch } from './draw.ts'
import type { Settings } from './prepare.ts'

/** Draws a text file as a corpus of one document, without a config: its defaults, and gem-rag where no method is named. Throws UserError and ModelError. */
export async function drawText(file: string, { method, ask }: Sketch, settings: Settings): Promise<Drawing> {
  const contestant = withDefaults(method ?? 'gem-rag')
  const corpus = await corpusOf(file)
  const { chunks, budget, seed } = configSchema.parse({
    name: 'text',
    dataset: 'text',
    methods: [contestant.row.method],
  })
  const { cacheFolder, signal } = settings
  const cache = settings.cache ? await openCache(join(cacheFolder, 'calls')) : memoryCache()
  const complete = { use: defaultModels.complete, options: {} }
  const embed = { use: defaultModels.embed, options: {} }
  try {
    const words = tokenizer(chunks.tokenizer)
    const models = await openModels(
      { complete, embed, judge: complete },
      { cache, tokenizer: words, cacheFolder, signal },
    )
    try {
      return await drawCorpus(corpus, [contestant], ask, { models, chunks, budget, seed })
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

function withDefaults(name: string): DrawnMethod {
  const method = methods.find((one) => one.name === name)
  const known = methods.map((one) => one.name)
  if (!method) throw new UserError(unknownName('method', name, known))
  return { row: { method: name, variant: '' }, method, options: method.options.parse({}) }
}
