import { messageOf, ModelError } from '../../errors.ts'
import { promptFor } from '../../tasks/index.ts'
import type { Prompt, PromptTemplates, Task } from '../../types.ts'
import type { CallResult, Exchange } from '../cache/cache.ts'
import type { CompletionRequest } from '../provider.ts'
import { formOf, readReply, type Read } from './read-reply.ts'

/** A task with its input, as a model is asked it. */
export interface AskedTask<T = unknown> {
  readonly request: CompletionRequest
  /** Stands for the schema of the reply in cache keys; absent where the reply is a text. */
  readonly schemaHash?: string
  /** Makes of a reply what the task wants. */
  readonly read: (reply: string) => Read<T>
  /** What asks for both halves of a list, made when it is needed; undefined where the input cannot be halved. */
  readonly halves?: () => Halves<T> | undefined
}

/** The prompts of two halves, and what their values are together. */
interface Halves<T> {
  readonly prompts: readonly [Prompt, Prompt]
  joined(first: T, second: T): T
}

/** A task with an input of it, rendered, by the messages that a config gives for it where it does. */
export function askedOf<I, T>(
  task: Task<I, T>,
  input: I,
  sample: number,
  templates: PromptTemplates = {},
): AskedTask<T> {
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
    joined: task.joined.bind(task),
  }
}

/** The value of an exchange: of its last reply, or of the last two where each is to one half. */
export function readExchange<T>({ read, halves }: AskedTask<T>, { entry, failure }: CallResult<Exchange>): Read<T> {
  const [last, before] = entry.replies.toReversed()
  if (failure || !last) return { error: failure?.message ?? 'no reply' }
  const parts = entry.halved && halves?.()
  if (!parts || !before) return read(last.text)
  const [first, second] = [read(before.text), read(last.text)]
  if ('error' in first) return first
  if ('error' in second) return second
  const skipped = first.skipped + second.skipped
  return { value: parts.joined(first.value, second.value), outcome: skipped > 0 ? 'partial' : 'repaired', skipped }
}

/** The stand-in of a task for one input, as the text that a model would reply: text as it is, otherwise JSON. */
function standInOf<I, T>(task: Task<I, T>, input: I, count: (text: string) => number): string {
  try {
    const reply: unknown = task.offline?.(input, count)
    return typeof reply === 'string' && task.reply === 'text' ? reply : JSON.stringify(reply ?? null)
  } catch (cause) {
    throw new ModelError('reply', `${task.name}: its offline stand-in failed: ${messageOf(cause)}`, { cause })
  }
}
