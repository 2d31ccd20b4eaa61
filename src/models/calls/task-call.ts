import { z, type ZodType } from 'zod'
import { messageOf, ModelError } from '../../errors.ts'
import { promptFor } from '../../tasks/index.ts'
import type { Prompt, PromptTemplates, Task } from '../../types.ts'
import type { CallResult, Exchange } from '../cache/cache.ts'
import type { CompletionRequest } from '../provider.ts'
import { validateItems, expectedBy, validate, flattenLists, withKeysOf, type Expected } from '../../text/validate.ts'
import { hashOf } from '../../text/hash.ts'
import { parseLenient } from '../../text/json.ts'
import { reasoningAlone, withoutReasoning } from '../../text/reasoning.ts'

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
      ...(form && { schema: form.schema, strict: form.strict }),
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
  const first = read(before.text)
  const second = read(last.text)
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

/** A validated reply, or the reason why it is invalid. `skipped`: list items left out as invalid. */
export type Read<T> =
  | { readonly value: T; readonly outcome: 'clean' | 'repaired' | 'partial'; readonly skipped: number }
  | { readonly error: string }

/** Reads a reply without its reasoning: text verbatim, JSON leniently; the output schema of the task validates both. */
export function readReply<I, T>(task: Task<I, T>, reply: string): Read<T> {
  const body = withoutReasoning(reply)
  if (body === '' && reply.trim() !== '') return { error: reasoningAlone }
  switch (task.reply) {
    case 'text': {
      const read = task.output.safeParse(body)
      return read.success
        ? { value: read.data, outcome: 'clean', skipped: 0 }
        : { error: read.error.issues.map(({ message }) => message).join('; ') }
    }
    case 'json': {
      const alternative = task.readsAlso?.(body)
      if (alternative && 'error' in alternative) return alternative
      if (alternative !== undefined) return { ...alternative, outcome: alternative.skipped > 0 ? 'partial' : 'clean' }
      const json = parseLenient(body, formOf(task.output).expectation)
      if (json.outcome === 'failed') return { error: json.reason }
      if (task.whole && json.outcome === 'repaired' && json.lossy) return { error: 'a part of the reply is missing' }
      const value = flattenLists(task.output, task.whole ? withKeysOf(task.output, json.value) : json.value)
      const result = task.whole ? validate(task.output, value) : validateItems(task.output, value)
      if ('error' in result) return result
      return { ...result, outcome: result.skipped > 0 ? 'partial' : json.outcome }
    }
  }
}

/** The form of a reply, from its output schema; cache keys contain `hash`. */
interface ReplyForm extends Required<Pick<CompletionRequest, 'schema' | 'strict'>> {
  readonly hash: string
  readonly expectation: Expected
}

const forms = new WeakMap<ZodType, ReplyForm>()

// a reply is the input of the schema, before defaults and transforms
const representation = { io: 'input', unrepresentable: 'any' } as const

/** The form of an output, memoised. */
export function formOf(output: ZodType): ReplyForm {
  const existing = forms.get(output)
  if (existing) return existing
  const hash = hashOf({ ...z.toJSONSchema(output, representation), $schema: undefined })
  const form = { ...schemaForServers(output), hash, expectation: expectedBy(output) }
  forms.set(output, form)
  return form
}

/** Keywords of all strict modes; text lengths, ranges and patterns are validated in the reply. */
const keywords = new Set([
  ...['type', 'enum', 'const', 'description', '$ref', '$defs', 'anyOf', 'allOf'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
])

/** A schema without any of these allows everything. */
const constrainingKeywords = ['type', 'enum', 'const', '$ref', 'anyOf']

/** The schema of a reply as servers take it: closed objects, no tuples, no keyword that a strict mode refuses. */
function schemaForServers(output: ZodType): Pick<ReplyForm, 'schema' | 'strict'> {
  const values = { isTyped: true, isClosed: true }
  const { $schema: _, ...schema } = z.toJSONSchema(output, {
    ...representation,
    override({ jsonSchema: node }) {
      const { prefixItems, oneOf, properties = {}, required = [], additionalProperties } = node
      if (prefixItems) Object.assign(node, listOf(prefixItems))
      if (oneOf) node.anyOf = oneOf
      for (const keyword of Object.keys(node)) if (!keywords.has(keyword)) Reflect.deleteProperty(node, keyword)
      if (node.allOf || !constrainingKeywords.some((keyword) => keyword in node)) values.isTyped = false
      if (node.type !== 'object') return
      const isOpen = typeof additionalProperties === 'object' || Object.keys(properties).length > required.length
      if (isOpen) values.isClosed = false
      else node.additionalProperties = false
    },
  })
  return { schema, strict: !values.isTyped ? 'no' : values.isClosed ? 'closed' : 'typed' }
}

const listOf = (items: readonly unknown[]) => ({
  items: { anyOf: items },
  minItems: items.length,
  maxItems: items.length,
})
