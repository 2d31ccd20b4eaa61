import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isFile } from '../basics/files.ts'
import { isObject } from '../basics/plain-data.ts'
import { unknownName } from '../text/names.ts'
import { layouts, placeholdersIn } from '../text/placeholders.ts'
import type { PromptTemplate, PromptTemplates } from '../types.ts'
import { check } from './check.ts'
import type { PromptRegistry } from './plan.ts'
import { promptMessages } from './schema.ts'
import {
  absolutePath,
  nodeAt,
  placeOf,
  rawAt,
  textAt,
  valueAt,
  type Path,
  type ReportError,
  type Tree,
} from './tree.ts'
import { readYaml } from './yaml.ts'

/**
 * The prompts that a config gives in place of the built-in ones: of a named set, of files (YAML, a list of messages
 * with `role` and `content`), or inline. Reports each error in a line with its place.
 */
export async function planPrompts(tree: Tree, registry: PromptRegistry, report: ReportError): Promise<PromptTemplates> {
  const section = valueAt(tree, ['prompts'])
  const names = registry.tasks.map(({ name }) => name)
  for (const name of Object.keys(isObject(section) ? section : {}))
    if (name !== 'use' && !names.includes(name))
      report(placeOf(tree, ['prompts', name], true), `prompts: ${unknownName('task', name, names)}`)
  const setPath = isObject(section) ? ['prompts', 'use'] : ['prompts']
  const templates: Record<string, PromptTemplate> = {}
  for (const task of registry.tasks) {
    const taskPath = ['prompts', task.name]
    const isOwn = nodeAt(tree, taskPath) !== undefined
    const path = isOwn ? taskPath : setPath
    const source = nodeAt(tree, path)?.items
      ? { tree, path }
      : await promptFile(tree, path, task.name, isOwn, registry.folder, report)
    const template = source && templateOf(source.tree, source.path, task, report)
    if (template) templates[task.name] = template
  }
  return templates
}

/** The prompts of the recorded config, with `${` escaped. */
export const promptsRecord = (prompts: PromptTemplates): PromptTemplates =>
  Object.fromEntries(
    Object.entries(prompts).map(([task, messages]) => [
      task,
      messages.map(({ role, content }) => ({ role, content: content.replaceAll('${', '$${') })),
    ]),
  )

/** The prompt of a task from the file that the config names for it, or from a set. */
async function promptFile(
  tree: Tree,
  path: Path,
  task: string,
  isOwn: boolean,
  folder: string,
  report: ReportError,
): Promise<{ readonly tree: Tree; readonly path: Path } | undefined> {
  const value = valueAt(tree, path)
  const name = textAt(tree, path)
  if (typeof value !== 'string' || name === undefined) return undefined
  const place = placeOf(tree, path)
  const isPath = isOwn && /[\\/.]/.test(name)
  const file = isPath ? absolutePath(value, tree, path) : join(folder, name, `${task}.yaml`)
  if (!isPath) {
    const sets = (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
      entry.isDirectory() ? entry.name : [],
    )
    if (!sets.includes(name)) {
      const hint = `a file is given by its path, as in ./${name || 'mine'}.yaml`
      report(place, `prompts: ${unknownName('set', name, sets)}; ${hint}`)
      return undefined
    }
    if (!isFile(file)) {
      if (isOwn) report(place, `prompts.${task}: the set "${name}" has no prompt for this task`)
      return undefined
    }
  }
  const prompt = await readYaml(file, isPath ? name : file, place.order, report)
  return prompt && { tree: prompt, path: [] }
}

/** The messages of a prompt. Reports errors; undefined if there are any. */
function templateOf(
  tree: Tree,
  path: Path,
  task: PromptRegistry['tasks'][number],
  report: ReportError,
): PromptTemplate | undefined {
  let faults = 0
  const reportFault: ReportError = (place, message) => {
    faults++
    report(place, `the prompt of ${task.name}: ${message}`)
  }
  const value = rawAt(tree, path)
  const start = placeOf(tree, path)
  if (!Array.isArray(value)) reportFault(start, 'must be a list of messages, each with role and content')
  const messages = Array.isArray(value) && check(promptMessages, { tree, path, value, report: reportFault })
  if (!messages) return undefined
  if (messages.at(-1)?.role !== 'user') reportFault(start, 'the last message must be one of the user')
  const fields = new Set<string>()
  for (const [index, { content }] of messages.entries()) {
    const place = placeOf(tree, [...path, index, 'content'])
    const { placeholders, isBroken } = placeholdersIn(content)
    if (isBroken) reportFault(place, 'a placeholder is written {{field}} or {{field:layout}}')
    for (const { field, layout } of placeholders) {
      fields.add(field)
      if (!task.fields.includes(field)) reportFault(place, unknownName('placeholder', field, task.fields))
      else if (layout !== undefined && !layouts.some((name) => name === layout))
        reportFault(place, unknownName('layout', layout, layouts))
    }
  }
  for (const field of task.requiredFields)
    if (!fields.has(field)) reportFault(start, `lacks the placeholder {{${field}}}`)
  return faults === 0 ? messages.map(({ role, content }) => ({ role, content: content.trimEnd() })) : undefined
}
