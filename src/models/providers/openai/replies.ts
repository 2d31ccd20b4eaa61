import { z } from 'zod'
import { isObject } from '../../../basics/plain-data.ts'
import { withoutReasoning } from '../../../text/reasoning.ts'
import { CallError } from '../../calls/retry.ts'
import type { Completion, Embeddings } from '../../provider.ts'

/** A count of tokens, which servers may leave out or fill with anything. */
const count = z.number().nullish().catch(undefined)

/** A text, or a list of its parts as some servers send it. */
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

/** What a server sent, checked: it may be anything. Reasoning in fields of its own is left out. */
export function completionOf(sent: unknown): Completion {
  const { choices, usage } = checked(chatReply, sent)
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

/** The text in the parts of a content, without those that hold reasoning. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('')
  if (!isObject(content) || /think|reason/i.test(String(content['type']))) return ''
  return textOf(content['text'] ?? content['content'])
}

/** What a reply without content says after its reasoning. Throws CallError for reasoning alone. */
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

/** A long list of numbers, looked at one by one only when it becomes a vector. */
const list = z.custom<readonly unknown[]>(Array.isArray)

const embeddingReply = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.union([z.string(), list]) })),
  usage: z.object({ prompt_tokens: count }).nullish(),
})

/** What a server sent for texts, checked: a vector each, of length one, in their order. */
export function embeddingsOf(sent: unknown): Embeddings {
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

/** What a server sent, in the right shape. Throws CallError naming the place. */
export function checked<T>(schema: z.ZodType<T>, sent: unknown): T {
  const read = schema.safeParse(sent)
  if (read.success) return read.data
  throw new CallError('server', `the server's reply is malformed${faultIn(sent, read.error)}`, { retryable: true })
}

/** What is wrong with a reply. A text is not quoted, since it may hold a piece of a key. */
function faultIn(sent: unknown, { issues: [issue] }: z.ZodError): string {
  if (typeof sent === 'string') return sent.trim() === '' ? ': it is empty' : ': it is text, not JSON; check baseUrl'
  const place = issue?.path.join('.') ?? ''
  const isOther = isObject(sent) && !place.includes('.') && !Object.hasOwn(sent, place)
  const fields = isOther ? `, and its fields are ${Object.keys(sent).slice(0, 6).join(', ')}; check baseUrl` : ''
  return ` at "${place}": ${issue?.message ?? ''}${fields}`
}
