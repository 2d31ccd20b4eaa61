import { z } from 'zod'
import { callOptions } from '../call-options.ts'

export const officialUrl = 'https://api.openai.com/v1'

// asked of what is no address, too
const holdsPassword = (url: string): boolean => {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {}
  return username + password !== ''
}

/** `secret` marks what must never be written anywhere. */
const secret = { secret: true }

export const openaiOptions = z.strictObject({
  model: z.string().min(1).describe('Name of the model, as the server knows it.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !holdsPassword(url), 'give the key as apiKey, not in the address')
    .default(officialUrl)
    .describe('Address of an OpenAI-compatible server, up to and with /v1.'),
  apiKey: z
    .string()
    .min(1)
    .optional()
    .meta(secret)
    .describe('The key; for api.openai.com OPENAI_API_KEY is taken when it is absent, a local server may need none.'),
  temperature: z.number().min(0).max(2).nullable().default(0).describe('0 for the likeliest reply; null: not sent.'),
  topP: z.number().gt(0).max(1).optional().describe('Nucleus sampling; not sent when absent.'),
  maxTokens: z.int().min(1).default(512).describe('Longest reply in tokens; a task that needs more gets more.'),
  seed: z
    .int()
    .nullable()
    .default(42)
    .describe('Sent with every question, raised by the number of the repeat; null: not sent.'),
  structured: z
    .enum(['auto', 'schema', 'json', 'none'])
    .default('auto')
    .describe(
      'How JSON is asked for besides the prompt: with its schema, as a JSON object, not at all; auto: with the schema until the server refuses one.',
    ),
  window: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Longest prompt plus reply in tokens: replies are bounded by what is left, and a prompt that leaves less than maxTokens fails before it is sent.',
    ),
  dimensions: z.int().min(1).optional().describe('Length of the embeddings, for models that can shorten them.'),
  batch: z.int().min(1).max(2048).default(128).describe('Texts sent in one embedding request.'),
  encodingFormat: z
    .enum(['float', 'base64'])
    .default('float')
    .describe('How embeddings are sent; base64 is smaller, and not every server knows it.'),
  queryPrefix: z.string().default('').describe('Put before every text that is embedded as a query.'),
  documentPrefix: z.string().default('').describe('Put before every text that is embedded as a document.'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .meta(secret)
    .describe('Further HTTP headers; their values are kept secret.'),
  body: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Further fields of every request, as the server knows them; they win over all others.'),
  ...callOptions,
})

export type OpenaiOptions = z.infer<typeof openaiOptions>
