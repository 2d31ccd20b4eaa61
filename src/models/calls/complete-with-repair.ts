import { scrub } from '../../basics/secrets.ts'
import { ModelError } from '../../errors.ts'
import { withoutReasoning } from '../../text/reasoning.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { Prompt } from '../../types.ts'
import type { CallResult, Exchange, Reply } from '../cache/cache.ts'
import {
  type Completion,
  type CompletionRequest,
  type Provider,
  longestReply,
  messagesOf,
  replyLimit,
  usualReply,
} from '../provider.ts'
import type { AskedTask } from './asked-task.ts'
import type { Able, ModelClient } from './client.ts'

/**
 * Asks, and asks once more when the reply cannot be read: naming what is wrong with it, or with more room where it
 * ended at its token limit; a list for which there is no more room is asked for in two halves. The whole exchange is
 * what is cached, so that a replay needs no call.
 */
export async function completeWithRepair(
  completer: ModelClient<Able<'complete'>>,
  { request, ...task }: AskedTask,
): Promise<CallResult<Exchange>> {
  const { task: name } = request
  const replies: Reply[] = []
  let milliseconds = 0
  const ask = async (question: CompletionRequest): Promise<Asked> => {
    const { reply, milliseconds: taken, limit, longest } = await complete(completer, question)
    replies.push(reply)
    milliseconds += taken
    const { text, finish } = reply
    if (finish === 'filter')
      throw new ModelError('refused', `${name}: the server's content filter refused the reply`, { raw: text })
    const read = task.read(text)
    if (!('error' in read)) return { text }
    if (finish !== 'length') return { text, error: read.error, repair: { reply: text, error: read.error } }
    const before = withoutReasoning(text) === '' ? ', before an answer: set a larger maxTokens' : ''
    const error = `it ended at the token limit of ${limit}${before}`
    return longest > limit ? { text, error, more: longest } : { text, error, isCut: true }
  }
  let halved = false
  /** Asks for both halves of a list, since under the same limit the whole would end there again. */
  const askHalves = async (prompts: readonly Prompt[]): Promise<Asked | undefined> => {
    for (const prompt of prompts) {
      const half = await ask({ ...request, prompt })
      if (half.error !== undefined) return half
    }
    halved = true
    return undefined
  }
  const made = (failure?: ModelError): CallResult<Exchange> => ({
    entry: { replies, ...(halved && { halved }), milliseconds },
    ...(failure && { failure }),
  })

  try {
    const first = await ask(request)
    if (first.error === undefined) return made()
    const { repair, more } = first
    const last = first.isCut
      ? first
      : await ask({ ...request, ...(repair && { repair }), ...(more !== undefined && { more }) })
    if (last.error === undefined) return made()
    const said = last.isCut && first.isCut ? '' : 'two replies could not be read; the second: '
    const lost = `${name}: ${said || 'the reply could not be read: '}${last.error}`
    const halves = last.isCut && task.halves?.()
    const half = halves ? await askHalves(halves.prompts) : last
    if (!half) return made()
    const why = half === last ? '' : `; of one half: ${String(half.error)}`
    return made(new ModelError('reply', `${lost}${why}`, { raw: half.text }))
  } catch (error) {
    if (error instanceof ModelError) return made(error)
    throw error
  }
}

/** A reply, and where it cannot be read why not, with how to ask again: what to repair, or the larger limit. */
interface Asked {
  readonly text: string
  readonly error?: string
  readonly repair?: NonNullable<CompletionRequest['repair']>
  readonly more?: number
  /** Whether it ended at its limit, and there is no larger one. */
  readonly isCut?: true
}

async function complete(
  client: ModelClient<Able<'complete'>>,
  request: CompletionRequest,
): Promise<{ reply: Reply; milliseconds: number; limit: number; longest: number }> {
  const { provider, tokenizer } = client
  const bounded = within(provider, request, tokenizer)
  const limits = { limit: replyLimit(bounded, provider.maxTokens), longest: longestReply(bounded, provider) }
  const { result: reply, milliseconds } = await client.request(
    () => ({ promptTokens: promptTokensOf(bounded, tokenizer), completionTokens: limits.limit }),
    (signal) => provider.complete(bounded, signal),
    (completion) => counted(completion, request, tokenizer),
  )
  if (reply.cutPrompt) client.warn(cutPromptLine(provider, request, reply, tokenizer))
  return { reply, milliseconds, ...limits }
}

/** What is said at the first prompt that a server has cut. */
const cutPromptLine = (
  { name, model }: Provider,
  request: CompletionRequest,
  { promptTokens: read }: Reply,
  tokenizer: Tokenizer,
): string =>
  `${name} "${model}" read ${read} of about ${promptTokensOf(request, tokenizer)} tokens of a prompt (task ${request.task}): its server cuts long prompts; give it a longer context (num_ctx of Ollama, --ctx-size of llama.cpp), or set a smaller budget and smaller chunks`

/** The request with the room that the window leaves its reply. Throws ModelError where that is less than needed. */
function within(provider: Provider, request: CompletionRequest, tokenizer: Tokenizer) {
  const { window, model } = provider
  if (window === undefined) return request
  const { maxTokens: configured } = provider
  const bytes = messagesOf(request).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
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
