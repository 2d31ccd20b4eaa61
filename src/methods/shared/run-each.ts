import { ModelError } from '../../errors.ts'
import type { Models, Task } from '../../types.ts'
import { attempt } from './attempt.ts'

/**
 * What a task makes of each input, in order; undefined where the reply could not be read or was refused, for the method to count.
 * Throws ModelError where no call at all was of use, for then the index would be of nothing; and every other failure.
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
  throw new ModelError(
    first.kind,
    `${name}: all ${outcomes.length} replies were refused or could not be read; the first error: ${first.message}`,
    {
      cause: first,
    },
  )
}
