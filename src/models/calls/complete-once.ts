import { scrub, ModelError } from '../../errors.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { Reply } from '../cache/cache.ts'
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

/** A reply, its token limit, and the longest limit that a second request may have. */
export interface LimitedCompletion {
  readonly reply: Reply
  readonly milliseconds: number
  readonly limit: number
  readonly longest: number
}

/** One request to a language model. Throws ModelError, also if its window leaves no room for the reply. */
export async function completeOnce(
  { provider, tokenizer, send }: CallContext,
  complete: NonNullable<Provider['complete']>,
  request: CompletionRequest,
  warn: (line: string) => void,
): Promise<LimitedCompletion> {
  const boundedRequest = withinWindow(provider, request, tokenizer)
  const limit = replyLimit(boundedRequest, provider.maxTokens)
  const { result: reply, milliseconds } = await send(
    () => ({ promptTokens: promptTokensOf(boundedRequest, tokenizer), completionTokens: limit }),
    (signal) => complete(boundedRequest, signal),
    (completion) => toReply(completion, request, tokenizer),
  )
  if (reply.cutPrompt)
    warn(
      `${provider.name} "${provider.model}" read ${reply.promptTokens} of about ${promptTokensOf(request, tokenizer)} prompt tokens (task ${request.task}): set a longer context on its server (num_ctx of Ollama, --ctx-size of llama.cpp), or a smaller budget`,
    )
  return { reply, milliseconds, limit, longest: longestReply(boundedRequest, provider) }
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
