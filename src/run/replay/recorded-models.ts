import { z } from 'zod'
import { mapRoles, type ModelRole } from '../../basics/roles.ts'
import type { PlannedPlugIn } from '../../config/index.ts'
import { ModelError, UserError } from '../../errors.ts'
import { providers, type ProviderKind } from '../../models/index.ts'
import type { Manifest, ModelRecord } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { offlineModels, remainingOptions } from '../prepare/identity.ts'
import type { RecordedModels } from '../scoring/rescore.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * The models of a manifest, which answer from recorded responses alone: no address, file or key of theirs is
 * used. Throws UserError where the manifest omits a value that is part of their cache keys.
 */
export function recordedModels({ models, config }: Pick<Manifest, 'models' | 'config'>): RecordedModels {
  const provider = new Map<string, { readonly item: ProviderKind; readonly digest: string }>()
  const settings = Object(config['models']) as Options
  const planModel = (record: ModelRecord, role: ModelRole): PlannedPlugIn => {
    if (record.digest !== undefined)
      throw new UserError(
        `models.${role} was named by a variable, whose value the manifest leaves out: its calls cannot be found`,
      )
    const options = Object(settings[role]) as Options
    const object = canonicalJson([record, options['maxTokens'] ?? null])
    provider.set(object, { item: recordedProvider(record, options), digest: '' })
    return { use: record.provider, options: {}, record: {}, object }
  }
  return { models: mapRoles(models, planModel), objects: { provider } }
}

const recordedProvider = (
  { provider: name, model, baseUrl, parameters, readsTokens }: ModelRecord,
  { use: _use, ...options }: Options,
): ProviderKind => ({
  name,
  summary: 'the recorded responses of a model',
  can: ['complete', 'embed', 'embedTokens', 'rerank'],
  options: z.object({}),
  open: async (_options, context) => {
    const kind = offlineModels.includes(name) ? await providers.load(name) : undefined
    // a limit in the config is part of the cache keys of longer tasks
    const { maxTokens } = options
    const reject = () => Promise.reject(new ModelError('server', missingResponse))
    return {
      ...(await kind?.open(kind.options.parse(remainingOptions(kind, options)), context)),
      ...(!kind && typeof maxTokens === 'number' && { maxTokens }),
      ...(parameters['replies'] === 'option-text' && { replies: 'option-text' }),
      name,
      model,
      parameters,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(readsTokens !== undefined && { readsTokens }),
      load: async () => undefined,
      complete: reject,
      embed: reject,
      embedTokens: reject,
      rerank: reject,
    }
  },
})

/** The message of a failure for want of a recorded response. */
export const missingResponse = 'this call is not among the kept ones'
