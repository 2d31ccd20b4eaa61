import type { OpenAI } from 'openai'
import { UserError } from '../../../errors.ts'
import type { Message } from '../../../types.ts'
import {
  defineProvider,
  messagesOf,
  optionPlace,
  replyLimit,
  usualReply,
  type Completion,
  type CompletionRequest,
  type Fallback,
  type OpenContext,
  type Provider,
} from '../../provider.ts'
import { openClient } from './client.ts'
import { complaintOf, translate } from './errors.ts'
import { officialUrl, openaiOptions, type OpenaiOptions } from './options.ts'
import { completionOf, embeddingsOf } from './replies.ts'

/** Any server that speaks OpenAI's chat and embeddings API. */
export const openai = defineProvider({
  name: 'openai',
  summary: 'Chat and embedding models behind an OpenAI-compatible API, hosted or local.',
  can: ['complete', 'embed'],
  options: openaiOptions,
  async open(options, { place, variables }) {
    const { client, close } = await openClient('openai', { ...options, apiKey: keyFor(options, place) })
    const { model, baseUrl, maxTokens, window, textsPerRequest } = options
    const dialect = newDialect()
    const prefixes = { query: options.queryPrefix, document: options.documentPrefix }
    return {
      name: 'openai',
      model,
      baseUrl,
      parameters: parametersOf(options),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(window !== undefined && { window, readsTokens: window }),
      batch: textsPerRequest,
      complete: chat(client, options, dialect, variables?.['apiKey']),
      async embed(texts, role, signal) {
        const body = {
          model,
          input: texts.map((text) => prefixes[role] + text),
          // all servers know it; the client library's default, base64, is unknown to some
          encoding_format: 'float',
          ...options.body,
        }
        try {
          return embeddingsOf(await client.post('/embeddings', { body, signal }))
        } catch (error) {
          throw translate(error, body, variables?.['apiKey'])
        }
      },
      tokensField: () => dialect.tokensField,
      close,
    }
  },
})

function keyFor({ apiKey, baseUrl }: OpenaiOptions, place: OpenContext['place']): string | undefined {
  const { host } = new URL(officialUrl)
  // regions have names such as eu.api.openai.com
  if (!`.${new URL(baseUrl).host}`.endsWith(`.${host}`)) return apiKey
  const key = apiKey ?? process.env['OPENAI_API_KEY']
  if (key) return key
  throw new UserError(
    `openai: the API key is missing: set the environment variable OPENAI_API_KEY or ${optionPlace('apiKey', place)}; for a local server set ${optionPlace('baseUrl', place)}`,
  )
}

function parametersOf(options: OpenaiOptions): Provider['parameters'] {
  const { temperature, maxTokens = usualReply, seed, queryPrefix, documentPrefix, body } = options
  // `structured` was an option once: cache keys contain it
  return { temperature, maxTokens, seed, structured: 'auto', queryPrefix, documentPrefix, body }
}

/** The forms that a server accepts, learnt from its refusals. It never changes a reply. */
interface Dialect {
  tokensField: 'max_tokens' | 'max_completion_tokens'
  /** Whether system messages go into the first user message. */
  mergesSystem: boolean
  /** Tasks whose schema was refused: a reply must not depend on the order of tasks. */
  readonly tasksWithoutSchema: Set<string>
}

const newDialect = (): Dialect => ({
  // all servers but those of reasoning models know the older name
  tokensField: 'max_tokens',
  mergesSystem: false,
  tasksWithoutSchema: new Set(),
})

/** Completions of a chat model, with fallbacks for refused parts; `key`: the variable of the key. */
function chat(
  client: Pick<OpenAI, 'post'>,
  options: OpenaiOptions,
  dialect: Dialect,
  key?: string,
): NonNullable<Provider['complete']> {
  return async function complete(request, signal): Promise<Completion> {
    const { tokensField, mergesSystem } = dialect
    const hasFormat = request.schema !== undefined && !dialect.tasksWithoutSchema.has(request.task)
    const format = hasFormat ? formatOf(request, request.schema) : undefined
    const body = chatBody(request, options, dialect, format)
    try {
      const completion = completionOf(await client.post('/chat/completions', { body, signal }))
      const fallbacks: Fallback[] = [
        ...(request.schema && !hasFormat ? (['schema'] as const) : []),
        ...(mergesSystem && request.prompt.messages.some(isSystem) ? (['system'] as const) : []),
      ]
      return fallbacks.length === 0 ? completion : { ...completion, fallbacks }
    } catch (error) {
      const complaint = complaintOf(error, body)
      if (complaint === 'response_format' && hasFormat) dialect.tasksWithoutSchema.add(request.task)
      else if (complaint === 'system' && !mergesSystem) dialect.mergesSystem = true
      else if (complaint === 'tokensField' && tokensField === 'max_tokens')
        dialect.tokensField = 'max_completion_tokens'
      else throw translate(error, body, key)
      return complete(request, signal)
    }
  }
}

function chatBody(
  request: CompletionRequest,
  { model, temperature, seed, maxTokens, body }: OpenaiOptions,
  { tokensField, mergesSystem }: Dialect,
  format: ResponseFormat | undefined,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { sampling } = request.prompt
  const messages = messagesOf(request)
  return {
    model,
    messages: [...(mergesSystem ? withoutSystem(messages) : messages)],
    [tokensField]: replyLimit(request, maxTokens),
    ...(temperature !== null && { temperature: sampling?.temperature ?? temperature }),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other way asks for the same reply twice
    ...(seed !== null && { seed: seed + request.sample + (sampling?.variant ?? 0) }),
    ...body,
    ...(format && { response_format: format }),
  }
}

type ResponseFormat = OpenAI.ResponseFormatJSONSchema

/** The schema of a reply as a response format. A list is wrapped in an object with `items`. */
function formatOf(
  { task, strict }: CompletionRequest,
  schema: NonNullable<CompletionRequest['schema']>,
): ResponseFormat {
  const listObject = { type: 'object', properties: { items: schema }, required: ['items'], additionalProperties: false }
  return {
    type: 'json_schema',
    json_schema: {
      name: task.replace(/[^\w-]/g, '_').slice(0, 64),
      schema: schema['type'] === 'array' ? listObject : schema,
      strict: strict === 'closed',
    },
  }
}

const isSystem = ({ role }: Message): boolean => role === 'system'

/** The same messages with system messages at the beginning of the first user message. */
function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const instructions = messages.filter(isSystem).map(({ content }) => content)
  const conversation = messages.filter((message) => !isSystem(message))
  const [first, ...rest] = conversation
  if (instructions.length === 0) return messages
  if (first?.role !== 'user') return [{ role: 'user', content: instructions.join('\n\n') }, ...conversation]
  return [{ role: 'user', content: [...instructions, first.content].join('\n\n') }, ...rest]
}
