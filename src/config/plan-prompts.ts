import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { unknownName } from '../text/names.ts'
import { layouts, placeholdersIn } from '../text/placeholders.ts'
import type { Message, PromptTemplate, PromptTemplates } from '../types.ts'
import {
  absolutePath,
  child,
  quoted,
  writtenText,
  type Located,
  type ReportError,
  type SourceLocation,
} from './located-value.ts'
import { readYaml } from './parse-yaml.ts'
import type { Menus, PromptMenu } from './plan.ts'

type TaskFields = PromptMenu['tasks'][number]

interface Context {
  readonly menus: Pick<Menus, 'prompts'>
  readonly report: ReportError
}

/**
 * The prompts that a config gives in place of gembench's own: those of a named set, of files (YAML, a list of messages
 * with `role` and `content`), or written in the config. Reports what is wrong with one, in a line with its place.
 */
export async function planPrompts(root: Located, { menus, report }: Context): Promise<PromptTemplates> {
  const node = child(root, 'prompts')
  if (!node || node.kind === 'list') return {}
  const { tasks } = menus.prompts
  const whole = node.kind === 'scalar' ? node : child(node, 'use')
  const made: Record<string, PromptTemplate> = {}
  const take = async (task: TaskFields, read: () => Promise<Located | undefined>): Promise<void> => {
    const written = await read()
    const template = written && templateOf(written, task, report)
    if (template) made[task.name] = template
  }
  if (whole) {
    const name = writtenText(whole) ?? ''
    for (const file of (await filesOfSet(name, whole, menus.prompts, report)) ?? []) {
      const task = tasks.find((one) => `${one.name}.yaml` === basename(file))
      if (task) await take(task, () => readYaml(file, file, whole.at.order, report))
    }
  }
  if (node.kind === 'scalar') return made
  const known = tasks.map((one) => one.name)
  for (const [name, { key, value }] of node.entries) {
    if (name === 'use') continue
    const task = tasks.find((one) => one.name === name)
    if (!task) report(key, `prompts: ${unknownName('task', name, known)}`)
    else await take(task, () => written(task, value, menus.prompts, report))
  }
  return made
}

/** The prompts as a config that is recorded has them: nothing for the environment to fill in. */
export const promptsRecord = (prompts: PromptTemplates): PromptTemplates =>
  Object.fromEntries(
    Object.entries(prompts).map(([task, messages]) => [
      task,
      messages.map(({ role, content }) => ({ role, content: content.replaceAll('${', '$${') })),
    ]),
  )

/** What stands in the config for a task: messages, the file that a path names, or the file of a set. */
async function written(
  task: TaskFields,
  value: Located,
  menu: PromptMenu,
  report: ReportError,
): Promise<Located | undefined> {
  if (value.kind !== 'scalar') return value
  const name = writtenText(value) ?? ''
  if (/[\\/.]/.test(name)) return readYaml(absolutePath(String(value.value), value), name, value.at.order, report)
  const files = await filesOfSet(name, value, menu, report)
  const file = files?.find((one) => basename(one) === `${task.name}.yaml`)
  if (file !== undefined) return readYaml(file, file, value.at.order, report)
  if (files) report(value.at, `prompts.${task.name}: the set "${name}" has no prompt for this task`)
  return undefined
}

async function filesOfSet(
  name: string,
  { at }: Located,
  { folder }: PromptMenu,
  report: ReportError,
): Promise<readonly string[] | undefined> {
  const sets = await readdir(folder, { withFileTypes: true })
  const names = sets.flatMap((one) => (one.isDirectory() ? [one.name] : []))
  if (!names.includes(name)) {
    report(
      at,
      `prompts: ${unknownName('set', name, names)}; a file is given by its path, as in ./${name || 'mine'}.yaml`,
    )
    return undefined
  }
  return (await readdir(join(folder, name)))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, name, file))
}

const roles: readonly string[] = ['system', 'user', 'assistant'] satisfies readonly Message['role'][]
const isRole = (role: string | undefined): role is Message['role'] => role !== undefined && roles.includes(role)

/** The messages that stand there; undefined where they are no prompt of that task, which is reported. */
function templateOf(node: Located, task: TaskFields, report: ReportError): PromptTemplate | undefined {
  let faults = 0
  const refuse = (at: SourceLocation, message: string): void => {
    faults++
    report(at, `the prompt of ${task.name}: ${message}`)
  }
  if (node.kind !== 'list' || node.items.length === 0) {
    refuse(node.at, 'must be a list of messages, each with role and content')
    return undefined
  }
  const messages = node.items.flatMap((item): Message[] => {
    const [role, content] = [writtenText(child(item, 'role')), writtenText(child(item, 'content'))]
    const other =
      item.kind === 'mapping' ? [...item.entries.keys()].find((key) => !/^(role|content)$/.test(key)) : undefined
    if (!isRole(role)) refuse(child(item, 'role')?.at ?? item.at, `role must be one of ${roles.join(', ')}`)
    else if (content === undefined) refuse(child(item, 'content')?.at ?? item.at, 'content must be text')
    else if (other !== undefined) refuse(item.at, `unknown key ${quoted(other)}; a message has role and content`)
    else return [{ role, content: content.trimEnd() }]
    return []
  })
  if (faults === 0 && messages.at(-1)?.role !== 'user') refuse(node.at, 'the last message must be one of the user')
  const named = new Set<string>()
  for (const item of node.items) {
    const content = child(item, 'content')
    const at = content?.at ?? item.at
    const { found, isBroken } = placeholdersIn(writtenText(content) ?? '')
    if (isBroken) refuse(at, 'a placeholder is written {{field}} or {{field:layout}}')
    for (const { field, layout } of found) {
      named.add(field)
      if (!task.fields.includes(field)) refuse(at, unknownName('placeholder', field, task.fields))
      else if (layout !== undefined && !layouts.some((one) => one === layout))
        refuse(at, unknownName('layout', layout, layouts))
    }
  }
  for (const field of task.needed) if (!named.has(field)) refuse(node.at, `lacks the placeholder {{${field}}}`)
  return faults === 0 ? messages : undefined
}
