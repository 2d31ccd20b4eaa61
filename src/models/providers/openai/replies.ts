import { z } from 'zod'
import { isObject } from '../../../basics/plain-data.ts'
import { withoutReasoning } from '../../../text/reasoning.ts'
import { CallError } from '../../calls/retry.ts'
import type { Completion, Embeddings } from '../../provider.ts'

/** A token count; anything else is ignored. */
const count = z.number().nullish().catch(undefined)

/** A text, or its parts as some servers send them. */
const parts = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish()

const chatReply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: parts,
          refusal: z.string().nullish(),
          reasoning_content: parts.catch(undefined),
          reasoning: parts.catch(undefined),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(undefined),
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
    })
    .nullish(),
})

/** Parses a chat completion; separate reasoning fields are left out. */
export function completionOf(body: unknown): Completion {
  const { choices, usage } = parseReply(chatReply, body)
  const [choice] = choices
  if (!choice) throw new CallError('server', "the server's reply has no choices", { retryable: true })
  const { message, finish_reason: reason } = choice
  const isRefused = reason === 'content_filter' || Boolean(message.refusal)
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, ...cached } = usage ?? {}
  const cachedTokens =
    (cached.prompt_tokens_details?.cached_tokens ?? 0) +
    (cached.cache_read_input_tokens ?? 0) +
    (cached.cache_creation_input_tokens ?? 0)
  const text = textOf(message.content) || (message.refusal ?? '')
  const isEmpty = text.trim() === '' && !isRefused && reason !== 'length'
  return {
    text: isEmpty ? answerAfter(message) : text,
    finish: isRefused ? 'filter' : reason === 'length' ? 'length' : 'stop',
    ...(typeof promptTokens === 'number' && { promptTokens }),
    ...(typeof completionTokens === 'number' && { completionTokens }),
    ...(cachedTokens > 0 && { cachedTokens }),
  }
}

/** The text of a content's parts, without reasoning. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('')
  if (!isObject(content) || /think|reason/i.test(String(content['type']))) return ''
  return textOf(content['text'] ?? content['content'])
}

/** The answer after the reasoning, for a reply without content. Throws CallError for reasoning alone. */
function answerAfter({ content, ...message }: z.output<typeof chatReply>['choices'][number]['message']): string {
  const reasoning = textOf(message.reasoning_content ?? message.reasoning).trim()
  const answer = withoutReasoning(reasoning)
  if (answer !== reasoning && answer !== '') return answer
  if (reasoning === '' && !(Array.isArray(content) && content.length > 0)) return ''
  throw new CallError('server', "the server's reply has reasoning and no content", {
    retryable: false,
    unusable: 'reasoning',
    remedy:
      'turn off the reasoning parser of the server, or thinking (body: { chat_template_kwargs: { enable_thinking: false } })',
  })
}

/** A long list of numbers, validated when it becomes a vector. */
const list = z.custom<readonly unknown[]>(Array.isArray)

const embeddingReply = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: list })),
  usage: z.object({ prompt_tokens: count }).nullish(),
})

/** Parses embeddings: one unit vector per text, in order. */
export function embeddingsOf(body: unknown): Embeddings {
  const { data, usage } = parseReply(embeddingReply, body)
  const inOrder = data.map((item, position) => ({ at: item.index ?? position, embedding: item.embedding }))
  if (new Set(inOrder.map(({ at }) => at)).size < inOrder.length)
    throw new CallError('server', "the server's reply gives two embeddings the same index", { retryable: true })
  const vectors = inOrder.sort((a, b) => a.at - b.at).map(({ embedding }) => unitVector(embedding))
  const tokens = usage?.prompt_tokens
  return { vectors, ...(typeof tokens === 'number' && { tokens }) }
}

/** A unit vector; zero vectors and numbers that are not finite stay, for the caller to report. */
function unitVector(embedding: readonly unknown[]): Float32Array {
  const vector = Float32Array.from(embedding, (value) => (typeof value === 'number' ? value : NaN))
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 ? vector.map((value) => value / length) : vector
}

/** Validates a reply. Throws CallError naming the place. */
export function parseReply<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  throw new CallError('server', `the server's reply is malformed${faultIn(body, read.error)}`, { retryable: true })
}

/** What is wrong with a reply; text is not quoted, as it may contain a piece of a key. */
function faultIn(body: unknown, { issues: [issue] }: z.ZodError): string {
  if (typeof body === 'string') {
    const isEmpty = body.trim() === ''
    return isEmpty ? ': it is empty' : ': it is text, not JSON; check baseUrl'
  }
  const place = issue?.path.join('.') ?? ''
  const isOther = isObject(body) && !place.includes('.') && !Object.hasOwn(body, place)
  const fields = isOther ? `, and its fields are ${Object.keys(body).slice(0, 6).join(', ')}; check baseUrl` : ''
  return ` at "${place}": ${issue?.message ?? ''}${fields}`
}
