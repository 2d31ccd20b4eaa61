import { z, type ZodType } from 'zod'
import { validateItems, expectedBy, validate, flattenLists, withKeysOf, type Expected } from '../../text/conform.ts'
import { hashOf } from '../../text/hash.ts'
import { parseLenient } from '../../text/json.ts'
import { reasoningAlone, withoutReasoning } from '../../text/reasoning.ts'
import type { Task } from '../../types.ts'

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
export interface ReplyForm {
  readonly schema: Readonly<Record<string, unknown>>
  readonly hash: string
  readonly expectation: Expected
}

const forms = new WeakMap<ZodType, ReplyForm>()

/** The form of an output, memoised. */
export function formOf(output: ZodType): ReplyForm {
  const existing = forms.get(output)
  if (existing) return existing
  // a reply is the input of the schema, before defaults and transforms
  const schema = { ...z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' }), $schema: undefined }
  const form = { schema, hash: hashOf(schema), expectation: expectedBy(output) }
  forms.set(output, form)
  return form
}
