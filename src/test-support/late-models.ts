import type { Models } from '../types.ts'

/**
 * Models whose replies come in another order: each task waits as many milliseconds as `turn` gives for its number, from
 * 0.
 */
export function lateModels(models: Models, turn: (call: number) => number): Models {
  let calls = 0
  const run: Models['run'] = async (task, input) => {
    await new Promise((resolve) => setTimeout(resolve, turn(calls++)))
    return models.run(task, input)
  }
  return { ...models, run }
}
