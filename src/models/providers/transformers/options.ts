import { z } from 'zod'
import { type CallOptions, maxTokensOption } from '../../provider.ts'

export const transformersOptions = z.strictObject({
  model: z
    .string()
    .min(1)
    .describe(
      'A folder with config.json, tokenizer.json and onnx/, or the name of a model on the hub, such as owner/name.',
    ),
  offline: z.boolean().default(false).describe('Do not download: read the model from a folder or the cache.'),
  dtype: z
    .enum(['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'])
    .default('fp32')
    .describe('Which file in onnx/ is loaded. Only with fp32 a text has the same vector in every batch.'),
  window: z
    .int()
    .min(2)
    .optional()
    .describe(
      'Largest number of input tokens; default: the limit of the model. Longer texts are cut before embedding, longer prompts fail.',
    ),
  pooling: z
    .enum(['mean', 'cls', 'last'])
    .default('mean')
    .describe('How token vectors become the vector of a text: their mean, the first, or the last.'),
  queryModel: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A second model, given as `model` is, that embeds queries alone, for encoders that were trained in pairs (DPR, DRAGON).',
    ),
  queryPrefix: z.string().default('').describe('Prefix of every text that is embedded as a query.'),
  documentPrefix: z.string().default('').describe('Prefix of every text that is embedded as a document.'),
  format: z
    .enum(['chat', 'unifiedqa'])
    .default('chat')
    .describe(
      'chat: the prompt, in the chat template of the model if it has one. unifiedqa: question, options and context as UnifiedQA was trained; for answering only.',
    ),
  maxTokens: maxTokensOption,
})

export type TransformersOptions = z.infer<typeof transformersOptions> & CallOptions
