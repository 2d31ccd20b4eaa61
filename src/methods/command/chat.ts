import { z, type ZodType } from 'zod'
import { messageOf } from '../../errors.ts'
import { chat, chatJson } from '../../tasks/chat.ts'
import { validationErrors } from '../../text/validation-errors.ts'
import type { Models, EmbedRole } from '../../types.ts'
import { modelNames } from './program.ts'

/** A rejected request: HTTP status and message. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Body = Readonly<Record<string, unknown>>

const textParts = z.array(z.object({ type: z.literal('text'), text: z.string() }))

const message = z.object({
  role: z
    .enum(['system', 'developer', 'user', 'assistant'])
    .transform((role) => (role === 'developer' ? 'system' : role)),
  content: z.union([z.string(), textParts.transform((parts) => parts.map(({ text }) => text).join(''))]),
})

const tokenCount = z.int().min(1).optional()

const chatBody = z.strictObject({
  messages: z.array(message).min(1),
  max_tokens: tokenCount,
  max_completion_tokens: tokenCount,
  response_format: z
    .union([
      z.object({ type: z.enum(['text', 'json_object']) }),
      z.object({ type: z.literal('json_schema'), json_schema: z.object({ schema: z.unknown().optional() }) }),
    ])
    .optional(),
  n: z.literal(1).optional(),
})

const embeddingsBody = z.strictObject({
  input: z.union([z.string().transform((text) => [text]), z.array(z.string())]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
})

/** Fields without effect: the config sets these for all methods. */
const ignoredFields = new Set([
  'model',
  'temperature',
  'top_p',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'user',
])

/** Answers `/chat/completions`. Throws Refusal and errors of the models. */
export async function answerChat(request: Body, models: Models): Promise<object> {
  const { messages, response_format: format, ...limits } = read(chatBody, request)
  const maxTokens = limits.max_completion_tokens ?? limits.max_tokens
  const prompt = { messages, ...(maxTokens !== undefined && { maxTokens }) }
  const task = jsonTask(format)
  const content = task ? JSON.stringify(await models.run(task, prompt)) : await models.run(chat, prompt)
  const input = messages.reduce((sum, { content }) => sum + models.countTokens(content), 0)
  const output = models.countTokens(content)
  const reply = { role: 'assistant', content, refusal: null }
  return {
    id: 'chatcmpl-gembench',
    object: 'chat.completion',
    created: 0,
    model: modelNames.complete,
    choices: [{ index: 0, message: reply, finish_reason: 'stop', logprobs: null }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

function jsonTask(format: z.infer<typeof chatBody>['response_format']): ReturnType<typeof chatJson> | undefined {
  if (format === undefined || format.type === 'text') return undefined
  if (!('json_schema' in format)) return chatJson()
  try {
    return chatJson(z.fromJSONSchema(format.json_schema.schema as Parameters<typeof z.fromJSONSchema>[0]))
  } catch (error) {
    throw new Refusal(400, `"response_format.json_schema.schema" cannot be read: ${messageOf(error)}`)
  }
}

/** Answers `/embeddings`, with the role of the pending request. Throws Refusal and errors of the models. */
export async function answerEmbeddings(request: Body, models: Models, role: EmbedRole): Promise<object> {
  const { input, encoding_format: format } = read(embeddingsBody, request)
  const vectors = await models.embed(input, role)
  const tokens = input.reduce((sum, text) => sum + models.countTokens(text), 0)
  return {
    object: 'list',
    model: modelNames.embed,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    data: vectors.map((vector, index) => {
      // 32-bit floats, little-endian
      const bytes = Buffer.from(Float32Array.from(vector).buffer)
      const embedding = format === 'base64' ? bytes.toString('base64') : [...vector]
      return { object: 'embedding', index, embedding }
    }),
  }
}

/** Validates a body without ignored and unset fields (null, false, an empty list). Throws Refusal. */
function read<T>(schema: ZodType<T>, body: Body): T {
  const isSet = (value: unknown): boolean =>
    value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
  const fields = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => isSet(value) && !ignoredFields.has(name)),
  )
  const [fault] = validationErrors(schema, fields, {})
  if (fault) throw new Refusal(400, fault.message)
  return schema.parse(fields)
}
