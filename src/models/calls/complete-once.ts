import { scrub } from '../../basics/secrets.ts'
import { ModelError } from '../../errors.ts'
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
import type { Wrapped } from './wrapped.ts'

/** A reply, the largest number of tokens that it could have, and the largest that a second one may have. */
export interface CompletedOnce {
  readonly reply: Reply
  readonly milliseconds: number
  readonly limit: number
  readonly longest: number
}

/** One request to a language model. Throws ModelError, also where its window leaves no room for the reply. */
export async function completeOnce(
  { provider, tokenizer, send }: Wrapped,
  complete: NonNullable<Provider['complete']>,
  request: CompletionRequest,
  warn: (line: string) => void,
): Promise<CompletedOnce> {
  const bounded = withinWindow(provider, request, tokenizer)
  const limit = replyLimit(bounded, provider.maxTokens)
  const { result: reply, milliseconds } = await send(
    () => ({ promptTokens: promptTokensOf(bounded, tokenizer), completionTokens: limit }),
    (signal) => complete(bounded, signal),
    (completion) => counted(completion, request, tokenizer),
  )
  if (reply.cutPrompt)
    warn(
      `${provider.name} "${provider.model}" read ${reply.promptTokens} of about ${promptTokensOf(request, tokenizer)} tokens of a prompt (task ${request.task}): its server cuts long prompts; give it a longer context (num_ctx of Ollama, --ctx-size of llama.cpp), or set a smaller budget and smaller chunks`,
    )
  return { reply, milliseconds, limit, longest: longestReply(bounded, provider) }
}

/** The request with the room that the window leaves its reply. Throws ModelError where that is less than needed. */
function withinWindow(provider: Provider, request: CompletionRequest, tokenizer: Tokenizer): CompletionRequest {
  const { window, model, maxTokens: configured } = provider
  if (window === undefined) return request
  const bytes = messagesOf(request).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  // a token has one byte or more, so that short prompts need not be counted
  if (bytes + replyLimit(request, configured) <= window) return request
  const prompt = promptTokensOf(request, tokenizer)
  const room = window - prompt
  const least = Math.min(configured ?? usualReply, request.prompt.maxTokens || Infinity)
  if (room >= least) return { ...request, room }
  const sizes = `${prompt} tokens in the prompt + ${least} for the reply exceed the window of ${window} tokens`
  throw new ModelError('window', `${request.task}: the prompt is too long for ${model}: ${sizes}`)
}

/** Tokens of a prompt, by our tokenizer. */
export const promptTokensOf = (request: CompletionRequest, tokenizer: Tokenizer): number =>
  messagesOf(request).reduce((sum, { content }) => sum + tokenizer.count(content), 0)

/** The reply without keys, with the provider's counts or ours. Reasoning is counted: it was paid for. */
export function counted(completion: Completion, request: CompletionRequest, tokenizer: Tokenizer): Reply {
  const { finish, fallbacks, cachedTokens = 0 } = completion
  const ours = promptTokensOf(request, tokenizer)
  // tokenizers differ, but not by half
  const isCut = completion.promptTokens !== undefined && 2 * (completion.promptTokens + cachedTokens) < ours
  const text = scrub(completion.text)
  return {
    text,
    finish,
    ...(fallbacks && { fallbacks }),
    ...(isCut && { cutPrompt: true }),
    promptTokens: completion.promptTokens ?? ours,
    completionTokens: completion.completionTokens ?? tokenizer.count(text),
    estimated: completion.promptTokens === undefined || completion.completionTokens === undefined,
  }
}
