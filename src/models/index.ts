import { UserError } from '../errors.ts'
import { unknownName } from '../text/nearest.ts'
import { extractive } from './extractive.ts'
import { fake } from './fake.ts'
import { gguf } from './gguf.ts'
import { minilm } from './minilm.ts'
import { openChosen, type ByRole, type Choice, type ModelRole, type ModelsContext, type OpenedModels } from './open.ts'
import { openai } from './openai.ts'
import type { ProviderKind } from './provider.ts'
import { transformers } from './transformers.ts'

export { memoryCache, openCache, type Cache } from './cache.ts'
export { exportCassette, importCassette } from './cassette.ts'
export { createMeter, type Meter, type PhaseUsage } from './meter.ts'
export type { Scope } from './models.ts'
export type { ModelRole, ModelsContext, OpenedModels } from './open.ts'

/** Every kind of model that a config can name. Kinds are light; what is heavy is loaded when one is opened. */
export const providers: readonly ProviderKind[] = [openai, minilm, transformers, gguf, extractive, fake]

/** A kind of model, by its name in the menu or itself, and its options: as written, or parsed already. */
export interface ModelChoice {
  readonly use: string | ProviderKind
  readonly options: unknown
}

/** Opens the models of a run; nothing is asked yet. Equal choices are opened once and share one limit. Throws UserError for what is wrong with a choice. */
export async function openModels(choices: ByRole<ModelChoice>, context: ModelsContext): Promise<OpenedModels> {
  const parse = (role: ModelRole, { use, options }: ModelChoice): Choice => {
    const kind = typeof use === 'string' ? kindNamed(use, role) : use
    const parsed = kind.options.safeParse(options)
    if (parsed.success) return { kind, options: parsed.data }
    const [issue] = parsed.error.issues
    const place = ['models', role, ...(issue?.path ?? [])].join('.')
    throw new UserError(`${place}: ${issue?.message ?? 'not valid'}`)
  }
  const { complete, answer, embed, judge } = choices
  const parsed = {
    complete: parse('complete', complete),
    ...(answer && { answer: parse('answer', answer) }),
    embed: parse('embed', embed),
    judge: parse('judge', judge),
  }
  return openChosen(parsed, context)
}

function kindNamed(name: string, role: ModelRole): ProviderKind {
  const kind = providers.find((provider) => provider.name === name)
  if (kind) return kind
  const known = providers.map((provider) => provider.name)
  throw new UserError(`models.${role}: ${unknownName('model', name, known)}`)
}
