import { messageOf, ModelError } from '../../errors.ts'
import { promptFor } from '../../tasks/index.ts'
import type { Prompt, PromptTemplates, Task } from '../../types.ts'
import type { CallResult, Exchange } from '../cache/cache.ts'
import type { CompletionRequest } from '../provider.ts'
import { formOf, readReply, type Read } from './read-reply.ts'

/** A task with its input, as a request to a model. */
export interface TaskCall<T = unknown> {
  readonly request: CompletionRequest
  /** Hash of the reply's schema, for cache keys; absent for text. */
  readonly schemaHash?: string
  /** Parses and validates a reply. */
  readonly read: (reply: string) => Read<T>
  /** The prompts for both halves of a list; undefined if the input cannot be halved. */
  readonly halves?: () => Halves<T> | undefined
}

/** The prompts of two halves, and how to join their values. */
interface Halves<T> {
  readonly prompts: readonly [Prompt, Prompt]
  join(first: T, second: T): T
}

/** Renders a task with its input; a template of the config replaces the task's messages. */
export function taskCallOf<I, T>(
  task: Task<I, T>,
  input: I,
  sample: number,
  templates: PromptTemplates = {},
): TaskCall<T> {
  const { name, version, reply, capped } = task
  const form = reply === 'json' ? formOf(task.output) : undefined
  return {
    request: {
      task: name,
      version,
      input,
      prompt: promptFor(task, input, templates),
      reply,
      sample,
      ...(capped && { capped }),
      ...(task.offline && { standIn: (count) => standInOf(task, input, count) }),
      ...(form && { schema: form.schema }),
      ...(task.replyTokens && { replyTokens: task.replyTokens(input) }),
    },
    ...(form && { schemaHash: form.hash }),
    read: (text) => readReply(task, text),
    ...(task.halves && { halves: () => halvesOf(task, input, templates) }),
  }
}

function halvesOf<I, T>(task: Task<I, T>, input: I, templates: PromptTemplates): Halves<T> | undefined {
  const parts = task.halves?.(input)
  if (!parts || !task.joined) return undefined
  const [first, second] = parts
  return {
    prompts: [promptFor(task, first, templates), promptFor(task, second, templates)],
    join: task.joined.bind(task),
  }
}

/** The value of an exchange: of its last reply, or of the last two if each answers one half. */
export function readExchange<T>({ read, halves }: TaskCall<T>, { entry, failure }: CallResult<Exchange>): Read<T> {
  const [last, before] = entry.replies.toReversed()
  if (failure || !last) return { error: failure?.message ?? 'no reply' }
  const parts = entry.halved && halves?.()
  if (!parts || !before) return read(last.text)
  const [first, second] = [read(before.text), read(last.text)]
  if ('error' in first) return first
  if ('error' in second) return second
  const skipped = first.skipped + second.skipped
  return { value: parts.join(first.value, second.value), outcome: skipped > 0 ? 'partial' : 'repaired', skipped }
}

/** The offline reply of a task, as the text that a model would reply: verbatim or as JSON. */
function standInOf<I, T>(task: Task<I, T>, input: I, count: (text: string) => number): string {
  try {
    const reply: unknown = task.offline?.(input, count)
    return typeof reply === 'string' && task.reply === 'text' ? reply : JSON.stringify(reply ?? null)
  } catch (cause) {
    throw new ModelError('reply', `${task.name}: its offline stand-in failed: ${messageOf(cause)}`, { cause })
  }
}
