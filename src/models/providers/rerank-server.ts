import { z } from 'zod'
import { valueOf } from '../../basics/collections.ts'
import { CallError } from '../calls/retry.ts'
import { defineProvider, type Embeddings } from '../provider.ts'
import { openClient } from './openai/client.ts'
import { translate } from './openai/errors.ts'
import { openaiOptions } from './openai/options.ts'
import { checked } from './openai/replies.ts'

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
      // what text-embeddings-inference takes by default; the others take more
      batch: 32,
      async rerank(query, texts, signal) {
        // every server returns all texts where no number is asked for
        const sent = { ...(model !== undefined && { model }), query, [form]: texts, ...body }
        try {
          return scoresOf(await client.post('/rerank', { body: sent, signal }), texts.length)
        } catch (error) {
          throw translate(error, sent, variables?.['apiKey'] ?? 'apiKey of the model')
        }
      },
      close,
    }
  },
})

const tokens = z.number().nullish().catch(undefined)
// what is no number, as JSON has none for NaN, is named by its text
const score = z.number().nullable().optional()
const items = z.array(z.object({ index: z.int().min(0), relevance_score: score, score }))
const reply = z.union([
  items.transform((results) => ({ results, usage: undefined })),
  z.object({ results: items, usage: z.object({ total_tokens: tokens }).nullish() }),
  z
    .object({ data: items, usage: z.object({ total_tokens: tokens }).nullish() })
    .transform(({ data: results, usage }) => ({ results, usage })),
])

/** A list of scores, or one in `results` (Cohere, Jina, vLLM, llama.cpp) or `data` (Voyage): each text once. */
function scoresOf(sent: unknown, count: number): Embeddings {
  const { results, usage } = checked(reply, sent)
  const scores = new Map(results.map((one) => [one.index, one.relevance_score ?? one.score ?? NaN]))
  const wrong =
    scores.size < results.length
      ? 'has two scores for one text'
      : [...scores.keys()].some((index) => index >= count)
        ? 'has a score for a text that was not sent'
        : scores.size < count
          ? 'leaves out texts'
          : [...scores.values()].some((value) => !Number.isFinite(value))
            ? 'has a score that is no number'
            : undefined
  if (wrong !== undefined)
    throw new CallError('server', `the server's reply ${wrong}: ${results.length} scores for ${count} texts`, {
      retryable: true,
    })
  const vectors = Array.from({ length: count }, (_, index) => Float32Array.of(valueOf(scores, index), 0))
  const read = usage?.total_tokens
  return { vectors, ...(typeof read === 'number' && { tokens: read }) }
}
