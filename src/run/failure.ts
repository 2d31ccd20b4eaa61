import { cutBytes, messageOf, ModelError, UserError } from '../errors.ts'
import type { Failure } from '../records.ts'
import type { Phase } from '../types.ts'

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
