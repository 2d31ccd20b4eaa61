import pLimit from 'p-limit'
import { ModelError } from '../../../errors.ts'
import type { Message } from '../../../types.ts'
import { messagesOf } from '../../calls/messages.ts'
import type { Completion, CompletionRequest, Provider } from '../../provider.ts'
import { replyLimit } from '../../calls/reply-limit.ts'
import { grammarSchema } from './grammar-schema.ts'
import type { ChatItem, ChatSession, Grammar, OpenedLlama } from './library.ts'

/** What a reply depends on besides its prompt. */
export interface Sampling {
  readonly temperature: number
  readonly seed: number
  readonly maxTokens: number
}

/** Replies of a chat model, one after the other and each from an empty memory: so none depends on what was asked before. */
export function completer(opened: OpenedLlama, sampling: Sampling): NonNullable<Provider['complete']> {
  const { library, context } = opened
  const sequence = context.getSequence()
  const grammarOf = grammars(opened.llama)
  const oneByOne = pLimit(1)

  async function complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted()
    await sequence.clearHistory()
    const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter
    const session = new library.LlamaChatSession({ contextSequence: sequence })
    try {
      const messages = messagesOf(request)
      const room = roomAfter(session, opened, messages)
      if (room < 1)
        throw new ModelError(
          'window',
          `${request.task}: the prompt leaves no room for a reply in contextSize (${context.contextSize}) of the model`,
        )
      session.setChatHistory(messages.slice(0, -1).map(chatItem))
      const { responseText, stopReason } = await session.promptWithMeta(messages.at(-1)?.content ?? '', {
        signal,
        maxTokens: Math.min(room, replyLimit(request, sampling.maxTokens)),
        temperature: request.prompt.sampling?.temperature ?? sampling.temperature,
        seed: sampling.seed + request.sample + (request.prompt.sampling?.variant ?? 0),
        // the library's own default would forbid a reply to repeat words of its context
        repeatPenalty: false,
        ...(await grammarOf(request)),
      })
      return {
        text: responseText,
        finish: stopReason === 'maxTokens' ? 'length' : 'stop',
        promptTokens: sequence.tokenMeter.usedInputTokens - usedInputTokens,
        completionTokens: sequence.tokenMeter.usedOutputTokens - usedOutputTokens,
      }
    } finally {
      session.dispose({ disposeSequence: false })
    }
  }
  return (request, signal) => oneByOne(() => complete(request, signal))
}

/** Tokens that the library keeps free. */
const spare = 1

const chatItem = ({ role, content }: Message): ChatItem =>
  role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content }

/** Tokens left for the reply. In a full context the library would drop the beginning of the prompt without a word. */
function roomAfter(
  { chatWrapper }: ChatSession,
  { model, context }: OpenedLlama,
  messages: readonly Message[],
): number {
  const chatHistory = [...messages.map(chatItem), chatItem({ role: 'assistant', content: '' })]
  const prompt = chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer)
  return context.contextSize - prompt.length - spare
}

/** The grammar that holds a reply to the request's schema, made once; none where the library cannot make it. */
function grammars(llama: OpenedLlama['llama']) {
  const made = new Map<string, Promise<{ grammar?: Grammar }>>()
  const make = async (schema: object): Promise<{ grammar?: Grammar }> => {
    try {
      return { grammar: await llama.createGrammarForJsonSchema(schema) }
    } catch {
      return {}
    }
  }
  return ({ reply, schema }: CompletionRequest): Promise<{ grammar?: Grammar }> => {
    const convertible = reply === 'json' ? grammarSchema(schema) : undefined
    if (!convertible) return Promise.resolve({})
    const key = JSON.stringify(convertible)
    const grammar = made.get(key) ?? make(convertible)
    made.set(key, grammar)
    return grammar
  }
}
