import { z } from 'zod'
import { itemOf } from '../../basics/loading.ts'
import { mapRoles } from '../../basics/roles.ts'
import type { Plan, PlannedPlugIn } from '../../config/index.ts'
import { providers, type OpenContext, type Provider, type ProviderKind } from '../../models/index.ts'
import { bagOfWords } from '../../models/providers/fake.ts'
import type { Manifest, ModelRecord } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { words } from '../../text/words.ts'
import type { PlugInObjects } from '../plug-ins/extract-objects.ts'

/** Models that a dry run calls as they are: they compute by rules on this computer. */
const ruleBasedProviders = ['extractive', 'fake']

/** Vector dimensions where no file of a method needs another number. */
const usualDimensions = 256

/** A reply to a task that the rule-based provider does not know, and that has no offline stand-in. */
const unknownReply = 'A reply of one sentence.'

/**
 * The models of a plan, replaced: replies are those of the rule-based provider and count as many tokens as their task
 * declares; vectors are counts of words. `records` are the real models.
 */
export function standIns(
  models: Plan['models'],
  records: Manifest['models'],
  dimensions = usualDimensions,
): { readonly models: Plan['models']; readonly objects: NonNullable<PlugInObjects['provider']> } {
  const objects = new Map<string, { readonly item: ProviderKind; readonly digest: string }>()
  const standInFor = (model: PlannedPlugIn, role: keyof Manifest['models']): PlannedPlugIn => {
    if (model.object === undefined && ruleBasedProviders.includes(model.use)) return model
    const record = records[role] ?? records.complete
    const { maxTokens = Infinity } = Object(model.options) as { readonly maxTokens?: number }
    const object = canonicalJson([record, maxTokens === Infinity ? null : maxTokens])
    objects.set(object, { item: standInOf(record, maxTokens, dimensions), digest: '' })
    return { use: record.provider, options: {}, record: {}, object }
  }
  return { models: mapRoles(models, standInFor), objects }
}

function standInOf(record: ModelRecord, longest: number, dimensions: number): ProviderKind {
  const { provider: name, model, parameters, readsTokens } = record
  return {
    name,
    summary: 'stands in for a model in a dry run',
    can: ['complete', 'embed', 'embedTokens', 'rerank'],
    options: z.object({}),
    async open(_options, context) {
      const byRules = await openProvider('extractive', {}, context)
      const byWords = await openProvider('fake', {}, context)
      return {
        ...byWords,
        name,
        model,
        parameters,
        async embed(texts) {
          const vectors = texts.map((text) => bagOfWords(contentWords(text), dimensions))
          return { vectors }
        },
        ...(readsTokens !== undefined && { readsTokens }),
        async complete(request, signal) {
          const { standIn, replyTokens, prompt } = request
          const reply = standIn ? await byRules.complete?.(request, signal) : undefined
          const { text } = reply ?? { text: unknownReply }
          const most = Math.min(longest, prompt.maxTokens ?? Infinity)
          return {
            text,
            finish: 'stop',
            ...(replyTokens !== undefined && { completionTokens: Math.min(most, Math.round(replyTokens)) }),
          }
        },
      }
    },
  }
}

function contentWords(text: string): readonly string[] {
  const all = words(text)
  const longer = all.filter((word) => word.length > 4)
  return longer.length > 0 ? longer : all
}

async function openProvider(name: string, options: object, context: OpenContext): Promise<Provider> {
  const kind = await itemOf(providers, name)
  return kind.open(kind.options.parse(options), context)
}
