import { scrub, ModelError } from '../../errors.ts'
import { withoutReasoning } from '../../text/reasoning.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { CallResult, Exchange, Reply } from '../cache/cache.ts'
import {
  longestReply,
  messagesOf,
  replyLimit,
  usualReply,
  type Completion,
  type CompletionRequest,
  type Provider,
} from '../provider.ts'
import type { CallContext } from './call-context.ts'
import type { TaskCall } from './task-call.ts'

/**
 * Requests a reply, and once more if it is unreadable: with the error, or with a higher limit if it ended at its token
 * limit; at the highest limit a list is requested in two halves. The cache stores the whole exchange. Throws ModelError
 * if the window leaves no room for the reply.
 */
export async function askWithRepair(
  { provider, tokenizer, send, warn }: CallContext,
  complete: NonNullable<Provider['complete']>,
  { request, read, halves }: TaskCall,
): Promise<CallResult<Exchange>> {
  const { task } = request
  const replies: Reply[] = []
  let milliseconds = 0
  /** Sends one request; returns why its reply cannot be read, or undefined. */
  const ask = async (question: CompletionRequest): Promise<Fault | undefined> => {
    const boundedRequest = withinWindow(provider, question, tokenizer)
    const limit = replyLimit(boundedRequest, provider.maxTokens)
    const { result: reply, milliseconds: duration } = await send(
      () => ({ promptTokens: promptTokensOf(boundedRequest, tokenizer), completionTokens: limit }),
      (signal) => complete(boundedRequest, signal),
      (completion) => toReply(completion, question, tokenizer),
    )
    replies.push(reply)
    milliseconds += duration
    if (reply.cutPrompt)
      warn(
        `${provider.name} "${provider.model}" read ${reply.promptTokens} of about ${promptTokensOf(question, tokenizer)} prompt tokens (task ${task}): set a longer context on its server (num_ctx of Ollama, --ctx-size of llama.cpp), or a smaller budget`,
      )
    if (reply.finish === 'filter')
      throw new ModelError('refused', `${task}: the content filter of the server refused the reply`, {
        raw: reply.text,
      })
    const value = read(reply.text)
    if (!('error' in value)) return undefined
    return reply.finish === 'length'
      ? faultOfCut(reply.text, limit, longestReply(boundedRequest, provider))
      : { text: reply.text, error: value.error, remedy: { repair: { reply: reply.text, error: value.error } } }
  }
  const result = (failure?: ModelError): CallResult<Exchange> => ({
    entry: { replies, milliseconds },
    ...(failure && { failure }),
  })

  try {
    const first = await ask(request)
    if (!first) return result()
    const second = first.remedy ? await ask({ ...request, ...first.remedy }) : first
    if (!second) return result()
    const tries = first.remedy ? 'two replies could not be read; the second' : 'the reply could not be read'
    const message = `${task}: ${tries}: ${second.error}`
    const parts = second.remedy ? undefined : halves?.()
    if (!parts) return result(new ModelError('reply', message, { raw: second.text }))
    for (const prompt of parts.prompts) {
      const half = await ask({ ...request, prompt })
      if (half) return result(new ModelError('reply', `${message}; of one half: ${half.error}`, { raw: half.text }))
    }
    return { entry: { replies, halved: true, milliseconds } }
  } catch (error) {
    if (error instanceof ModelError) return result(error)
    throw error
  }
}

/** An unreadable reply, and the change of the request that may help. */
interface Fault {
  readonly text: string
  readonly error: string
  readonly remedy?: Pick<CompletionRequest, 'repair' | 'more'>
}

/** Of a reply that ended at its token limit; `longest`: the longest limit that a second request may have. */
function faultOfCut(text: string, limit: number, longest: number): Fault {
  const before = withoutReasoning(text) === '' ? ', before an answer: set a larger maxTokens' : ''
  const fault = { text, error: `it ended at the token limit of ${limit}${before}` }
  return longest > limit ? { ...fault, remedy: { more: longest } } : fault
}

/** The request with the room that the window leaves for the reply. Throws ModelError if the room is too small. */
function withinWindow(provider: Provider, request: CompletionRequest, tokenizer: Tokenizer): CompletionRequest {
  const { window, model, maxTokens: configuredLimit } = provider
  if (window === undefined) return request
  const bytes = messagesOf(request).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  // a token has one byte or more: short prompts need no count
  if (bytes + replyLimit(request, configuredLimit) <= window) return request
  const prompt = promptTokensOf(request, tokenizer)
  const room = window - prompt
  const least = Math.min(configuredLimit ?? usualReply, request.prompt.maxTokens || Infinity)
  if (room >= least) return { ...request, room }
  const sizes = `${prompt} prompt and ${least} reply tokens exceed the window of ${window}`
  throw new ModelError('window', `${request.task}: the prompt is too long for ${model}: ${sizes}; set a smaller budget`)
}

/** Tokens of a prompt, by the run's tokenizer. */
const promptTokensOf = (request: CompletionRequest, tokenizer: Tokenizer): number =>
  messagesOf(request).reduce((sum, { content }) => sum + tokenizer.count(content), 0)

/** The reply without keys, with the provider's token counts or ours. Reasoning counts, as it is paid for. */
function toReply(completion: Completion, request: CompletionRequest, tokenizer: Tokenizer): Reply {
  const { finish, fallbacks, cachedTokens = 0 } = completion
  const localCount = promptTokensOf(request, tokenizer)
  // tokenizers differ, but not by half
  const isCut = completion.promptTokens !== undefined && 2 * (completion.promptTokens + cachedTokens) < localCount
  const text = scrub(completion.text)
  return {
    text,
    finish,
    ...(fallbacks && { fallbacks }),
    ...(isCut && { cutPrompt: true }),
    promptTokens: completion.promptTokens ?? localCount,
    completionTokens: completion.completionTokens ?? tokenizer.count(text),
    estimated: completion.promptTokens === undefined || completion.completionTokens === undefined,
  }
}
