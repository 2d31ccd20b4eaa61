import { z } from 'zod'
import { isObject } from '../../../basics/plain-data.ts'
import { withoutReasoning } from '../../../text/reasoning.ts'
import { CallError } from '../../calls/retry.ts'
import type { Completion, Embeddings } from '../../provider.ts'

/** A token count; anything else is ignored. */
const count = z.number().optional().catch(undefined)

const chatReply = z.object({
  choices: z.tuple([z.object({ finish_reason: z.unknown().optional(), message: z.looseObject({}) })], z.unknown()),
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
  const [{ message, finish_reason: reason }] = choices
  const refusal = textOf(message['refusal'])
  const isRefused = reason === 'content_filter' || refusal !== ''
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, prompt_tokens_details } = usage ?? {}
  const { cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = usage ?? {}
  const cachedTokens =
    (prompt_tokens_details?.cached_tokens ?? 0) + cache_read_input_tokens + cache_creation_input_tokens
  const text = textOf(message['content']) || refusal
  const isEmpty = text.trim() === '' && !isRefused && reason !== 'length'
  return {
    text: isEmpty ? answerAfterReasoning(message) : text,
    finish: isRefused ? 'filter' : reason === 'length' ? 'length' : 'stop',
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(cachedTokens > 0 && { cachedTokens }),
  }
}

/** The text of a content, which may be a list of parts, without reasoning. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('')
  if (!isObject(content) || /think|reason/i.test(String(content['type']))) return ''
  return textOf(content['text'] ?? content['content'])
}

/** The answer after the reasoning, for a reply without content. Throws CallError for reasoning alone. */
function answerAfterReasoning({ content, reasoning_content, reasoning }: Readonly<Record<string, unknown>>): string {
  const thoughts = (textOf(reasoning_content) || textOf(reasoning)).trim()
  const answer = withoutReasoning(thoughts)
  if (answer !== thoughts && answer !== '') return answer
  if (thoughts === '' && !(Array.isArray(content) && content.length > 0)) return ''
  throw new CallError('server', "the server's reply has reasoning and no content", {
    retryable: false,
    unusable: 'reasoning',
    remedy:
      'turn off the reasoning parser of the server, or thinking (body: { chat_template_kwargs: { enable_thinking: false } })',
  })
}

const embeddingReply = z.object({
  data: z.array(
    z.object({
      index: z.int().min(0).optional(),
      // long: validated when it becomes a vector
      embedding: z.custom<readonly unknown[]>(Array.isArray),
    }),
  ),
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
  return { vectors, ...(tokens !== undefined && { tokens }) }
}

/** A unit vector; zero vectors and numbers that are not finite stay, for the caller to report. */
function unitVector(embedding: readonly unknown[]): Float32Array {
  const vector = Float32Array.from(embedding, (value) => (typeof value === 'number' ? value : NaN))
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 ? vector.map((value) => value / length) : vector
}

/** Validates a reply. Throws CallError naming the place; text is not quoted: it may contain a piece of a key. */
export function parseReply<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const fields = isObject(body) ? ` (its fields are ${Object.keys(body).slice(0, 6).join(', ')})` : ''
  const fault = typeof body === 'string' ? 'it is not JSON' : `at "${issue?.path.join('.') ?? ''}"${fields}`
  throw new CallError('server', `the server's reply is malformed: ${fault}; check baseUrl`, { retryable: true })
}
