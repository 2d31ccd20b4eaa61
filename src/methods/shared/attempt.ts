import { ModelError } from '../../errors.ts'
import type { Models, Task } from '../../types.ts'

/**
 * What a task makes of its input, or the error where the reply could not be read or was refused: the loss of one call, for the method to
 * count or to say. Every other failure is thrown.
 */
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
