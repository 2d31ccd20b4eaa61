import { maxFailures, type WorkOutcome } from '../../models/index.ts'
import type { Failure, TrialLine } from '../../records.ts'
import type { Usage } from '../../types.ts'

/** What a circuit breaker learns of a system from one of its trials. */
export const outcomeOf = ({ failure, usage }: TrialLine): WorkOutcome<Failure> =>
  failure?.phase === 'index' ? 'neutral' : outcomeWith(failure, Object.values(usage))

/** What it learns of a model from a failure, or from the usage of what did not fail. */
export function outcomeWith(failure: Failure | undefined, usage: readonly Usage[]): WorkOutcome<Failure> {
  if (failure) return failure.kind === 'reply' || failure.kind === 'refused' ? failure : 'neutral'
  return usage.some(({ calls, embeddingCalls = 0 }) => calls > embeddingCalls) ? 'usable' : 'neutral'
}

/** The failure of what is not begun after the first failures of a system or a scorer. `whose`: its name in messages. */
export const skipFailure = ({ phase, kind, message }: Failure, subject: string): Failure => ({
  phase,
  kind,
  message: `not asked, since the first ${maxFailures} replies of ${subject} were refused or could not be read: ${message}`,
})
