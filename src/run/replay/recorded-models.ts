import { z } from 'zod'
import { mapRoles } from '../../basics/roles.ts'
import type { PlannedPlugIn } from '../../config/index.ts'
import { ModelError, UserError } from '../../errors.ts'
import { providers, type ProviderKind } from '../../models/index.ts'
import type { Manifest, ModelRecord } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { offlineModels, remainingOptions } from '../prepare/identity.ts'
import type { RecordedModels } from '../scoring/rescore.ts'

/**
 * The models of a manifest, which answer from recorded responses alone: no address, file or key of theirs is
 * used. Throws UserError where the manifest omits a value that is part of their cache keys.
 */
export function recordedModels({ models, config }: Pick<Manifest, 'models' | 'config'>): RecordedModels {
  const kinds = new Map<string, { readonly item: ProviderKind; readonly digest: string }>()
  const modelSettings = (config as { readonly models?: Readonly<Record<string, unknown>> }).models ?? {}
  const planModel = (record: ModelRecord, role: keyof typeof models): PlannedPlugIn => {
    if (record.digest !== undefined)
      throw new UserError(
        `models.${role} was named by a variable, whose value the manifest leaves out: its calls cannot be found`,
      )
    const options = Object(modelSettings[role]) as Readonly<Record<string, unknown>>
    const name = canonicalJson([record, options['maxTokens'] ?? null])
    if (!kinds.has(name)) kinds.set(name, { item: createProvider(record, options), digest: '' })
    return { use: record.provider, options: {}, record: {}, object: name }
  }
  return {
    models: mapRoles(models, planModel),
    objects: { provider: kinds },
  }
}

/** Whether an embedder counts with a local tokenizer, which recorded responses do not contain. */
export const hasLocalTokenizer = ({ provider, baseUrl }: ModelRecord): boolean =>
  baseUrl === undefined && !offlineModels.includes(provider)

/** A provider that answers from recorded responses. */
const createProvider = (
  { provider: name, model, baseUrl, parameters, readsTokens }: ModelRecord,
  { use: _use, ...options }: Readonly<Record<string, unknown>>,
): ProviderKind => ({
  name,
  summary: 'the recorded responses of a model',
  can: ['complete', 'embed', 'embedTokens', 'rerank'],
  options: z.object({}),
  open: async (_options, context) => {
    const kind = offlineModels.includes(name) ? await providers.load(name) : undefined
    // a limit in the config is part of the cache keys of longer tasks
    const { maxTokens } = options
    return {
      ...(await kind?.open(kind.options.parse(remainingOptions(kind, options)), context)),
      ...(!kind && typeof maxTokens === 'number' && { maxTokens }),
      ...(parameters['replies'] === 'option-text' && { replies: 'option-text' }),
      // recorded models load nothing
      load: async () => undefined,
      name,
      model,
      parameters,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(readsTokens !== undefined && { readsTokens }),
      complete: rejectCall,
      embed: rejectCall,
      embedTokens: rejectCall,
      rerank: rejectCall,
    }
  },
})

const missingResponse = 'this call is not among the kept ones'

const rejectCall = (): Promise<never> => Promise.reject(new ModelError('server', missingResponse))

/** Whether a failure is due to a missing recorded response. */
export const isMissingResponse = ({ message }: { readonly message: string }): boolean =>
  message.includes(missingResponse)
