import type { AnyTask, Models } from '../types.ts'

/** What a plug-in asked of its models: the names of tasks, and texts to embed. */
export interface Asked {
  readonly tasks: Set<string>
  readonly embedded: Set<string>
}

/** Models that note what is asked of them. */
export const watchedModels = (models: Models, { tasks, embedded }: Asked): Models => ({
  ...models,
  run(task, input) {
    tasks.add(task.name)
    return models.run(task, input)
  },
  embed(texts, role) {
    for (const text of texts) embedded.add(text)
    return models.embed(texts, role)
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
