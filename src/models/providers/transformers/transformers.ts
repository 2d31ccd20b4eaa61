import { defineProvider } from './provider.ts'
import { transformersOptions, type TransformersOptions } from './transformers/options.ts'

/** ONNX models of the Hugging Face hub on this computer, by Transformers.js: embeddings, and small language models. */
export const transformers = defineProvider<TransformersOptions>({
  name: 'transformers',
  summary:
    'ONNX models from a folder or the Hugging Face hub, run on this computer: embeddings, T5 and UnifiedQA, small chat models.',
  can: ['complete', 'embed', 'embedTokens'],
  options: transformersOptions,
  async open(options, { cacheFolder }) {
    const { load } = await import('./transformers/load.ts')
    const { embedder } = await import('./transformers/embed.ts')
    const { completer } = await import('./transformers/complete.ts')
    const loaded = await load(options, cacheFolder)
    const { job, model, window } = loaded
    const embeds = job === 'feature-extraction'
    const { dtype, pooling, queryPrefix, documentPrefix, format, maxTokens } = options
    return {
      name: 'transformers',
      model: options.model,
      parameters: {
        task: job,
        dtype,
        window: Number.isFinite(window) ? window : null,
        ...(embeds ? { pooling, queryPrefix, documentPrefix } : { format, maxTokens }),
      },
      ...(embeds ? { batch: 256, ...embedder(loaded, options) } : { complete: completer(loaded, options) }),
      async close() {
        await model.dispose()
      },
    }
  },
})
