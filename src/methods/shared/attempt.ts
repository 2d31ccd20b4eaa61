import { ModelError } from '../../errors.ts'
import type { Models, Task } from '../../types.ts'

/** The output of a task, or the error of an unreadable or refused reply. Throws every other error. */
export async function attempt<I, T>(models: Models, task: Task<I, T>, input: I): Promise<T | ModelError> {
  try {
    return await models.run(task, input)
  } catch (error) {
    if (isLoss(error)) return error
    throw error
  }
}

/** Whether an error concerns one reply, not the server, the network or the config. */
export const isLoss = (error: unknown): error is ModelError =>
  error instanceof ModelError && (error.kind === 'reply' || error.kind === 'refused')

/** Why a reply is unusable, as the end of a sentence. */
export const lossOf = ({ kind }: ModelError): string => (kind === 'refused' ? 'was refused' : 'could not be read')

/**
 * The outputs of a task, in the order of the items; undefined for an unreadable or refused reply, for the method to
 * count. Throws ModelError if all replies failed, because the index would be empty, and every other error.
 */
export async function runEach<C, I, T>(
  models: Models,
  task: Task<I, T>,
  items: readonly C[],
  inputOf: (item: C, place: number) => I,
): Promise<readonly (T | undefined)[]> {
  const calls = items.map((item, place) => attempt(models, task, inputOf(item, place)))
  const outcomes = await Promise.all(calls)
  refuseAllLost(task, outcomes)
  return outcomes.map((outcome) => (outcome instanceof ModelError ? undefined : outcome))
}

/** Throws ModelError if all calls of a task failed: the model is not capable of it. */
export function refuseAllLost({ name }: { readonly name: string }, outcomes: readonly unknown[]): void {
  const [first] = outcomes
  const areAllLost = outcomes.every((outcome) => outcome instanceof ModelError)
  if (!(first instanceof ModelError) || !areAllLost) return
  const message = `${name}: every reply was refused or could not be read; the first error: ${first.message}`
  throw new ModelError(first.kind, message, { cause: first })
}
