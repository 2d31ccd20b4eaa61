import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { hashOf } from '../text/hash.ts'
import { fillPlaceholders } from '../text/placeholders.ts'
import { sentences } from '../text/sentences.ts'
import type { AnswersWanted, AnswerStyle, Message, Prompt, PromptTemplate, Sampling, Task } from '../types.ts'

/** A task with a sample input, from which the hash of its prompt is computed. */
export interface SampledTask<I = unknown, T = unknown> extends Task<I, T> {
  readonly sample: I
  /** The example in the prompt: extractions that echo it are dropped. */
  readonly example?: string
}

/** Defines a task whose prompt is a function. */
export const sampledTask = <I, T>(task: SampledTask<I, T> & { readonly sample: NoInfer<I> }): SampledTask<I, T> => task

/** A part of a prompt: a template with `{{field}}` of the input, as in configs, or a function. */
type Words<I> = string | ((input: I) => string)

/** A prompt as data. */
interface WrittenPrompt<I> {
  /** Instructions and material: the parts of the system message (our reading of UnWeaver, appendix E). */
  readonly system: Words<I> | readonly Words<I>[]
  readonly user: Words<I>
  readonly demonstration?: readonly [request: string, reply: string]
  readonly maxTokens?: number | ((input: I) => number)
  readonly sampling?: (input: I) => Sampling
}

/** The type of an input by a sample of it: the same fields, all read-only. */
type InputLike<S> = S extends object ? { readonly [K in keyof S]: InputLike<S[K]> } : S

/** `version`: 1 by default; `joined`: by default `joinReplies`. */
type Fields<I, T> = Omit<SampledTask<I, T>, 'reply' | 'prompt' | 'sample' | 'example' | 'output' | 'version'> &
  WrittenPrompt<I> & { readonly version?: number }

type WrittenTask<S, T> = { readonly sample: S & InputLike<S>; readonly output: ZodType<T> } & Fields<InputLike<S>, T>

const fact = 'Robert Stevenson planned the lighthouse on Cape Wrath.'

/** A fact, texts and a question, of which samples are made. */
export const samples = {
  fact,
  text: `${fact} It was built in 1828.`,
  question: 'Who planned the lighthouse on Cape Wrath?',
  keeper:
    'The lighthouse on the western cape was built in 1871. The keeper lit the lamp every evening, since ships from Leith passed the cape at night.',
}

/** The instruction before the shape of a JSON reply. */
export const jsonOnly = 'Reply with JSON of this shape and nothing else'

/** Defines a task with a JSON reply. Its input has the type of the sample. */
export function jsonTask<S, T>(definition: WrittenTask<S, T>): SampledTask<InputLike<S>, T> {
  const { system: _, user, demonstration, maxTokens, sampling, ...task } = definition
  const prompt = (input: InputLike<S>): Prompt => promptOf(definition, input)
  const example = exampleIn(prompt(definition.sample))
  return { version: 1, joined: joinReplies, ...task, reply: 'json', prompt, example }
}

/** Defines a task with a text reply; by default a text that is not empty. */
export function textTask<S>(
  definition: { readonly sample: S & InputLike<S>; readonly output?: ZodType<string> } & Fields<InputLike<S>, string>,
) {
  const task = jsonTask<S, string>({ output: z.string().trim().min(1), ...definition })
  return { ...task, reply: 'text' } satisfies SampledTask<InputLike<S>, string>
}

function promptOf<I>({ system, user, demonstration, maxTokens, sampling }: WrittenPrompt<I>, input: I): Prompt {
  const fill = (words: Words<I>) =>
    typeof words === 'string' ? fillPlaceholders(words, Object(input) as object) : words(input)
  const parts = [system].flat().map(fill)
  const examples = (demonstration ?? []).map((content, at): Message => {
    return { role: at === 0 ? 'user' : 'assistant', content }
  })
  const limit = typeof maxTokens === 'function' ? maxTokens(input) : maxTokens
  return {
    messages: [
      { role: 'system', content: parts.filter((part) => part !== '').join('\n\n') },
      ...examples,
      { role: 'user', content: fill(user) },
    ],
    ...(limit !== undefined && { maxTokens: limit }),
    ...(sampling && { sampling: sampling(input) }),
  }
}

/** The JSON at the ends of lines of the instructions, and the demonstration. */
function exampleIn({ messages: [instructions, ...rest] }: Prompt): string {
  const json = instructions?.content.match(/[[{].*[\]}]$/gm) ?? []
  return [...json, ...rest.slice(0, -1).map(({ content }) => content)].join('\n')
}

interface ChatTask<I, T> extends Omit<
  SampledTask<I, T>,
  'reply' | 'replyTokens' | 'halves' | 'joined' | 'prompt' | 'example'
> {
  /** The system message and the first of the user. */
  readonly opening: (input: I) => readonly [string, string]
  /** The request for more after a reply. */
  readonly more: string
  readonly textOfReply?: (reply: T) => string
}

/** Defines a task that reads the graph of a text in a chat of replies about all of it; offline the first is all. */
export function graphTask<I extends { readonly text: string; readonly replies: readonly T[] }, T>({
  opening,
  more,
  textOfReply = JSON.stringify,
  ...task
}: ChatTask<I, T>): SampledTask<I, T> {
  const prompt = (input: I): Prompt => {
    const [system, user] = opening(input)
    const messages: Message[] = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]
    for (const reply of input.replies)
      messages.push({ role: 'assistant', content: textOfReply(reply) }, { role: 'user', content: more })
    return { messages, maxTokens: 4096 }
  }
  return {
    ...task,
    reply: 'json',
    replyTokens: ({ text, replies }) => text.length / (replies.length > 0 ? 12 : 4),
    halves: (input) => (input.replies.length === 0 ? halvesBy('text')(input) : undefined),
    joined: joinReplies,
    offline: (input, count) =>
      input.replies.length > 0 ? { entities: [], relationships: [] } : task.offline?.(input, count),
    prompt,
    example: exampleIn(prompt(task.sample)),
  }
}

/** Two replies as one: their lists one after the other and the sums of their numbers, by field; no texts. */
const joinReplies = <T>(first: T, second: T): T => joinValues(first, second) as T

function joinValues(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...(first as unknown[]), ...(second as unknown[])]
  if (typeof first === 'number') return first + Number(second)
  if (!isObject(first) || !isObject(second)) return undefined
  return Object.fromEntries(Object.entries(first).map(([name, value]) => [name, joinValues(value, second[name])]))
}

/** SHA-256 over name, version and the prompt of the sample (in one or two styles), or the template of the config. */
export function promptHash(
  task: SampledTask,
  template?: PromptTemplate,
  style?: Exclude<AnswersWanted, 'none'>,
): string {
  const sample = Object(task.sample) as object
  const promptIn = (answerStyle: AnswerStyle) => task.prompt({ ...sample, style: answerStyle })
  const prompt = (): unknown => {
    if (style === undefined || !('style' in sample)) return task.prompt(task.sample)
    if (style === 'by-reference') return [promptIn('short'), promptIn('sentence')]
    return style === 'span-by-reference' ? [promptIn('span'), promptIn('sentence')] : promptIn(style)
  }
  return hashOf({ name: task.name, version: task.version, prompt: template ?? prompt() })
}

/** Splits a text of the input into halves of whole sentences, or a list; undefined for fewer than two parts. */
export const halvesBy =
  <K extends string>(field: K) =>
  <I extends Readonly<Record<K, string | readonly unknown[]>>>(input: I): readonly [I, I] | undefined => {
    const value: string | readonly unknown[] = input[field]
    if (value.length < 2) return undefined
    const parts = typeof value === 'string' ? halvesOfText(value) : halvesOf(value)
    if (!parts) return undefined
    const [first, second] = parts
    return [
      { ...input, [field]: first },
      { ...input, [field]: second },
    ]
  }

/** Two halves of a list; the first may be longer by one. */
export function halvesOf<T>(items: readonly T[]): readonly [T[], T[]] {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}

/** Two halves of whole sentences; undefined for a single sentence. */
export function halvesOfText(text: string): readonly [string, string] | undefined {
  const starts = sentences(text).flatMap(({ start }, at) => (at > 0 ? [start] : []))
  const [middle] = starts.toSorted((a, b) => Math.abs(a - text.length / 2) - Math.abs(b - text.length / 2))
  return middle === undefined ? undefined : [text.slice(0, middle).trim(), text.slice(middle)]
}

/** Converts a string with a number; other values, and blank strings, are unchanged. */
export const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value

/** A number, also as a string. */
export const numberShape = z.preprocess(numberIn, z.number())

/** A text in a reply; empty if missing. */
export const textShape = z.preprocess((value) => value ?? '', z.string())
