import { Tensor } from '@huggingface/transformers'
import { z } from 'zod'
import { type Encoder, padded, type Row } from '../../onnx/embedder.ts'
import type { Loaded } from './load.ts'
import type { TransformersOptions } from './options.ts'

/** What is read of the model's outputs. */
const floats = z.object({ data: z.instanceof(Float32Array), dims: z.tuple([z.int(), z.int(), z.int()]) })
const outputs = z
  .object({ last_hidden_state: floats.optional(), token_embeddings: floats.optional() })
  .transform(({ last_hidden_state, token_embeddings }) => last_hidden_state ?? token_embeddings)
  .refine((hidden) => hidden !== undefined, 'the model has no output last_hidden_state, so it cannot embed texts')

/** A model of which the last layer's vectors of tokens are pooled to one vector of a text. */
export function encoderOf({ model, tokenizer }: Loaded, pooling: TransformersOptions['pooling']): Encoder {
  /** The last layer's vectors of every row's tokens, without padding. */
  const tokensOf = async (rows: readonly Row[]): Promise<readonly Float32Array[][]> => {
    const { ids, mask, length } = padded(rows, tokenizer.pad_token_id)
    const tensor = (data: BigInt64Array) => new Tensor('int64', data, [rows.length, length])
    const { data, dims } = outputs.parse(await model({ input_ids: tensor(ids), attention_mask: tensor(mask) }))
    const width = dims[2]
    return rows.map((row, index) =>
      row.map((_, token) => {
        const start = (index * length + token) * width
        return data.slice(start, start + width)
      }),
    )
  }
  return {
    encode: (text) => tokenizer.encode(text),
    vectors: async (rows) => (await tokensOf(rows)).map((tokens) => pooled(tokens, pooling)),
    tokenVectors: async (row) => (await tokensOf([row])).flat(),
  }
}

/** One vector of length one for a text, from the vectors of its tokens; sums in 64 bits, zero stays zero. */
export function pooled(tokens: readonly Float32Array[], pooling: TransformersOptions['pooling']): Float32Array {
  const picked = { mean: tokens, cls: tokens.slice(0, 1), last: tokens.slice(-1) }[pooling]
  // a sum points where the mean points
  const sum = new Float64Array(picked[0]?.length ?? 0)
  for (const vector of picked) vector.forEach((value, axis) => (sum[axis] = (sum[axis] ?? 0) + value))
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0))
  return Float32Array.from(sum, (value) => (length > 0 ? value / length : value))
}
