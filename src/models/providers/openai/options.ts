import { z } from 'zod'
import { type CallOptions, maxTokensOption } from '../../provider.ts'

export const officialUrl = 'https://api.openai.com/v1'

// also called for invalid addresses
const holdsPassword = (url: string): boolean => {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {}
  return username + password !== ''
}

/** Marks options whose values are never written. */
const secret = { secret: true }

export const openaiOptions = z.strictObject({
  model: z.string().min(1).describe('Name of the model on the server.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !holdsPassword(url), 'must not contain a user name or password; set apiKey instead')
    .default(officialUrl)
    .describe('Address of an OpenAI-compatible server, including /v1.'),
  apiKey: z
    .string()
    .min(1)
    .optional()
    .meta(secret)
    .describe(
      'The API key; default for api.openai.com: the environment variable OPENAI_API_KEY; a local server may need none.',
    ),
  allowInsecure: z
    .boolean()
    .default(false)
    .describe(
      'Allows a key, headers and environment variables to go unencrypted to an http:// address of another computer.',
    ),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0)
    .describe('Sampling temperature; 0 always takes the most likely token; null: not sent.'),
  maxTokens: maxTokensOption,
  seed: z
    .int()
    .nullable()
    .default(42)
    .describe('Seed sent with every call; the number of the repeat is added to it; null: not sent.'),
  window: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Largest number of tokens of prompt and reply together. A prompt that leaves less than maxTokens fails before it is sent. For an embedder: the tokens of a text that it reads.',
    ),
  textsPerRequest: z.int().min(1).max(2048).default(128).describe('Number of texts in one embedding request.'),
  queryPrefix: z.string().default('').describe('Prefix of every text that is embedded as a query.'),
  documentPrefix: z.string().default('').describe('Prefix of every text that is embedded as a document.'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .meta(secret)
    .describe('Additional HTTP headers; their values are kept secret.'),
  body: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Additional fields of every request body, such as top_p or dimensions; they override all other fields.'),
})

export type OpenaiOptions = z.infer<typeof openaiOptions> & CallOptions
