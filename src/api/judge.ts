import { UserError } from '../errors.ts'
import { createMeter, inMemoryCache, openModels, type ModelRequest, type PhaseUsage } from '../models/index.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Models } from '../types.ts'
import type { ModelSetting } from './config.ts'

/** The models that scorers ask: `judge` runs tasks, `embed` embeds texts. */
export interface JudgeSettings {
  readonly judge?: ModelSetting
  readonly embed?: ModelSetting
  /** Where built models may be kept (default: `.cache`). */
  readonly cacheFolder?: string
  readonly signal?: AbortSignal
}

/** Opened models for many scorings. */
export interface Judge {
  readonly models: Models
  /** What was spent so far. */
  usage(): PhaseUsage
  close(): Promise<void>
}

export async function openJudge({ judge, embed, cacheFolder = '.cache', signal }: JudgeSettings): Promise<Judge> {
  // a role that is not named is never asked: `guarded` refuses it
  const unnamed = { use: 'fake', options: {} }
  const asked = judge === undefined ? unnamed : requestOf(judge)
  const opened = await openModels(
    { complete: asked, judge: asked, embed: embed === undefined ? unnamed : requestOf(embed) },
    {
      cache: inMemoryCache(),
      tokenizer: tokenizer('o200k_base'),
      cacheFolder,
      signal: signal ?? new AbortController().signal,
    },
  )
  const meter = createMeter()
  const models = opened.scope({ phase: 'judge', sample: 0, seed: ['score'], meter })
  return {
    models: guarded(models, { judge: judge !== undefined, embed: embed !== undefined }),
    usage: () => meter.spent('judge'),
    close: () => opened.close(),
  }
}

function requestOf(setting: ModelSetting): ModelRequest {
  if (typeof setting === 'string' || !('use' in setting)) return { use: setting, options: {} }
  const { use, ...options } = setting
  return { use, options }
}

function guarded(models: Models, named: { readonly judge: boolean; readonly embed: boolean }): Models {
  const refuse = (role: 'judge' | 'embed', what: string) =>
    new UserError(`${what} needs a model: give models.${role}, such as { models: { ${role}: '${examples[role]}' } }`)
  return {
    ...models,
    async run(task, input) {
      if (!named.judge) throw refuse('judge', `the task "${task.name}"`)
      return models.run(task, input)
    },
    async embed(texts, role) {
      if (!named.embed) throw refuse('embed', 'embedding texts')
      return models.embed(texts, role)
    },
    async embedTokens(text, layer) {
      if (!named.embed) throw refuse('embed', 'embedding texts')
      return models.embedTokens(text, layer)
    },
    tokenIds(text) {
      if (!named.embed) throw refuse('embed', 'embedding texts')
      return models.tokenIds(text)
    },
  }
}

const examples = { judge: 'extractive', embed: 'minilm' } as const
