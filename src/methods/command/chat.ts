import { z, type ZodType } from 'zod'
import { messageOf } from '../../errors.ts'
import { chat, chatJson } from '../../tasks/chat.ts'
import type { Message, Models, EmbedRole } from '../../types.ts'
import { modelNames } from './program.ts'

/** A call that is refused, with the status of HTTP and one sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A value that asks for nothing: absent, null, false, or an empty list. */
const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)

/** Throws Refusal for a field that is neither read nor fixed by the config. */
export function refuseOthers(body: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const other = Object.keys(body).find((field) => !known.includes(field) && !isUnset(body[field]))
  if (other !== undefined) throw new Refusal(400, `"${other}" is not possible here: leave it out`)
}

/** Fields that the config fixes for all methods alike, so that what a call says of them has no effect. */
const fixed = ['model', 'temperature', 'top_p', 'seed', 'frequency_penalty', 'presence_penalty', 'reasoning_effort']
const read = [
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'stream',
  'stream_options',
  'n',
  'user',
]

type Body = Readonly<Record<string, unknown>>

/** Answers `/chat/completions`; a list is what a stream is made of. Throws Refusal, and what the models throw. */
export async function answerChat(body: Body, models: Models): Promise<object | readonly object[]> {
  refuseOthers(body, [...fixed, ...read])
  if (!isUnset(body['n']) && body['n'] !== 1) throw new Refusal(400, '"n" must be 1')
  const messages = messagesOf(body['messages'])
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  if (!isUnset(limit) && !(Number.isSafeInteger(limit) && Number(limit) > 0))
    throw new Refusal(400, '"max_tokens" must be a whole number, 1 or more')
  const prompt = { messages, ...(!isUnset(limit) && { maxTokens: Number(limit) }) }
  const form = formOf(body['response_format'])
  const text = form ? JSON.stringify(await models.run(form, prompt)) : await models.run(chat, prompt)
  const asked = messages.reduce((sum, { content }) => sum + models.countTokens(content), 0)
  const said = models.countTokens(text)
  const usage = { prompt_tokens: asked, completion_tokens: said, total_tokens: asked + said }
  const head = { id: 'chatcmpl-gembench', created: 0, model: modelNames.complete }
  if (isUnset(body['stream'])) {
    const message = { role: 'assistant', content: text, refusal: null }
    const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }]
    return { ...head, object: 'chat.completion', choices, usage }
  }
  const chunk = (delta: object, finish_reason: string | null): object => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const counted = (body['stream_options'] as { include_usage?: unknown } | null | undefined)?.include_usage === true
  return [
    chunk({ role: 'assistant', content: text }, null),
    chunk({}, 'stop'),
    ...(counted ? [{ ...head, object: 'chat.completion.chunk', choices: [], usage }] : []),
  ]
}

const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
}

function messagesOf(given: unknown): readonly Message[] {
  if (!Array.isArray(given) || given.length === 0) throw new Refusal(400, '"messages" must be a list of messages')
  return (given as readonly unknown[]).map((one) => {
    const { role, content } = (one ?? {}) as { readonly role?: unknown; readonly content?: unknown }
    const known = typeof role === 'string' ? roles[role] : undefined
    if (known === undefined)
      throw new Refusal(400, `a message has the role ${JSON.stringify(role)}: give system, user or assistant`)
    return { role: known, content: textOf(content) }
  })
}

/** A text, or the texts of parts one after another. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? (content as readonly ({ type?: unknown; text?: unknown } | null)[]) : [null]
  return parts
    .map((part) => {
      if (part?.type === 'text' && typeof part.text === 'string') return part.text
      throw new Refusal(400, 'the content of a message must be a text, or a list of parts of the type "text"')
    })
    .join('')
}

/** The task of a reply in JSON; undefined where it is to be a text. */
function formOf(format: unknown): ReturnType<typeof chatJson> | undefined {
  if (isUnset(format)) return undefined
  const { type, json_schema: asked } = format as { type?: unknown; json_schema?: { schema?: unknown } }
  if (type === 'text') return undefined
  if (type === 'json_object') return chatJson()
  if (type === 'json_schema') return chatJson(schemaOf(asked?.schema))
  throw new Refusal(400, '"response_format" must be of the type "text", "json_object" or "json_schema"')
}

function schemaOf(schema: unknown): ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch (error) {
    throw new Refusal(400, `"response_format.json_schema.schema" cannot be read: ${messageOf(error)}`)
  }
}

/** What is asked of the embedder; `model` is fixed by the config. */
const known = ['model', 'input', 'encoding_format', 'input_type', 'user']

/** Answers `/embeddings` in the role of `input_type`, else of the request. Throws Refusal, and what models throw. */
export async function answerEmbeddings(
  body: Readonly<Record<string, unknown>>,
  { models, role }: { readonly models: Models; readonly role: EmbedRole },
): Promise<object> {
  refuseOthers(body, known)
  const { input, encoding_format: format = 'float', input_type: type } = body
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input]
  if (!texts.every((text): text is string => typeof text === 'string'))
    throw new Refusal(400, '"input" must be a text or a list of texts')
  if (format !== 'float' && format !== 'base64') throw new Refusal(400, '"encoding_format" must be "float" or "base64"')
  if (!isUnset(type) && type !== 'query' && type !== 'document')
    throw new Refusal(400, '"input_type" must be "query" or "document"')
  const vectors = await models.embed(texts, isUnset(type) ? role : (type as EmbedRole))
  const tokens = texts.reduce((sum, text) => sum + models.countTokens(text), 0)
  return {
    object: 'list',
    model: modelNames.embed,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? base64Of(vector) : [...vector],
    })),
  }
}

/** 32-bit floats, lowest byte first. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4))
  return bytes.toString('base64')
}
