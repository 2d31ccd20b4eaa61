import type { OpenAI } from 'openai'
import { z } from 'zod'
import { isObject } from '../../../basics/plain-data.ts'
import { messageOf, ModelError } from '../../../errors.ts'
import type { EmbedRole, Message } from '../../../types.ts'
import { CallError, retryAfterSeconds } from '../../calls/retry.ts'
import {
  messagesOf,
  replyLimit,
  type Completion,
  type CompletionRequest,
  type Embeddings,
  type Fallback,
} from '../../provider.ts'
import { complaintOf, refusalIn, remedyFor, type Complaint, type ErrorFields } from './complaints.ts'
import type { OpenaiOptions } from './options.ts'

/** What is asked of the server. */
export type PostPath = '/chat/completions' | '/embeddings'

/** Sends one request and gives the reply unchecked. Throws what the client library throws, or CallError. */
export type Post = (path: PostPath, body: object, call: PostedCall) => Promise<unknown>

/** `sample`: the repeat of equal calls, which tells them apart where their bodies are the same. */
interface PostedCall {
  readonly signal: AbortSignal
  readonly sample: number
}

type ChatBody = OpenAI.ChatCompletionCreateParamsNonStreaming

/**
 * What is known of one server: what it refused, and so is not sent again. It only saves refused requests: a request is
 * answered in the same form whether or not another one was refused before it.
 */
export interface KnownServer {
  tokensField: TokensField
  mergesSystem: boolean
  /** Tasks whose schema it refuses: by task, not for all at once, so that a reply does not depend on the order. */
  readonly plain: Set<string>
}

type TokensField = Exclude<OpenaiOptions['tokensField'], 'auto'>

/** A server of which nothing is known yet but what the options say. */
export const newServer = ({ tokensField, systemRole }: OpenaiOptions): KnownServer => ({
  // every server knows the older name but those of reasoning models, which say so
  tokensField: tokensField === 'auto' ? 'max_tokens' : tokensField,
  mergesSystem: systemRole === 'merge',
  plain: new Set(),
})

/** How one request is put. */
interface Manner {
  readonly tokensField: TokensField
  readonly mergesSystem: boolean
  readonly format: ChatBody['response_format'] | undefined
}

/** Completions of a chat model. What the server refuses is asked for in another way, where there is one. */
export function chat(post: Post, options: OpenaiOptions, known: KnownServer) {
  return async (request: CompletionRequest, signal: AbortSignal): Promise<Completion> => {
    const wanted = formatOf(request, options.structured)
    let manner: Manner = { ...known, format: known.plain.has(request.task) ? undefined : wanted }
    for (;;) {
      const body = chatBody(request, options, manner)
      try {
        const sent = await post('/chat/completions', body, { signal, sample: request.sample })
        return withFallbacks(completionOf(sent), {
          schema: wanted !== undefined && manner.format === undefined,
          system: options.systemRole === 'auto' && manner.mergesSystem && request.prompt.messages.some(isSystem),
        })
      } catch (error) {
        const other = otherManner(manner, complaintOf(fieldsOf(error), explained(error), body), options)
        if (!other) throw translate(error, body)
        if (manner.format && !other.format) known.plain.add(request.task)
        if (other.tokensField !== manner.tokensField) known.tokensField = other.tokensField
        if (other.mergesSystem) known.mergesSystem = true
        manner = other
      }
    }
  }
}

/** The next manner after a refused one; undefined where there is none, or the options leave none. */
function otherManner(
  manner: Manner,
  complaint: Complaint | undefined,
  { tokensField, systemRole, structured }: OpenaiOptions,
): Manner | undefined {
  if (complaint === 'format' && structured === 'auto') return { ...manner, format: undefined }
  if (complaint === 'system' && systemRole === 'auto' && !manner.mergesSystem) return { ...manner, mergesSystem: true }
  if (complaint === 'tokensField' && tokensField === 'auto' && manner.tokensField === 'max_tokens')
    return { ...manner, tokensField: 'max_completion_tokens' }
  return undefined
}

function withFallbacks(completion: Completion, used: Readonly<Record<Fallback, boolean>>): Completion {
  const fallbacks = (['schema', 'system'] as const).filter((one) => used[one])
  return fallbacks.length === 0 ? completion : { ...completion, fallbacks }
}

function chatBody(request: CompletionRequest, options: OpenaiOptions, manner: Manner): ChatBody {
  const { model, temperature, topP, seed } = options
  const { sampling } = request.prompt
  const messages = messagesOf(request)
  const { tokensField, mergesSystem, format } = manner
  return {
    model,
    messages: [...(mergesSystem ? withoutSystem(messages) : messages)],
    ...(tokensField !== 'none' && { [tokensField]: replyLimit(request, options.maxTokens) }),
    ...(temperature !== null && { temperature: sampling?.temperature ?? temperature }),
    ...(topP !== undefined && { top_p: topP }),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way to ask for the same reply twice
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

function formatOf(
  request: CompletionRequest,
  structured: OpenaiOptions['structured'],
): ChatBody['response_format'] | undefined {
  if (structured === 'auto' || structured === 'schema') return schemaFormat(request)
  // the API's plain JSON mode knows objects only, so lists are left to the prompt
  const asksObject = request.reply === 'json' && request.schema?.['type'] === 'object'
  return structured === 'json' && asksObject ? { type: 'json_object' } : undefined
}

type Schema = Readonly<Record<string, unknown>>

/** A response format that holds a reply to the request's schema. A list is wrapped in an object with `items`. */
function schemaFormat({ task, schema }: CompletionRequest): ChatBody['response_format'] {
  if (!schema) return undefined
  const { $defs, ...list } = schema
  // references point from the root, so the definitions stay there
  const wrapped = { type: 'object', properties: { items: list }, required: ['items'], ...($defs ? { $defs } : {}) }
  const name = task.replace(/[^\w-]/g, '_').slice(0, 64)
  return { type: 'json_schema', json_schema: { name, ...closed(schema['type'] === 'array' ? wrapped : schema) } }
}

/** The schema with its objects closed. `strict`: every object is closed and has only required properties. */
function closed(schema: Schema): { schema: Record<string, unknown>; strict: boolean } {
  let strict = true
  const walk = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(walk) : isObject(value) ? walkSchema(value) : value
  const walkSchema = (value: Schema): Record<string, unknown> => {
    const walked = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
    if (value['type'] !== 'object') return walked
    const { properties, required, additionalProperties } = value
    const names = Object.keys(isObject(properties) ? properties : {})
    const isOpen =
      isObject(additionalProperties) || names.some((name) => !(Array.isArray(required) && required.includes(name)))
    if (isOpen) strict = false
    return isOpen ? walked : { ...walked, additionalProperties: false }
  }
  return { schema: walkSchema(schema), strict }
}

/** A count of tokens, which servers may leave out or fill with anything. */
const count = z.number().nullish().catch(undefined)

const chatReply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z
    .object({
      ...{ prompt_tokens: count, completion_tokens: count },
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(undefined),
      ...{ cache_read_input_tokens: count, cache_creation_input_tokens: count },
    })
    .nullish(),
})

/** What a server sent, checked: it may be anything. Reasoning in fields of its own is left out. */
function completionOf(sent: unknown): Completion {
  throwRefusal(sent)
  const { choices, usage } = checked(chatReply, sent)
  const [choice] = choices
  if (!choice) throw new CallError('server', "the server's reply has no choices", { retryable: true })
  const { message, finish_reason: reason } = choice
  const isRefused = reason === 'content_filter' || Boolean(message.refusal)
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {}
  const {
    prompt_tokens_details: details,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: made,
  } = usage ?? {}
  const cachedTokens = [details?.cached_tokens, read, made].reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0)
  return {
    text: message.content ?? message.refusal ?? '',
    finish: isRefused ? 'filter' : reason === 'length' ? 'length' : 'stop',
    ...(typeof promptTokens === 'number' && { promptTokens }),
    ...(typeof completionTokens === 'number' && { completionTokens }),
    ...(cachedTokens > 0 && { cachedTokens }),
  }
}

/** Throws what a server says is wrong in a reply of status 200, as an error of the status that it names, or of 400. */
function throwRefusal(sent: unknown): void {
  const body = typeof sent === 'string' ? parsed(sent) : sent
  const found = isObject(body) && body['error'] ? refusalIn(body) : undefined
  if (!found) return
  const { message, ...fields } = found.error
  const named = Number(fields['code'])
  const status = named >= 400 && named < 600 ? named : 400
  throw Object.assign(new Error(`${status} ${String(message)}`), { ...fields, status })
}

/** Embeddings of texts, of length one. */
export function embeddings(post: Post, options: OpenaiOptions) {
  const { model, dimensions, encodingFormat, body } = options
  const prefixes = { query: options.queryPrefix, document: options.documentPrefix }
  return async (texts: readonly string[], role: EmbedRole, signal: AbortSignal): Promise<Embeddings> => {
    const sent = {
      model,
      input: texts.map((text) => prefixes[role] + text),
      encoding_format: encodingFormat,
      ...(dimensions !== undefined && { dimensions }),
      ...body,
    }
    try {
      return embeddingsOf(await post('/embeddings', sent, { signal, sample: 0 }))
    } catch (error) {
      throw translate(error, sent)
    }
  }
}

/** A long list of numbers, looked at one by one only when it becomes a vector. */
const list = z.custom<readonly unknown[]>(Array.isArray)

const embeddingReply = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.union([z.string(), list]) })),
  usage: z.object({ prompt_tokens: count }).nullish(),
})

function embeddingsOf(sent: unknown): Embeddings {
  throwRefusal(sent)
  const { data, usage } = checked(embeddingReply, sent)
  const inOrder = data.map((item, position) => ({ at: item.index ?? position, embedding: item.embedding }))
  if (new Set(inOrder.map(({ at }) => at)).size < inOrder.length)
    throw new CallError('server', "the server's reply gives two embeddings the same index", { retryable: true })
  const vectors = inOrder.sort((a, b) => a.at - b.at).map(({ embedding }) => unitVector(embedding))
  const tokens = usage?.prompt_tokens
  return { vectors, ...(typeof tokens === 'number' && { tokens }) }
}

/** Of length one; zero stays zero, and what is not finite stays so, for the caller to name its text. */
function unitVector(sent: string | readonly unknown[]): Float32Array {
  const vector =
    typeof sent === 'string'
      ? new Float32Array(new Uint8Array(Buffer.from(sent, 'base64')).buffer)
      : Float32Array.from(sent, (value) => (typeof value === 'number' ? value : NaN))
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 ? vector.map((value) => value / length) : vector
}

/** What a server sent, in the right shape; JSON may come as text. Throws CallError naming the place. */
export function checked<T>(schema: z.ZodType<T>, sent: unknown): T {
  const read = schema.safeParse(typeof sent === 'string' ? parsed(sent) : sent)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new CallError('server', `the server's reply is malformed at "${place}": ${issue?.message ?? ''}`, {
    retryable: true,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const passing = new Set([408, 409, 425, 429])

/** What a failed request means: whether to repeat it, or a ModelError where no repetition helps. `sent`: its body. */
export function translate(error: unknown, sent?: object): Error {
  const known = causesOf(error).find((cause) => cause instanceof ModelError || cause instanceof CallError)
  if (known) return known
  const fields = fieldsOf(error)
  const { status, code, type, headers } = fields
  const message = explained(error)
  if (status === undefined) return unanswered(error, message)
  const complaint = complaintOf(fields, message, sent)
  if (complaint === 'length') return new ModelError('window', message)
  if (complaint === 'content') return new ModelError('refused', message)
  // a used-up quota comes as a 429, and no wait helps
  const spent = code === 'insufficient_quota' || type === 'insufficient_quota'
  const retryable = !spent && !complaint && (passing.has(status) || status >= 500)
  const waitSeconds = headers && retryAfterSeconds(headers)
  const useless = spent ? 'quota' : String(status)
  const remedy = (complaint && remedyFor(complaint)) ?? remedies[useless]
  return new CallError('server', message, { retryable, waitSeconds, ...(remedy && { unusable: useless, remedy }) })
}

/** What to do where every call of a model gets the same: a wrong key, an unpaid account, a missing address. */
const remedies: Readonly<Record<string, string>> = {
  401: 'check the key: apiKey of the model, or OPENAI_API_KEY',
  402: 'check the account of the key',
  403: 'check what the key may use',
  404: 'check model and baseUrl',
  quota: 'check the account of the key: its quota is used up',
  ECONNREFUSED: 'check baseUrl, and whether the server runs',
  ENOTFOUND: 'check the host in baseUrl',
}

/** Codes of connections that no call gets. */
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND'])

/** No status: the connection failed, before or within the reply, or the reply was no JSON. */
function unanswered(error: unknown, message: string): CallError {
  // the parser quotes a piece of the reply, which may hold a piece of a key
  if (error instanceof SyntaxError)
    return new CallError('server', "the server's reply is malformed: it is not JSON", { retryable: true })
  if (error instanceof RangeError)
    return new CallError('server', `the server's reply is malformed: ${message}`, { retryable: true })
  const kind = /timed? ?out/i.test(message) ? 'timeout' : 'network'
  const code = causesOf(error)
    .map(codeOf)
    .find((one) => unreachable.has(one))
  return new CallError(kind, message, { retryable: true, ...(code && { unusable: code, remedy: remedies[code] }) })
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

const fieldsOf = (error: unknown): ErrorFields => (error instanceof Error ? (error as ErrorFields) : {})

/** The message with those of its causes, which alone say why a connection failed. */
function explained(error: unknown): string {
  const messages = causesOf(error).map((cause) => messageOf(cause).replace(/\.$/, ''))
  return [...new Set(messages)].filter((message) => message !== '').join(': ')
}

/** An error, its cause, the cause of that, … */
function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
