import { z } from 'zod'
import { valueOf } from '../../basics/collections.ts'
import { CallError } from '../calls/retry.ts'
import { defineProvider, type Embeddings } from '../provider.ts'
import { openClient } from './openai/client.ts'
import { translate } from './openai/errors.ts'
import { openaiOptions } from './openai/options.ts'
import { parseReply } from './openai/replies.ts'

const { baseUrl, apiKey, allowInsecure, body } = openaiOptions.shape

/** A server that scores texts for a question: Cohere, Jina, Voyage, vLLM, llama.cpp, text-embeddings-inference. */
export const rerankServer = defineProvider({
  name: 'rerank-server',
  summary:
    'A rerank model behind a server, hosted or local: Cohere, Jina, Voyage, vLLM, llama.cpp, text-embeddings-inference.',
  can: ['rerank'],
  options: z.strictObject({
    baseUrl: baseUrl
      .unwrap()
      .describe('Address of the server with its version, without /rerank, such as https://api.cohere.com/v2.'),
    model: z.string().min(1).optional().describe('Name of the model on the server; absent: not sent.'),
    form: z
      .enum(['documents', 'texts'])
      .default('documents')
      .describe(
        'Field of a request that holds the texts. documents: Cohere, Jina, Voyage, vLLM, llama.cpp; texts: text-embeddings-inference.',
      ),
    apiKey: apiKey.describe('The API key; a local server may need none.'),
    allowInsecure,
    body,
  }),
  async open(options, { variables }) {
    const { baseUrl, model, form, apiKey, body } = options
    const { client, close } = await openClient('rerank-server', {
      ...options,
      apiKey,
      headers: {},
    })
    return {
      name: 'rerank-server',
      model: model ?? 'the model of the server',
      baseUrl,
      parameters: { form, body },
      // the default limit of text-embeddings-inference; other servers take more
      batch: 32,
      async rerank(query, texts, signal) {
        // servers return all texts unless a number is requested
        const requestBody = { ...(model !== undefined && { model }), query, [form]: texts, ...body }
        try {
          return scoresOf(await client.post('/rerank', { body: requestBody, signal }), texts.length)
        } catch (error) {
          throw translate(error, requestBody, variables?.['apiKey'] ?? 'apiKey of the model')
        }
      },
      close,
    }
  },
})

const tokens = z.number().nullish().catch(undefined)
// null: JSON has no NaN
const score = z.number().nullable().optional()
const items = z.array(z.object({ index: z.int().min(0), relevance_score: score, score }))
const reply = z.union([
  items.transform((results) => ({ results, usage: undefined })),
  z.object({ results: items, usage: z.object({ total_tokens: tokens }).nullish() }),
  z
    .object({ data: items, usage: z.object({ total_tokens: tokens }).nullish() })
    .transform(({ data: results, usage }) => ({ results, usage })),
])

/** Scores from a list, or from `results` (Cohere, Jina, vLLM, llama.cpp) or `data` (Voyage): one per text. */
function scoresOf(responseBody: unknown, count: number): Embeddings {
  const { results, usage } = parseReply(reply, responseBody)
  const scores = new Map(results.map((result) => [result.index, result.relevance_score ?? result.score ?? NaN]))
  const fault =
    scores.size < results.length
      ? 'has two scores for one text'
      : [...scores.keys()].some((index) => index >= count)
        ? 'has a score for a text that was not sent'
        : scores.size < count
          ? 'leaves out texts'
          : [...scores.values()].some((value) => !Number.isFinite(value))
            ? 'has a score that is no number'
            : undefined
  if (fault !== undefined)
    throw new CallError('server', `the server's reply ${fault}: ${results.length} scores for ${count} texts`, {
      retryable: true,
    })
  const vectors = Array.from({ length: count }, (_, index) => Float32Array.of(valueOf(scores, index), 0))
  const read = usage?.total_tokens
  return { vectors, ...(typeof read === 'number' && { tokens: read }) }
}
