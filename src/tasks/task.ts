import { z, type ZodType } from 'zod'
import { hashOf } from '../text/hash.ts'
import { fillPlaceholders } from '../text/placeholders.ts'
import { sentences } from '../text/sentences.ts'
import type { AnswersWanted, AnswerStyle, Message, Prompt, PromptTemplate, Sampling, Task } from '../types.ts'

/** A task with a fixed input that it can be tried with; the prompt's hash is taken of it. */
export interface SampledTask<I = unknown, T = unknown> extends Task<I, T> {
  readonly sample: I
  /** The worked example of the prompt, word for word: what is extracted is checked for repeating it. */
  readonly example?: string
}

/** A task whose prompt is a function. */
export const sampledTask = <I, T>(task: SampledTask<I, T> & { readonly sample: NoInfer<I> }): SampledTask<I, T> => task

/** Words of a prompt: a template with `{{field}}` of the input, as prompts of a config have it, or a function. */
type Words<I> = string | ((input: I) => string)

/** A prompt as data. */
interface WrittenPrompt<I> {
  /** Instructions and material, the parts of the system message (our reading of UnWeaver, appendix E). */
  readonly system: Words<I> | readonly Words<I>[]
  readonly user: Words<I>
  readonly demonstration?: readonly [request: string, reply: string]
  readonly maxTokens?: number | ((input: I) => number)
  readonly sampling?: (input: I) => Sampling
}

interface WrittenTask<I, T> extends Omit<SampledTask<I, T>, 'reply' | 'prompt' | 'sample'>, WrittenPrompt<I> {
  readonly sample: NoInfer<I>
}

/** A task that asks for JSON. */
export function jsonTask<I, T>(written: WrittenTask<I, T>): SampledTask<I, T> {
  const { system: _, user, demonstration, maxTokens, sampling, ...task } = written
  return { ...task, reply: 'json', prompt: (input) => promptOf(written, input) }
}

/** A task that asks for a text that is not empty, or for what `output` says. */
export function textTask<I>(written: Omit<WrittenTask<I, string>, 'output'> & { output?: ZodType<string> }) {
  const task = jsonTask<I, string>({ output: z.string().trim().min(1), ...written })
  return { ...task, reply: 'text' } satisfies SampledTask<I, string>
}

function promptOf<I>({ system, user, demonstration, maxTokens, sampling }: WrittenPrompt<I>, input: I): Prompt {
  const filled = (words: Words<I>): string =>
    typeof words === 'string' ? fillPlaceholders(words, Object(input) as object) : words(input)
  const parts = [system].flat().map(filled)
  const shown = demonstration?.map((content, at): Message => ({ role: at === 0 ? 'user' : 'assistant', content })) ?? []
  return {
    messages: [
      { role: 'system', content: parts.filter((part) => part !== '').join('\n\n') },
      ...shown,
      { role: 'user', content: filled(user) },
    ],
    ...(maxTokens !== undefined && { maxTokens: typeof maxTokens === 'number' ? maxTokens : maxTokens(input) }),
    ...(sampling && { sampling: sampling(input) }),
  }
}

/** SHA-256 over name, version and the prompt of the sample, in one style or two, or the messages of a config for it. */
export function promptHash(
  task: SampledTask,
  template?: PromptTemplate,
  style?: Exclude<AnswersWanted, 'none'>,
): string {
  const sample = Object(task.sample) as object
  const rendered = (one: AnswerStyle) => task.prompt({ ...sample, style: one })
  const prompt = (): unknown => {
    if (style === undefined || !('style' in sample)) return task.prompt(task.sample)
    if (style === 'by-reference') return [rendered('short'), rendered('sentence')]
    return style === 'span-by-reference' ? [rendered('span'), rendered('sentence')] : rendered(style)
  }
  return hashOf({ name: task.name, version: task.version, prompt: template ?? prompt() })
}

/** Cuts a text of the input in halves of whole sentences, or a list; undefined where there are no two parts. */
export const halvesBy =
  <K extends string>(field: K) =>
  <I extends Readonly<Record<K, string | readonly unknown[]>>>(input: I): readonly [I, I] | undefined => {
    const whole: string | readonly unknown[] = input[field]
    const parts = typeof whole === 'string' ? halvesOfText(whole) : halvesOfList(whole)
    return (
      parts && [
        { ...input, [field]: parts[0] },
        { ...input, [field]: parts[1] },
      ]
    )
  }

function halvesOfList<T>(items: readonly T[]): readonly [T[], T[]] | undefined {
  const middle = Math.ceil(items.length / 2)
  return items.length < 2 ? undefined : [items.slice(0, middle), items.slice(middle)]
}

/** A text in two halves of whole sentences; undefined where it has no two. */
export function halvesOfText(text: string): readonly [string, string] | undefined {
  const starts = sentences(text).flatMap(({ start }, at) => (at > 0 ? [start] : []))
  const [middle] = starts.toSorted((a, b) => Math.abs(a - text.length / 2) - Math.abs(b - text.length / 2))
  return middle === undefined ? undefined : [text.slice(0, middle).trim(), text.slice(middle)]
}

/** What a model wrote as a number, also in a string; anything else as it is. A blank is no number. */
export const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value

/** A number, also in a string; nothing, and what is no number, is refused. */
export const numberShape = z.preprocess(numberIn, z.number())

/** A text of a reply; empty where it is left out. */
export const textShape = z.preprocess((value) => value ?? '', z.string())
