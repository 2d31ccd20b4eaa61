import { z } from 'zod'
import { embedder } from '../../onnx/embedder.ts'
import { defineProvider } from '../../provider.ts'

/** Sentence-BERT offline: installed weights, a generated ONNX graph, masked mean pooling in fp32. */
export const minilm = defineProvider({
  name: 'minilm',
  summary: 'all-MiniLM-L6-v2 embeddings on this computer: no key, no network, 384 dimensions.',
  can: ['embed', 'embedTokens'],
  options: z.strictObject({
    maxTokens: z
      .int()
      .min(3)
      .max(512)
      .default(256)
      .describe(
        'Number of WordPiece tokens of a text that are read, `[CLS]` and `[SEP]` included; the rest is cut off.',
      ),
    portable: z
      .boolean()
      .default(false)
      .describe(
        'Compute with WebAssembly: the same bits on every processor, 4 to 6 times slower; needs the package onnxruntime-web.',
      ),
  }),
  // texts of concurrent calls are embedded together, questions first
  concurrency: 64,
  async open({ maxTokens, portable }) {
    const { openEncoder, weightsSha256 } = await import('./encoder.ts')
    const encoder = openEncoder(portable ? 'portable' : 'native')
    return {
      name: 'minilm',
      model: 'all-MiniLM-L6-v2',
      parameters: { weights: weightsSha256, dtype: 'fp32', pooling: 'mean', maxTokens, ...(portable && { portable }) },
      batch: 64,
      ...embedder(encoder, { window: maxTokens }),
      load: () => encoder.load(),
      close: () => encoder.close(),
    }
  },
})
