import { messageOf, cutBytes, ModelError, PlugInError, UserError } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Failure } from '../../records.ts'
import type { Phase } from '../../types.ts'
import { placedMessageOf, placeOf } from './error-place.ts'

/** An error as one line with its place. `doing`: the function, as messages name it. */
export function plainError(error: unknown, doing: string): PlugInError {
  const place = placeOf(error)
  return new PlugInError(`${wordsOf(error, doing)}${place === undefined ? '' : ` (${place})`}`)
}

function wordsOf(error: unknown, doing: string): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `${doing} threw ${describe(error)}`
  const words = messageOf(error)
  if (words === '') return `${doing} threw an error without a message`
  return error instanceof TypeError && isRefusedWrite(words)
    ? `${doing} changed what it was given, or another frozen object: ${words}`
    : words
}

/** Whether V8 reports a frozen object. */
const isRefusedWrite = (words: string): boolean =>
  /^Cannot (assign to read only|delete|redefine|define|add) property|is not extensible/.test(words)

/** Longest recorded part of an unusable reply, in bytes. */
const keptReply = 16_000

/** Makes an outcome of what was thrown. UserErrors, which a person can mend, are thrown on: they end the run. */
export function failureOf(phase: Phase, error: unknown): Failure {
  if (error instanceof UserError) throw error
  if (!(error instanceof ModelError)) return { phase, kind: 'method', message: placedMessageOf(error) }
  // the stand-in of a task threw
  const place = placeOf(error.cause)
  return {
    phase,
    kind: error.kind,
    message: place === undefined ? messageOf(error) : `${messageOf(error)} (${place})`,
    ...(error.raw === undefined ? {} : { raw: cutBytes(error.raw, keptReply) }),
  }
}
