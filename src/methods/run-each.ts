import { ModelError } from '../errors.ts'
import type { Models, Task } from '../types.ts'

/**
 * What a task makes of each input, in order; undefined where the reply could not be read or was refused, for the method to count.
 * Every other failure is thrown, and so is a refusal of every input: such a model cannot do the task at all.
 */
export async function runEach<I, T>(
  models: Models,
  task: Task<I, T>,
  inputs: readonly I[],
): Promise<readonly (T | undefined)[]> {
  const refusals: ModelError[] = []
  const results = await Promise.all(
    inputs.map(async (input) => {
      try {
        return await models.run(task, input)
      } catch (error) {
        if (!(error instanceof ModelError) || (error.kind !== 'reply' && error.kind !== 'refused')) throw error
        if (error.kind === 'refused') refusals.push(error)
        return undefined
      }
    }),
  )
  const [refusal] = refusals
  if (refusal && refusals.length === inputs.length) throw refusal
  return results
}
