import { ModelError } from '../../errors.ts'
import type { Models, Task } from '../../types.ts'

/** What a task makes of its input, or the error of a reply that was lost; every other failure is thrown. */
export async function attempt<I, T>(models: Models, task: Task<I, T>, input: I): Promise<T | ModelError> {
  try {
    return await models.run(task, input)
  } catch (error) {
    if (isLoss(error)) return error
    throw error
  }
}

/** Whether an error is the loss of one call, not a fault of the server, the network or the config. */
export const isLoss = (error: unknown): error is ModelError =>
  error instanceof ModelError && (error.kind === 'reply' || error.kind === 'refused')

/** Why a reply was of no use, in words. */
export const lossOf = ({ kind }: ModelError): string => (kind === 'refused' ? 'was refused' : 'could not be read')

/**
 * What a task makes of each input, in order; undefined where the reply could not be read or was refused, for the method
 * to count. Throws ModelError where no call at all was of use, for then the index would be of nothing; and every other
 * failure.
 */
export async function runEach<I, T>(
  models: Models,
  task: Task<I, T>,
  inputs: readonly I[],
): Promise<readonly (T | undefined)[]> {
  const outcomes = await Promise.all(inputs.map((input) => attempt(models, task, input)))
  refuseAllLost(task, outcomes)
  return outcomes.map((outcome) => (outcome instanceof ModelError ? undefined : outcome))
}

/** Throws ModelError where there were calls of a task and all were lost: such a model cannot do it. */
export function refuseAllLost({ name }: { readonly name: string }, outcomes: readonly unknown[]): void {
  const [first] = outcomes
  if (!(first instanceof ModelError) || !outcomes.every((outcome) => outcome instanceof ModelError)) return
  // a call that was not made is lost because of the calls before it
  const asked = outcomes.filter((outcome) => !(outcome instanceof ModelError && outcome.cause instanceof ModelError))
  const unasked = outcomes.length - asked.length
  throw new ModelError(
    first.kind,
    `${name}: all ${asked.length} replies were refused or could not be read${unasked > 0 ? `, and ${unasked} more calls were not made` : ''}; the first error: ${first.message}`,
    {
      cause: first,
    },
  )
}
