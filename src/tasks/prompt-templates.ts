import type { Message, Prompt, PromptTemplates, Task } from '../types.ts'
import { fillPlaceholders } from '../text/placeholders.ts'
import { tasks } from './index.ts'

/** What a prompt of one's own may name of a task's input, and what it must. */
export interface TaskFields {
  readonly name: string
  readonly fields: readonly string[]
  readonly needed: readonly string[]
}

/** Fields that say how much or how is asked, and those that an input may lack; a prompt may leave them out. */
const settings: ReadonlySet<string> = new Set([
  ...['style', 'count', 'tokens', 'words', 'most', 'maxTokens', 'temperature', 'variant', 'index', 'atomicity'],
  ...['coverage', 'replies', 'already', 'entityTypes', 'roles.asks', 'roles.replies', 'decompose-claims.question'],
])

/** The tasks whose prompts a config may give: all but those that a program words itself. */
export const taskFields: readonly TaskFields[] = tasks
  .filter(({ name }) => name !== 'chat')
  .map(({ name, sample }) => {
    const fields = Object.entries(Object(sample) as Readonly<Record<string, unknown>>).flatMap(([field, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.keys(value).map((inner) => `${field}.${inner}`)
        : [field],
    )
    return { name, fields, needed: fields.filter((field) => !settings.has(field) && !settings.has(`${name}.${field}`)) }
  })

/** The prompt of a task for an input: its own, or the messages that a config gives for it. */
export function promptFor<I>(
  task: Pick<Task<I, unknown>, 'name' | 'prompt'>,
  input: I,
  templates: PromptTemplates,
): Prompt {
  const prompt = task.prompt(input)
  const template = Object.hasOwn(templates, task.name) ? templates[task.name] : undefined
  if (!template) return prompt
  const messages = template.map(({ role, content }): Message => ({
    role,
    content: fillPlaceholders(content, Object(input) as object),
  }))
  return { ...prompt, messages }
}
