import { fillPlaceholders } from '../text/placeholders.ts'
import type { Message, Prompt, PromptTemplates, Task } from '../types.ts'
import * as answers from './answers.ts'
import * as chat from './chat.ts'
import * as claims from './claims.ts'
import * as entities from './entities.ts'
import * as graphragIndex from './graphrag-index.ts'
import * as graphragSearch from './graphrag-search.ts'
import * as hlgraphrag from './hlgraphrag.ts'
import * as lightrag from './lightrag.ts'
import * as pieces from './pieces.ts'
import * as records from './records.ts'
import * as searching from './searching.ts'
import * as searchStep from './search-step.ts'
import * as verdicts from './verdicts.ts'
import type { SampledTask } from './task.ts'

const files: readonly object[] = [
  ...[answers, pieces, entities, graphragIndex, graphragSearch, claims, verdicts, lightrag],
  ...[hlgraphrag, records, searching, chat, searchStep],
]

/** All tasks for language models. */
export const tasks: readonly SampledTask[] = files.flatMap((file) => Object.values(file).filter(isTask))

function isTask(value: unknown): value is SampledTask {
  return typeof value === 'object' && value !== null && 'sample' in value
}

/** Settings and optional fields, which a custom prompt may leave out. */
const settings: ReadonlySet<string> = new Set([
  ...['style', 'count', 'tokens', 'words', 'most', 'maxTokens', 'temperature', 'variant', 'index'],
  ...['replies', 'already', 'turnsLeft', 'entityTypes', 'roles.asks', 'roles.replies', 'decompose-claims.question'],
])

/** The tasks with configurable prompts, and the fields that such a prompt may and must contain. */
export const taskFields = tasks
  .filter(({ name }) => name !== 'chat')
  .map(({ name, sample }) => {
    const input = Object(sample) as Readonly<Record<string, unknown>>
    const fields = Object.entries(input).flatMap(([field, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.keys(value).map((inner) => `${field}.${inner}`)
        : [field],
    )
    return {
      name,
      fields,
      requiredFields: fields.filter((field) => !settings.has(field) && !settings.has(`${name}.${field}`)),
    }
  })

/** The prompt of a task for an input: the custom template of the config, or the default. */
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
