import { ModelError } from '../errors.ts'
import type { Models, Task } from '../types.ts'

/** What a task makes of its input, or undefined where the reply could not be read, for the method to say so; other failures are thrown. */
export async function runReadable<I, T>(models: Models, task: Task<I, T>, input: I): Promise<T | undefined> {
  try {
    return await models.run(task, input)
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'reply') return undefined
    throw error
  }
}
