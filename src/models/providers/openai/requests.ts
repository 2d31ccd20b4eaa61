import type { OpenAI, APIError } from 'openai'
import { z } from 'zod'
import { isObject } from '../../../basics/plain-data.ts'
import { messageOf, ModelError } from '../../../errors.ts'
import type { EmbedRole } from '../../../types.ts'
import { CallError, retryAfterSeconds } from '../../calls/retry.ts'
import { messagesOf, replyLimit, type Completion, type CompletionRequest, type Embeddings } from '../../provider.ts'
import { officialUrl, type OpenaiOptions } from './options.ts'

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

/** Completions of a chat model. A task whose schema the server refuses is asked without one from then on. */
export function chat(post: Post, options: OpenaiOptions) {
  // by task, not for all at once: then a reply does not depend on which call was refused first
  const plain = new Set<string>()
  return async (request: CompletionRequest, signal: AbortSignal): Promise<Completion> => {
    const body = chatBody(request, options)
    const format = plain.has(request.task) ? undefined : formatOf(request, options.structured)
    const send = async (sent: ChatBody): Promise<Completion> =>
      completionOf(await post('/chat/completions', sent, { signal, sample: request.sample }))
    try {
      return await send(format ? { ...body, response_format: format } : body)
    } catch (error) {
      if (!format || options.structured !== 'auto' || !refusesFormat(error)) throw translate(error)
    }
    plain.add(request.task)
    return send(body).catch((error: unknown) => {
      throw translate(error)
    })
  }
}

function chatBody(request: CompletionRequest, options: OpenaiOptions): ChatBody {
  const { model, baseUrl, temperature, topP, seed } = options
  const { sampling } = request.prompt
  return {
    model,
    messages: [...messagesOf(request)],
    // the official API has renamed it, and its newer models refuse the old name; local servers know only that
    [baseUrl === officialUrl ? 'max_completion_tokens' : 'max_tokens']: replyLimit(request, options.maxTokens),
    ...(temperature !== null && { temperature: sampling?.temperature ?? temperature }),
    ...(topP !== undefined && { top_p: topP }),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way to ask for the same reply twice
    ...(seed !== null && { seed: seed + request.sample + (sampling?.variant ?? 0) }),
    ...options.body,
  }
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

/** Whether a server's complaint is that it knows no structured output, or not this schema. */
function refusesFormat(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return (
    (status === 400 || status === 404 || status === 422) &&
    /response_format|json_schema|structured|schema|grammar|guided/i.test(messageOf(error))
  )
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
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
})

/** What a server sent, checked: it may be anything. Reasoning in fields of its own is left out. */
function completionOf(sent: unknown): Completion {
  const { choices, usage } = checked(chatReply, sent)
  const [choice] = choices
  if (!choice) throw new CallError('server', "the server's reply has no choices", { retryable: true })
  const { message, finish_reason: reason } = choice
  const isRefused = reason === 'content_filter' || Boolean(message.refusal)
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {}
  return {
    text: message.content ?? message.refusal ?? '',
    finish: isRefused ? 'filter' : reason === 'length' ? 'length' : 'stop',
    ...(typeof promptTokens === 'number' && { promptTokens }),
    ...(typeof completionTokens === 'number' && { completionTokens }),
  }
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
      throw translate(error)
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

/** What is read of an error of the client library, or of Node's fetch beneath it. */
type Fields = Partial<Pick<APIError, 'status' | 'code' | 'type' | 'headers'>>

const passing = new Set([408, 409, 425, 429])

/** What a failed request means: whether to repeat it, or a ModelError where no repetition helps. */
export function translate(error: unknown): Error {
  const known = causesOf(error).find((cause) => cause instanceof ModelError || cause instanceof CallError)
  if (known) return known
  const { status, code, type, headers } = fieldsOf(error)
  const message = explained(error)
  if (status === undefined) return unanswered(error, message)
  if (code === 'context_length_exceeded') return new ModelError('window', message)
  if (code === 'content_filter') return new ModelError('refused', message)
  // a used-up quota comes as a 429, and no wait helps
  const spent = code === 'insufficient_quota' || type === 'insufficient_quota'
  const retryable = !spent && (passing.has(status) || status >= 500)
  const unusable = spent ? 'quota' : useless.has(status) ? String(status) : undefined
  return new CallError('server', message, { retryable, waitSeconds: headers && retryAfterSeconds(headers), unusable })
}

/** Statuses that every call of a model gets: a wrong key, an unpaid account, a forbidden or missing address. */
const useless = new Set([401, 402, 403, 404])

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
  return new CallError(kind, message, { retryable: true, unusable: code })
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

const fieldsOf = (error: unknown): Fields => (error instanceof Error ? (error as Fields) : {})

/** The message with those of its causes, which alone say why a connection failed. */
function explained(error: unknown): string {
  const messages = causesOf(error).map((cause) => messageOf(cause).replace(/\.$/, ''))
  return [...new Set(messages)].filter((message) => message !== '').join(': ')
}

/** An error, its cause, the cause of that, … */
function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
