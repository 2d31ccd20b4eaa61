import { Tensor } from '@huggingface/transformers'
import { z } from 'zod'
import { groupBy, itemAt, slices } from '../../../basics/collections.ts'
import { UserError } from '../../../errors.ts'
import { pad, paddedLength, shorten, type Row } from '../../onnx/embedder.ts'
import type { Provider } from '../../provider.ts'
import type { LoadedModel } from './load.ts'

/** An encoded question with a text: `types` is 0 for question, 1 for text; `unread`: truncated tokens. */
interface Pair {
  readonly at: number
  readonly ids: Row
  readonly types: Row | undefined
  readonly unread: number
}

const tokensOfBatch = 1024

const encoding = z.object({ input_ids: z.array(z.int()), token_type_ids: z.array(z.int()).optional() })
const outputs = z.object({
  logits: z.object({ data: z.instanceof(Float32Array), dims: z.tuple([z.int(), z.int()]) }),
})

/** Scores of pairs: the logit of one label or the difference of two; long texts are truncated. */
export function crossEncoder({ load, tokenizer, window }: LoadedModel): NonNullable<Provider['rerank']> {
  const pairOf = (question: string, text: string, at: number): Pair => {
    const rawEncoding: unknown = tokenizer(question, {
      text_pair: text,
      return_tensor: false,
      add_special_tokens: true,
    })
    const { input_ids: ids, token_type_ids: types } = encoding.parse(rawEncoding)
    const unread = Math.max(0, ids.length - window)
    return { at, ids: shorten(ids, window), types: types && shorten(types, window), unread }
  }
  const scoresOf = async (batch: readonly Pair[]): Promise<readonly number[]> => {
    const { ids, mask, length } = pad(
      batch.map((pair) => pair.ids),
      tokenizer.pad_token_id,
    )
    const types = batch.flatMap((pair) => (pair.types ? [pair.types] : []))
    const tensor = (data: BigInt64Array) => new Tensor('int64', data, [batch.length, length])
    const model = await load()
    const output: unknown = await model({
      input_ids: tensor(ids),
      attention_mask: tensor(mask),
      ...(types.length > 0 && { token_type_ids: tensor(pad(types).ids) }),
    })
    const { data, dims } = outputs.parse(output).logits
    const [, labels] = dims
    if (labels > 2)
      throw new UserError(`transformers: the model has ${labels} labels; a cross-encoder has one score, or no and yes`)
    return batch.map((_, row) => (labels === 1 ? itemAt(data, row) : itemAt(data, 2 * row + 1) - itemAt(data, 2 * row)))
  }
  return async (question, texts, signal) => {
    const pairs = texts.map((text, at) => pairOf(question, text, at))
    const vectors: Float32Array[] = []
    for (const [length, alike] of groupBy(pairs, ({ ids }) => paddedLength(ids)))
      for (const batch of slices(alike, Math.max(1, Math.floor(tokensOfBatch / length)))) {
        signal.throwIfAborted()
        const scores = await scoresOf(batch)
        for (const [index, { at, unread }] of batch.entries())
          vectors[at] = Float32Array.of(itemAt(scores, index), unread)
      }
    return { vectors, tokens: pairs.reduce((sum, { ids }) => sum + ids.length, 0) }
  }
}
