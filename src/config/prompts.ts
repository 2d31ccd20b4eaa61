import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isObject } from '../basics/plain-data.ts'
import { unknownName } from '../text/names.ts'
import { layouts, placeholdersIn } from '../text/placeholders.ts'
import type { PromptTemplate, PromptTemplates } from '../types.ts'
import { check } from './check.ts'
import type { Place, ReportError } from './error-list.ts'
import type { PromptMenu } from './plan.ts'
import { promptMessages } from './schema.ts'
import { absolutePath, placeOf, textAt, valueAt, type Path, type Tree } from './tree.ts'
import { readYaml } from './yaml.ts'

type TaskFields = PromptMenu['tasks'][number]

/**
 * The prompts that a config gives in place of gembench's own: those of a named set, of files (YAML, a list of messages
 * with `role` and `content`), or written in the config. Reports what is wrong with one, in a line with its place.
 */
export async function planPrompts(tree: Tree, menu: PromptMenu, report: ReportError): Promise<PromptTemplates> {
  const section = valueAt(tree.value, ['prompts'])
  const setPath = isObject(section) ? ['prompts', 'use'] : ['prompts']
  const templates: Record<string, PromptTemplate> = {}
  const take = (task: TaskFields, source: Tree | undefined, path: Path): void => {
    const template = source && templateOf(source, path, task, report)
    if (template) templates[task.name] = template
  }
  if (typeof valueAt(tree.value, setPath) === 'string') {
    const files = await filesOfSet(tree, setPath, menu, report)
    for (const task of menu.tasks) {
      const file = files?.find((name) => basename(name) === `${task.name}.yaml`)
      if (file !== undefined) take(task, await readYaml(file, file, placeOf(tree, setPath).order, report), [])
    }
  }
  for (const name of Object.keys(isObject(section) ? section : {})) {
    if (name === 'use') continue
    const path = ['prompts', name]
    const task = menu.tasks.find((item) => item.name === name)
    const names = menu.tasks.map((item) => item.name)
    if (!task) report(placeOf(tree, path, true), `prompts: ${unknownName('task', name, names)}`)
    else if (Array.isArray(valueAt(tree.value, path))) take(task, tree, path)
    else take(task, await promptFile(task, tree, path, { menu, report }), [])
  }
  return templates
}

/** The prompts as a config that is recorded has them: nothing for the environment to fill in. */
export const promptsRecord = (prompts: PromptTemplates): PromptTemplates =>
  Object.fromEntries(
    Object.entries(prompts).map(([task, messages]) => [
      task,
      messages.map(({ role, content }) => ({ role, content: content.replaceAll('${', '$${') })),
    ]),
  )

/** The file that a path names for a task, or the file of a set. */
async function promptFile(
  task: TaskFields,
  tree: Tree,
  path: Path,
  { menu, report }: { readonly menu: PromptMenu; readonly report: ReportError },
): Promise<Tree | undefined> {
  const value = valueAt(tree.value, path)
  const name = textAt(tree, path)
  if (typeof value !== 'string' || name === undefined) return undefined
  const { order } = placeOf(tree, path)
  if (/[\\/.]/.test(name)) return readYaml(absolutePath(value, tree, path), name, order, report)
  const files = await filesOfSet(tree, path, menu, report)
  const file = files?.find((one) => basename(one) === `${task.name}.yaml`)
  if (file !== undefined) return readYaml(file, file, order, report)
  if (files) report(placeOf(tree, path), `prompts.${task.name}: the set "${name}" has no prompt for this task`)
  return undefined
}

async function filesOfSet(
  tree: Tree,
  path: Path,
  { folder }: PromptMenu,
  report: ReportError,
): Promise<readonly string[] | undefined> {
  const name = textAt(tree, path) ?? ''
  const sets = await readdir(folder, { withFileTypes: true })
  const names = sets.flatMap((one) => (one.isDirectory() ? [one.name] : []))
  if (names.includes(name))
    return (await readdir(join(folder, name)))
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => join(folder, name, file))
  report(
    placeOf(tree, path),
    `prompts: ${unknownName('set', name, names)}; a file is given by its path, as in ./${name || 'mine'}.yaml`,
  )
  return undefined
}

/** The messages of a prompt; undefined where they are no prompt of that task, which is reported. */
function templateOf(tree: Tree, path: Path, task: TaskFields, report: ReportError): PromptTemplate | undefined {
  let faults = 0
  const refuse = (place: Place | string, message: string): void => {
    faults++
    report(place, `the prompt of ${task.name}: ${message}`)
  }
  const value = valueAt(tree.written, path)
  if (!Array.isArray(value)) {
    refuse(placeOf(tree, path), 'must be a list of messages, each with role and content')
    return undefined
  }
  const messages = check(promptMessages, { tree, path, value, report: refuse })
  if (!messages) return undefined
  if (messages.at(-1)?.role !== 'user') refuse(placeOf(tree, path), 'the last message must be one of the user')
  const fields = new Set<string>()
  for (const [index, { content }] of messages.entries()) {
    const place = placeOf(tree, [...path, index, 'content'])
    const { found, isBroken } = placeholdersIn(content)
    if (isBroken) refuse(place, 'a placeholder is written {{field}} or {{field:layout}}')
    for (const { field, layout } of found) {
      fields.add(field)
      if (!task.fields.includes(field)) refuse(place, unknownName('placeholder', field, task.fields))
      else if (layout !== undefined && !layouts.some((name) => name === layout))
        refuse(place, unknownName('layout', layout, layouts))
    }
  }
  for (const field of task.needed)
    if (!fields.has(field)) refuse(placeOf(tree, path), `lacks the placeholder {{${field}}}`)
  return faults === 0 ? messages.map(({ role, content }) => ({ role, content: content.trimEnd() })) : undefined
}
