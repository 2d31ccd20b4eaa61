import { messageOf, ModelError } from '../errors.ts'
import type { AnyTask, Task } from '../types.ts'
import type { Provider } from './provider.ts'

/** What to say where a model cannot do a task and the task has no stand-in. */
export const cannotDo = (model: string, task: string): string =>
  `the model "${model}" cannot do the task "${task}": name another model, or give the task an "offline" stand-in`

/** Why a provider cannot do a task, in one line; undefined where it can, or where the task has a stand-in. */
export const refusalOf = (provider: Pick<Provider, 'name' | 'can'>, task: AnyTask): string | undefined =>
  provider.can?.(task.name) === false && !task.offline ? cannotDo(provider.name, task.name) : undefined

/** The stand-in of a task for one input, as the text that a model would reply: text as it is, otherwise JSON. Throws ModelError where the stand-in throws. */
export function standInOf<I, T>(task: Task<I, T>, input: I): (() => string) | undefined {
  if (!task.offline) return undefined
  return () => {
    try {
      const reply: unknown = task.offline?.(input)
      return typeof reply === 'string' && task.reply === 'text' ? reply : JSON.stringify(reply ?? null)
    } catch (cause) {
      throw new ModelError('reply', `${task.name}: its offline stand-in failed: ${messageOf(cause)}`, { cause })
    }
  }
}
