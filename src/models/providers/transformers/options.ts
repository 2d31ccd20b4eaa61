import { z } from 'zod'
import { callOptions } from '../call-options.ts'

export const generating = ['text2text-generation', 'text-generation'] as const
export const jobs = ['feature-extraction', ...generating] as const

/** What a model is used for: embeddings, an encoder with a decoder, or a decoder alone. */
export type Job = (typeof jobs)[number]

export const transformersOptions = z.strictObject({
  model: z
    .string()
    .min(1)
    .describe(
      'A folder with config.json, tokenizer.json and onnx/, or the name of a model on the hub, such as owner/name.',
    ),
  task: z
    .enum(['auto', ...jobs])
    .default('auto')
    .describe('What the model does; auto: what its config.json says.'),
  offline: z.boolean().default(false).describe('Downloads nothing: takes the model from a folder or the cache.'),
  dtype: z
    .enum(['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'])
    .default('fp32')
    .describe('Which of the files in onnx/ is taken. Only fp32 gives a text the same vector in every batch.'),
  window: z
    .int()
    .min(2)
    .optional()
    .describe(
      'Longest input in tokens of the model, its own when absent: longer texts are cut before embedding, longer prompts fail.',
    ),
  pooling: z
    .enum(['mean', 'cls', 'last'])
    .default('mean')
    .describe('Which token vectors become the vector of a text: the mean of all, the first, the last.'),
  queryPrefix: z.string().default('').describe('Put before every text that is embedded as a query.'),
  documentPrefix: z.string().default('').describe('Put before every text that is embedded as a document.'),
  format: z
    .enum(['chat', 'unifiedqa'])
    .default('chat')
    .describe(
      'chat: the prompt, through the chat template where the model has one. unifiedqa: question, options and context as UnifiedQA was trained on them; tasks other than answers get the prompt.',
    ),
  maxTokens: z.int().min(1).default(512).describe('Longest reply in tokens; a task that needs more gets more.'),
  threads: z.int().min(0).max(256).default(0).describe('Threads of one inference; 0: one per core.'),
  ...callOptions,
  concurrency: callOptions.concurrency.unwrap().default(1).describe('Calls under way at once; one fills every core.'),
})

export type TransformersOptions = z.infer<typeof transformersOptions>
