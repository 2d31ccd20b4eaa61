import type { AnyTask, Models } from '../types.ts'

/** Models that tell the name of every task that is run. */
export const watchedModels = (models: Models, ran: (task: string) => void): Models => ({
  ...models,
  run(task, input) {
    ran(task.name)
    return models.run(task, input)
  },
})

/** The first task that was run and is not declared, as a fault. */
export function undeclared(ran: ReadonlySet<string>, tasks: readonly AnyTask[] | undefined): string | undefined {
  const declared = (tasks ?? []).map(({ name }) => name)
  const task = [...ran].find((name) => !declared.includes(name))
  if (task === undefined) return undefined
  const known = declared.length > 0 ? declared.map((name) => `"${name}"`).join(', ') : 'none'
  return `ran the task "${task}", which its "tasks" do not name (they name ${known}); expected tasks: [ … ] with every task that it may run`
}
