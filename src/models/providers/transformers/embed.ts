import { Tensor } from '@huggingface/transformers'
import { z } from 'zod'
import { inBatches, padded, shortened, type Row } from '../shared/token-batches.ts'
import type { Provider } from '../../provider.ts'
import type { EmbedRole } from '../../../types.ts'
import type { Loaded } from './load.ts'
import type { TransformersOptions } from './options.ts'

/** What is read of the model's outputs. */
const floats = z.object({ data: z.instanceof(Float32Array), dims: z.tuple([z.int(), z.int(), z.int()]) })
const outputs = z
  .object({ last_hidden_state: floats.optional(), token_embeddings: floats.optional() })
  .transform(({ last_hidden_state, token_embeddings }) => last_hidden_state ?? token_embeddings)
  .refine((hidden) => hidden !== undefined, 'the model has no output last_hidden_state, so it cannot embed texts')

/** Embeddings of texts, queries by a model of their own or the same, and of single tokens. */
export function embedder(
  loaded: Loaded,
  query: Loaded,
  options: TransformersOptions,
): Required<Pick<Provider, 'embed' | 'embedTokens' | 'tokenIds' | 'countTokens'>> & Pick<Provider, 'readsTokens'> {
  const prefixes = { query: options.queryPrefix, document: options.documentPrefix, tokens: '' }
  const modelFor = (role: EmbedRole | 'tokens') => (role === 'query' ? query : loaded)
  const window = Math.min(loaded.window, query.window)
  const rowOf = (text: string, role: EmbedRole | 'tokens' = 'tokens') =>
    shortened(modelFor(role).tokenizer.encode(text), window)
  return {
    ...(Number.isFinite(window) && { readsTokens: window }),
    countTokens: (text, role) => modelFor(role).tokenizer.encode(prefixes[role] + text).length,
    async embed(texts, role, signal) {
      const rows = texts.map((text) => rowOf(prefixes[role] + text, role))
      const vectors = await inBatches(rows, async (batch) => {
        signal.throwIfAborted()
        return (await tokenVectors(modelFor(role), batch)).map((tokens) => pooled(tokens, options.pooling))
      })
      return { vectors, tokens: rows.reduce((sum, row) => sum + row.length, 0) }
    },
    async embedTokens(text) {
      const row = rowOf(text)
      const [vectors = []] = await tokenVectors(loaded, [row])
      return { vectors, tokens: row.length }
    },
    tokenIds: (text) => rowOf(text),
  }
}

/** The last layer's vectors of every row's tokens, without padding. */
async function tokenVectors({ model, tokenizer }: Loaded, rows: readonly Row[]): Promise<readonly Float32Array[][]> {
  const { ids, mask, length } = padded(rows, tokenizer.pad_token_id)
  const tensor = (data: BigInt64Array) => new Tensor('int64', data, [rows.length, length])
  const hidden = outputs.parse(await model({ input_ids: tensor(ids), attention_mask: tensor(mask) }))
  const width = hidden.dims[2]
  return rows.map((row, index) =>
    row.map((_, token) => {
      const start = (index * length + token) * width
      return hidden.data.slice(start, start + width)
    }),
  )
}

/** One vector of length one for a text, from the vectors of its tokens; sums in 64 bits. */
export function pooled(tokens: readonly Float32Array[], pooling: TransformersOptions['pooling']): Float32Array {
  switch (pooling) {
    case 'mean':
      return unit(sum(tokens))
    case 'cls':
      return unit(sum(tokens.slice(0, 1)))
    case 'last':
      return unit(sum(tokens.slice(-1)))
  }
}

/** A sum points where the mean points. */
function sum(vectors: readonly Float32Array[]): Float64Array {
  const total = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) vector.forEach((value, axis) => (total[axis] = (total[axis] ?? 0) + value))
  return total
}

/** Zero stays zero. */
function unit(vector: Float64Array): Float32Array {
  const length = Math.sqrt(vector.reduce((squares, value) => squares + value * value, 0))
  return Float32Array.from(vector, (value) => (length > 0 ? value / length : value))
}
