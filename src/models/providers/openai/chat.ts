import type { OpenAI } from 'openai'
import { z } from 'zod'
import { messagesOf } from '../../calls/messages.ts'
import type { Completion, CompletionRequest } from '../../provider.ts'
import { replyLimit } from '../../calls/reply-limit.ts'
import { translate } from './error.ts'
import { officialUrl, type OpenaiOptions } from './options.ts'
import type { Post, PostedCall } from './post.ts'
import { checked, count } from './reply.ts'
import { refusesFormat, schemaFormat } from './structured.ts'

type ChatBody = OpenAI.ChatCompletionCreateParamsNonStreaming

/** Completions of a chat model. */
export function chat(post: Post, options: OpenaiOptions) {
  // by task, not for all at once: then a reply does not depend on which call was refused first
  const plain = new Set<string>()
  const send = async (body: ChatBody, call: PostedCall): Promise<Completion> =>
    completionOf(await post('/chat/completions', body, call))

  return async (request: CompletionRequest, signal: AbortSignal): Promise<Completion> => {
    const body = chatBody(request, options)
    const call = { signal, sample: request.sample }
    const format = plain.has(request.task) ? undefined : formatOf(request, options.structured)
    try {
      return await send(format ? { ...body, response_format: format } : body, call)
    } catch (error) {
      if (!format || options.structured !== 'auto' || !refusesFormat(error)) throw translate(error)
    }
    plain.add(request.task)
    try {
      return await send(body, call)
    } catch (error) {
      throw translate(error)
    }
  }
}

function chatBody(request: CompletionRequest, options: OpenaiOptions): ChatBody {
  const { model, baseUrl, temperature, topP, seed } = options
  const maxTokens = replyLimit(request, options.maxTokens)
  const { sampling } = request.prompt
  return {
    model,
    messages: [...messagesOf(request)],
    // the official API has renamed it, and its newer models refuse the old name; local servers know only that
    [baseUrl === officialUrl ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
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
  const isObject = request.reply === 'json' && request.schema?.['type'] === 'object'
  return structured === 'json' && isObject ? { type: 'json_object' } : undefined
}

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
  const { message, finish_reason: reason } = choices[0] ?? { message: {} }
  const refused = reason === 'content_filter' || Boolean(message.refusal)
  const promptTokens = usage?.prompt_tokens
  const completionTokens = usage?.completion_tokens
  return {
    text: message.content ?? message.refusal ?? '',
    finish: refused ? 'filter' : reason === 'length' ? 'length' : 'stop',
    ...(typeof promptTokens === 'number' && { promptTokens }),
    ...(typeof completionTokens === 'number' && { completionTokens }),
  }
}
