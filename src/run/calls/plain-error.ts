import { messageOf, cutBytes, ModelError, PlugInError, UserError } from '../../errors.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Failure } from '../../records.ts'
import type { Phase } from '../../types.ts'
import { placedMessageOf, withPlace } from './error-place.ts'

/** An error as one line with its place. `doing`: the function, as messages name it. */
export const plainError = (error: unknown, doing: string): PlugInError =>
  new PlugInError(withPlace(wordsOf(error, doing), error))

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

/** Makes an outcome of what was thrown. UserErrors are thrown on: they end the run. */
export function failureOf(phase: Phase, error: unknown): Failure {
  if (error instanceof UserError) throw error
  if (!(error instanceof ModelError)) return { phase, kind: 'method', message: placedMessageOf(error) }
  return {
    phase,
    kind: error.kind,
    // the stand-in of a task may have thrown
    message: withPlace(messageOf(error), error.cause),
    ...(error.raw !== undefined && { raw: cutBytes(error.raw, keptReply) }),
  }
}
