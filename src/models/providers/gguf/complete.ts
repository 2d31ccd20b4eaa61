import pLimit from 'p-limit'
import { ModelError } from '../../../errors.ts'
import type { Message } from '../../../types.ts'
import { messagesOf, replyLimit } from '../../calls/requests.ts'
import type { Completion, CompletionRequest, Provider } from '../../provider.ts'
import type { ChatItem, ChatSession, Grammar, OpenedLlama } from './gguf.ts'

/** What a reply depends on besides its prompt. */
interface Sampling {
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

type Schema = Readonly<Record<string, unknown>>

/**
 * A JSON schema as node-llama-cpp's grammars know it, or undefined where they would force another reply:
 * they know `oneOf` but not `anyOf`, and take whatever they do not know for `null`.
 */
export function grammarSchema(schema: unknown): Schema | undefined {
  if (!isSchema(schema)) return undefined
  const { anyOf, items, ...rest } = schema
  const known = {
    ...rest,
    ...(anyOf !== undefined && { oneOf: anyOf }),
    // `false` closes a tuple, and tuples are closed there
    ...(isSchema(items) && { items }),
  }
  if (!understood.some((key) => key in known) || misunderstood.some((key) => key in known)) return undefined
  return each(known, convertedAt)
}

/** Without one of these a schema allows everything. */
const understood = ['type', 'oneOf', 'const', 'enum', '$ref']
const misunderstood = ['allOf', 'not', 'if', 'patternProperties']

function convertedAt(key: string, value: unknown): unknown {
  switch (key) {
    case 'oneOf':
    case 'prefixItems':
      return all(Array.isArray(value) ? value : [])
    case 'properties':
    case '$defs':
      return isSchema(value) ? each(value, (_, inner) => grammarSchema(inner)) : undefined
    case 'items':
      return grammarSchema(value)
    case 'additionalProperties':
      return isSchema(value) && Object.keys(value).length > 0 ? grammarSchema(value) : value !== false
    default:
      return value
  }
}

/** The object with every value converted; undefined where one could not be. */
function each(object: Schema, convert: (key: string, value: unknown) => unknown): Schema | undefined {
  const given = Object.entries(object).filter(([, value]) => value !== undefined)
  const converted = given.map(([key, value]) => [key, convert(key, value)] as const)
  return converted.every(([, value]) => value !== undefined) ? Object.fromEntries(converted) : undefined
}

function all(schemas: readonly unknown[]): readonly Schema[] | undefined {
  const converted = schemas.map(grammarSchema).filter((schema) => schema !== undefined)
  return converted.length === schemas.length ? converted : undefined
}

const isSchema = (value: unknown): value is Schema =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
