import { messageOf, cutBytes, ModelError, UserError } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Failure } from '../../records.ts'
import type { Phase } from '../../types.ts'

/** What was thrown, as an error that is safe to read. `doing`: the function, as it stands in messages. */
export function plainError(error: unknown, doing: string): Error {
  const plain = new Error(wordsOf(error, doing))
  plain.stack = stackOf(error)
  return plain
}

function wordsOf(error: unknown, doing: string): string {
  try {
    if (!(error instanceof Error)) return typeof error === 'string' ? error : `${doing} threw ${describe(error)}`
    const words = messageOf(error)
    if (words === '') return `${doing} threw an error without a message`
    return error instanceof TypeError && isRefusedWrite(words)
      ? `${doing} changed what it was given, or another frozen object: ${words}`
      : words
  } catch {
    return `${doing} threw an error that cannot be read`
  }
}

/** Whether V8 says that an object is frozen. */
const isRefusedWrite = (words: string): boolean =>
  /^Cannot (assign to read only|delete|redefine|define|add) property|is not extensible/.test(words)

function stackOf(error: unknown): string {
  try {
    const { stack } = error as { readonly stack?: unknown }
    return typeof stack === 'string' ? stack : ''
  } catch {
    return ''
  }
}

/** Longest part of an unusable reply that is kept, in bytes. */
const keptReply = 16_000

/** Makes an outcome of what was thrown. UserErrors, which a person can mend, are thrown on: they end the run. */
export function failureOf(phase: Phase, error: unknown): Failure {
  if (error instanceof UserError) throw error
  if (!(error instanceof ModelError)) return { phase, kind: 'method', message: messageOf(error) }
  return {
    phase,
    kind: error.kind,
    message: messageOf(error),
    ...(error.raw === undefined ? {} : { raw: cutBytes(error.raw, keptReply) }),
  }
}
