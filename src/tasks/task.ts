import { z } from 'zod'
import { hashOf } from '../text/hash.ts'
import { sentences } from '../text/sentences.ts'
import type { AnswersWanted, AnswerStyle, Message, Prompt, PromptTemplate, Sampling, Task } from '../types.ts'

/** A task with a fixed input that it can be tried with; the prompt's hash is taken of it. */
export interface SampledTask<I = unknown, T = unknown> extends Task<I, T> {
  readonly sample: I
  /** The worked example of the prompt, word for word: what is extracted is checked for repeating it. */
  readonly example?: string
}

/** A task of this project, which has a sample; its prompt says what the input is. */
export const sampledTask = <I, T>(task: SampledTask<I, T> & { readonly sample: NoInfer<I> }): SampledTask<I, T> => task

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

/** Instructions and material as the system message (our reading of UnWeaver, appendix E), the question as user's. */
export function twoMessages(
  system: readonly string[],
  user: string,
  more: {
    readonly demonstration?: readonly [asked: string, replied: string]
    readonly maxTokens?: number
    readonly sampling?: Sampling
  } = {},
): Prompt {
  const { demonstration, ...rest } = more
  const shown = demonstration?.map((content, at): Message => ({ role: at === 0 ? 'user' : 'assistant', content })) ?? []
  return {
    messages: [
      { role: 'system', content: system.filter((part) => part !== '').join('\n\n') },
      ...shown,
      { role: 'user', content: user },
    ],
    ...rest,
  }
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
