import { z, type ZodType } from 'zod'
import { validateItems, expectedBy, validate, flattenLists, withKeysOf, type Expected } from '../../text/validate.ts'
import { hashOf } from '../../text/hash.ts'
import { parseLenient } from '../../text/json.ts'
import { reasoningAlone, withoutReasoning } from '../../text/reasoning.ts'
import type { Task } from '../../types.ts'

/** A reply as its task wants it, or what is wrong with it. `skipped`: items of lists that did not fit. */
export type Read<T> =
  | { readonly value: T; readonly outcome: 'clean' | 'repaired' | 'partial'; readonly skipped: number }
  | { readonly error: string }

/** Reads a reply without its reasoning: text as it stands, JSON leniently, both checked against the task's output. */
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
      const other = task.readsAlso?.(body)
      if (other && 'error' in other) return other
      if (other !== undefined) return { ...other, outcome: other.skipped > 0 ? 'partial' : 'clean' }
      const parsed = parseLenient(body, formOf(task.output).expected)
      if (parsed.outcome === 'failed') return { error: parsed.reason }
      if (task.whole && parsed.outcome === 'repaired' && parsed.lossy)
        return { error: 'a part of the reply is missing' }
      const value = flattenLists(task.output, task.whole ? withKeysOf(task.output, parsed.value) : parsed.value)
      const fitted = task.whole ? validate(task.output, value) : validateItems(task.output, value)
      if ('error' in fitted) return fitted
      return { ...fitted, outcome: fitted.skipped > 0 ? 'partial' : parsed.outcome }
    }
  }
}

/** What an output schema says of the reply; `hash` stands for `schema` in cache keys. */
export interface ReplyForm {
  readonly schema: Readonly<Record<string, unknown>>
  readonly hash: string
  readonly expected: Expected
}

const forms = new WeakMap<ZodType, ReplyForm>()

/** The form of an output, worked out once. */
export function formOf(output: ZodType): ReplyForm {
  const known = forms.get(output)
  if (known) return known
  // the reply is what goes into the schema, before its defaults and transforms
  const schema = { ...z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' }), $schema: undefined }
  const form = { schema, hash: hashOf(schema), expected: expectedBy(output) }
  forms.set(output, form)
  return form
}
