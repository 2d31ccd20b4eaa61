import { loadOptional } from '../../../basics/loading.ts'
import { UserError } from '../../../errors.ts'
import { embedder } from '../../onnx/embedder.ts'
import { defineProvider, usualReply } from '../../provider.ts'
import { transformersOptions } from './options.ts'

/** ONNX models by Transformers.js: embedders, cross-encoders, small language models. */
export const transformers = defineProvider({
  name: 'transformers',
  summary:
    'ONNX models from a folder or the Hugging Face hub, run on this computer: embeddings, T5 and UnifiedQA, small chat models, cross-encoders; needs the package @huggingface/transformers.',
  can: ['complete', 'embed', 'embedTokens', 'rerank'],
  options: transformersOptions,
  // one call uses every core
  concurrency: 1,
  async open(options, { cacheFolder }) {
    await requirePackage()
    const { completer, encoderOf, openModel } = await import('./load.ts')
    const documentModel = await openModel(options, cacheFolder)
    const { job, window } = documentModel
    const embeds = job === 'feature-extraction'
    const { crossEncoder } = await import('./cross-encoder.ts')
    const { queryModel } = options
    const query =
      queryModel === undefined ? documentModel : await openModel({ ...options, model: queryModel }, cacheFolder)
    if (query !== documentModel && !(embeds && query.job === job))
      throw new UserError(
        `transformers: queryModel requires two models that embed; ${embeds ? queryModel : options.model} does not`,
      )
    const models = new Set([documentModel, query])
    const { dtype, pooling, queryPrefix, documentPrefix, format, maxTokens } = options
    // UnifiedQA replies with an option's text
    const replies = !embeds && format === 'unifiedqa' ? ({ replies: 'option-text' } as const) : {}
    const embedding = () =>
      embedder(encoderOf(documentModel, pooling), {
        window: Math.min(window, query.window),
        prefixes: { query: queryPrefix, document: documentPrefix },
        ...(query !== documentModel && { query: encoderOf(query, pooling) }),
      })
    return {
      name: 'transformers',
      model: options.model,
      parameters: {
        task: job,
        dtype,
        window: Number.isFinite(window) ? window : null,
        ...(embeds
          ? { pooling, queryPrefix, documentPrefix, ...(queryModel !== undefined && { queryModel }) }
          : job === 'text-classification'
            ? {}
            : { format, maxTokens: maxTokens ?? usualReply, ...replies }),
      },
      ...(maxTokens !== undefined && { maxTokens }),
      ...replies,
      ...(embeds
        ? { batch: 256, ...embedding() }
        : job === 'text-classification'
          ? { rerank: crossEncoder(documentModel) }
          : { complete: completer(documentModel, options) }),
      load: () => Promise.all([...models].map((model) => model.load())),
      async close() {
        await Promise.all([...models].map((model) => model.close()))
      },
    }
  },
})

/** Throws UserError with the install command of the package (190 MB) if it cannot be loaded. */
export const requirePackage = async (name?: string): Promise<void> => {
  await loadOptional({ kind: 'transformers', package: '@huggingface/transformers', version: '4.3.1' }, name)
}
