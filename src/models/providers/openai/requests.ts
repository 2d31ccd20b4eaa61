import type { OpenAI } from 'openai'
import type { EmbedRole, Message } from '../../../types.ts'
import {
  messagesOf,
  replyLimit,
  type Completion,
  type CompletionRequest,
  type Embeddings,
  type Fallback,
} from '../../provider.ts'
import { complaintIn, translate, type Complaint } from './complaints.ts'
import type { OpenaiOptions } from './options.ts'
import { completionOf, embeddingsOf } from './replies.ts'
import { responseFormats, type ResponseFormat } from './response-format.ts'

/** Sends one request and gives the reply unchecked. Throws what the client library throws, or CallError. */
export type Post = (path: '/chat/completions' | '/embeddings', body: object, signal: AbortSignal) => Promise<unknown>

type ChatBody = OpenAI.ChatCompletionCreateParamsNonStreaming

/** What is known of one server: what it refused, and so is not sent again. It never changes a reply. */
export interface KnownServer {
  tokensField: 'max_tokens' | 'max_completion_tokens'
  mergesSystem: boolean
  /** How many forms of a reply it refuses, by task, so that a reply does not depend on the order of tasks. */
  readonly refusedFormats: Map<string, number>
}

/** A server of which nothing is known yet. */
export const newServer = (): KnownServer => ({
  // every server knows the older name but those of reasoning models, which say so
  tokensField: 'max_tokens',
  mergesSystem: false,
  refusedFormats: new Map(),
})

interface Manner extends Readonly<Pick<KnownServer, 'tokensField' | 'mergesSystem'>> {
  /** Forms of the reply that were not refused; the first is asked for. */
  readonly formats: readonly ResponseFormat[]
}

/** Completions of a chat model; `key`: the variable of the key. What the server refuses is asked for in another way. */
export function chat(post: Post, options: OpenaiOptions, known: KnownServer, key?: string) {
  return async (request: CompletionRequest, signal: AbortSignal): Promise<Completion> => {
    const wanted = responseFormats(request)
    let manner: Manner = { ...known, formats: wanted.slice(known.refusedFormats.get(request.task) ?? 0) }
    for (;;) {
      const body = chatBody(request, options, manner)
      try {
        const sent = await post('/chat/completions', body, signal)
        return withFallbacks(completionOf(sent), {
          schema: wanted.length > 0 && manner.formats.length === 0,
          system: manner.mergesSystem && request.prompt.messages.some(isSystem),
        })
      } catch (error) {
        const other = otherManner(manner, complaintIn(error, body))
        if (!other) throw translate(error, body, key)
        known.refusedFormats.set(request.task, wanted.length - other.formats.length)
        if (other.tokensField !== manner.tokensField) known.tokensField = other.tokensField
        if (other.mergesSystem) known.mergesSystem = true
        manner = other
      }
    }
  }
}

/** The next manner after a refused one; undefined where there is none. */
function otherManner(manner: Manner, complaint: Complaint | undefined): Manner | undefined {
  if (complaint === 'format') return { ...manner, formats: manner.formats.slice(1) }
  if (complaint === 'system' && !manner.mergesSystem) return { ...manner, mergesSystem: true }
  if (complaint === 'tokensField' && manner.tokensField === 'max_tokens')
    return { ...manner, tokensField: 'max_completion_tokens' }
  return undefined
}

function withFallbacks(completion: Completion, used: Readonly<Record<Fallback, boolean>>): Completion {
  const fallbacks = (['schema', 'system'] as const).filter((one) => used[one])
  return fallbacks.length === 0 ? completion : { ...completion, fallbacks }
}

function chatBody(request: CompletionRequest, options: OpenaiOptions, manner: Manner): ChatBody {
  const { model, temperature, seed } = options
  const { sampling } = request.prompt
  const messages = messagesOf(request)
  const { tokensField, mergesSystem, formats } = manner
  const [format] = formats
  return {
    model,
    messages: [...(mergesSystem ? withoutSystem(messages) : messages)],
    [tokensField]: replyLimit(request, options.maxTokens),
    ...(temperature !== null && { temperature: sampling?.temperature ?? temperature }),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other way asks for the same reply twice
    ...(seed !== null && { seed: seed + request.sample + (sampling?.variant ?? 0) }),
    ...options.body,
    ...(format && { response_format: format }),
  }
}

const isSystem = ({ role }: Message): boolean => role === 'system'

/** The same messages with what the system says at the beginning of the first message of the user. */
function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const instructions = messages.filter(isSystem).map(({ content }) => content)
  const others = messages.filter((message) => !isSystem(message))
  const [first, ...rest] = others
  if (instructions.length === 0) return messages
  if (first?.role !== 'user') return [{ role: 'user', content: instructions.join('\n\n') }, ...others]
  return [{ role: 'user', content: [...instructions, first.content].join('\n\n') }, ...rest]
}

/** Embeddings of texts, of length one. */
export function embeddings(post: Post, options: OpenaiOptions, key?: string) {
  const { model, body } = options
  const prefixes = { query: options.queryPrefix, document: options.documentPrefix }
  return async (texts: readonly string[], role: EmbedRole, signal: AbortSignal): Promise<Embeddings> => {
    const sent = {
      model,
      input: texts.map((text) => prefixes[role] + text),
      // every server knows it; the client library would ask for base64, which some do not
      encoding_format: 'float',
      ...body,
    }
    try {
      return embeddingsOf(await post('/embeddings', sent, signal))
    } catch (error) {
      throw translate(error, sent, key)
    }
  }
}
