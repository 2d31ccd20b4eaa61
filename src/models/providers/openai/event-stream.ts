import { z } from 'zod'
import { isObject } from '../../../basics/plain-data.ts'
import { jsonIn } from '../../../text/json.ts'
import { CallError } from '../../calls/retry.ts'
import { textOf } from './replies.ts'

/**
 * The reply in an event stream, which some servers send unasked: the deltas joined, or the event that holds all of it;
 * undefined for another text. Throws CallError for a stream that breaks off.
 */
export function fromEventStream(text: string): unknown {
  if (!/^[\s\uFEFF]*(?:(?:data|event|id|retry):|:[^\n]*\n)/.test(text)) return undefined
  const events = eventsIn(text)
  const whole = events.findLast((event) => isObject(event) && !isDelta(event))
  return whole ?? joined(events.filter(isDelta), /^data:\s*\[DONE\]\s*$/m.test(text))
}

/** The data of all events; data over several lines are one, unless the lines are JSON each. */
function eventsIn(text: string): readonly unknown[] {
  return text.split(/\r?\n\r?\n|\r\r/).flatMap((event): readonly unknown[] => {
    const lines = event.split(/\r\n|\n|\r/).flatMap((line) => /^[\s\uFEFF]*data:(.*)$/.exec(line)?.[1] ?? [])
    const all = jsonIn(lines.join('\n'))
    return all === undefined ? lines.map(jsonIn).filter((one) => one !== undefined) : [all]
  })
}

const content = z.unknown().optional()
const delta = z.object({
  choices: z.array(
    z.object({
      index: z.number().nullish(),
      delta: z
        .object({ content, refusal: z.string().nullish(), reasoning_content: content, reasoning: content })
        .nullish(),
      message: z.undefined().optional(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: content,
})

type Delta = z.output<typeof delta>

const isDelta = (event: unknown): event is Delta => delta.safeParse(event).success

function joined(deltas: readonly Delta[], isDone: boolean): unknown {
  const choices = deltas.flatMap((one) => one.choices.filter(({ index }) => (index ?? 0) === 0))
  const reason = choices.findLast(({ finish_reason }) => typeof finish_reason === 'string')?.finish_reason
  if (!isDone && reason === undefined)
    throw new CallError('network', 'the event stream of the server breaks off', { retryable: true })
  const text = (of: (one: NonNullable<Delta['choices'][number]['delta']>) => unknown): string =>
    choices.map((choice) => (choice.delta ? textOf(of(choice.delta)) : '')).join('')
  const message = {
    content: text((one) => one.content),
    refusal: text((one) => one.refusal),
    reasoning_content: text((one) => one.reasoning_content ?? one.reasoning),
  }
  const usage = deltas.findLast((one) => isObject(one.usage))?.usage
  return { choices: [{ finish_reason: reason, message }], ...(usage !== undefined && { usage }) }
}
