import { readdir } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { isFile } from '../basics/files.ts'
import type { Registry } from '../basics/loading.ts'
import { filesOf } from '../define.ts'
import { scrubError, UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import { layouts, placeholdersIn } from '../text/placeholders.ts'
import type { Method, PromptTemplate, PromptTemplates } from '../types.ts'
import { check } from './check.ts'
import { expandVariables, recordOf, type ReadContext } from './environment.ts'
import {
  absolutePath,
  dataOf,
  entriesOf,
  nodeAt,
  oneLine,
  placedAt,
  readYaml,
  valueAt,
  without,
  type Path,
  type Place,
  type ReportError,
  type Tree,
} from './tree.ts'

/** A plug-in, as far as a config needs it; `can`: the abilities of a model provider. */
export interface PlugInSpec extends Pick<Method, 'name' | 'options' | 'over' | 'shares'> {
  readonly can?: readonly ('complete' | 'embed' | 'embedTokens' | 'rerank')[]
}

/** The kinds of plug-ins that a config names. */
export type PlugInKind = 'method' | 'scorer' | 'dataset' | 'model'

/** The plug-ins that a config may name. */
export interface Registries extends Readonly<Record<`${PlugInKind}s`, Registry<PlugInSpec>>> {
  /** Plug-ins that a program passes as objects, by their placeholder names in the config. */
  readonly objects?: {
    readonly [K in 'dataset' | 'method' | 'scorer' | 'provider']?: Objects
  }
  /** The tasks whose prompts a config may give, and the folder of the named sets. */
  readonly prompts: {
    readonly tasks: readonly PromptTask[]
    readonly folder: string
  }
  /** The plug-in that a file, an absolute path, exports. Throws UserError when it exports none. */
  loadFile(kind: PlugInKind, file: string): Promise<PlugInSpec>
}

type Objects = ReadonlyMap<string, { readonly item: PlugInSpec }>

/** A task and the fields of its prompt. */
interface PromptTask {
  readonly name: string
  readonly fields: readonly string[]
  /** Fields that a prompt must contain. */
  readonly requiredFields: readonly string[]
}

/** A plug-in: its name, its parsed options, and the options as they may be written to disk. */
export interface PlannedPlugIn {
  readonly use: string
  readonly options: unknown
  /** As in the config, with defaults: `${NAME}` is not expanded, literal keys are hidden. */
  readonly record: Readonly<Record<string, unknown>>
  /** Its placeholder name in the config, if a program passed it as an object. */
  readonly object?: string
  /** The absolute path of its file. */
  readonly file?: string
  /** The methods that its option `of` lists, with their places. */
  readonly of?: readonly (PlannedPlugIn & { readonly at: string })[]
}

/** The registries, the environment, and the functions that report errors. */
export interface PlanContext extends ReadContext, Registries {
  /** Reports a file that cannot be loaded (default: `report`). */
  readonly reportFile?: ReportError
}

/** Keys of a plug-in's mapping that are no options. */
const keysBeside: Readonly<Record<PlugInKind, readonly string[]>> = {
  dataset: [],
  method: ['use', 'label', 'budget'],
  scorer: ['use', 'label'],
  model: ['use'],
}

/** A plug-in that a config names, and its section with unchecked options. */
export interface Choice extends Pick<PlannedPlugIn, 'file' | 'object'> {
  readonly item: PlugInSpec
  readonly at: Place
  readonly node: Tree
  readonly path: Path
  /** Keys that its section has beside the options. */
  readonly beside: readonly string[]
}

/** The plug-in of a name or of a mapping with `use` at a path. Reports an unknown name; undefined for one. */
export async function choosePlugIn(
  kind: PlugInKind,
  source: Tree | undefined,
  path: Path,
  context: PlanContext,
  beside = keysBeside[kind],
): Promise<Choice | undefined> {
  const entries = entriesOf(source)
  const use = entries?.get('use')
  const name = use && expandVariables(use, context)
  if (!source || !entries || !use || typeof name !== 'string' || name === '') return undefined
  const { at } = use
  // the options of a dataset are a mapping of their own
  const choice =
    kind === 'dataset'
      ? { at, node: entries.get('options') ?? placedAt({}, source.at), path: [...path, 'options'], beside }
      : { at, node: { ...source, entries }, path, beside }
  const { objects, report, reportFile = report } = context
  const object = objects?.[kind === 'model' ? 'provider' : kind]?.get(name)
  if (object) return { ...choice, item: object.item, object: name }
  if (!/\.(ts|js|mjs)$/.test(name)) {
    const registry = context[`${kind}s`]
    const item = await registry.load(name)
    if (item) return { ...choice, item }
    const text = oneLine(String(use.value))
    const hint = /[\\/]/.test(text) ? '; the path of a file must end in .ts, .js or .mjs' : ''
    report(at, unknownName(kind, text, registry.names) + hint)
    return undefined
  }
  const file = resolve(at.folder, name)
  try {
    if (!isFile(file)) throw new UserError(`no such file "${name}" (full path: ${file})`)
    return { ...choice, item: await context.loadFile(kind, file), file }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const line of error.message.split('\n')) reportFile(at, scrubError(oneLine(line)))
    return undefined
  }
}

type Options = Readonly<Record<string, unknown>>

/** A plug-in as planned, and its section in the recorded config. */
export interface Planned {
  readonly plan: PlannedPlugIn
  readonly entry: Options
}

/** Checks the options of a plug-in, and of the methods that it wraps. */
export async function planOptions(
  { item, node, path, beside, file, object }: Choice,
  context: PlanContext,
): Promise<Planned | undefined> {
  const section = without(node, beside)
  const options = check(item.options, section, path, context, beside) as Options | undefined
  if (options === undefined) return undefined
  const of = item.over && (nodeAt(section, ['of']) ?? placedAt(options['of'], node.at))
  const parts = of && (await planParts(of, [...path, 'of'], context))
  if (of && !parts) return undefined
  const files = [...filesOf(item.options, options), ...filesOf(item.options, options, 'folder')]
  const paths = files.map(([name, target]) => [name, absolutePath(target, section, [name])])
  const entries = parts?.map(({ entry }) => entry)
  const ofEntry = of?.items ? entries : entries?.[0]
  const record = recordOf(dataOf(section), { ...options, ...(ofEntry && { of: ofEntry }) })
  const plan: PlannedPlugIn = {
    use: item.name,
    options: { ...options, ...(Object.fromEntries(paths) as Options) },
    record,
    ...(parts && { of: parts.map(({ plan: part, at }) => ({ ...part, at })) }),
    ...(file !== undefined && { file }),
    ...(object !== undefined && { object }),
  }
  return { plan, entry: { ...headOf(node, beside), ...record } }
}

/** The methods that `of` lists, with their places; undefined where one is invalid. */
async function planParts(of: Tree, path: Path, context: PlanContext) {
  const parts = await Promise.all(
    (of.items ?? [of]).map(async (node, index) => {
      const choice = await choosePlugIn('method', node, of.items ? [...path, index] : path, context, ['use'])
      const part = choice && (await planOptions(choice, context))
      return part && { ...part, at: choice.at.text }
    }),
  )
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/** Some of the keys of a section, as written. */
export function headOf(node: Tree, keys: readonly string[]): Options {
  const entries = entriesOf(node)
  const present = keys.filter((key) => entries?.has(key))
  return Object.fromEntries(present.map((key) => [key, dataOf(entries?.get(key))]))
}

/** A plug-in with its name in tables. */
export interface LabelledChoice extends Choice {
  readonly label: string
}

/** The plug-ins of a list in order, each with its label. Reports duplicate labels. */
export async function chooseLabelled(
  kind: 'method' | 'scorer',
  tree: Tree,
  context: PlanContext,
): Promise<readonly LabelledChoice[]> {
  const choices: LabelledChoice[] = []
  for (const [index, node] of nodeAt(tree, [`${kind}s`])?.items?.entries() ?? []) {
    const choice = await choosePlugIn(kind, node, [`${kind}s`, index], context)
    if (!choice) continue
    const { item, file, at } = choice
    const text = valueAt(node, ['label'])
    // a method of a file is called by its file, as the config names it
    const name = kind === 'method' && file !== undefined ? basename(file, extname(file)) : item.name
    const label = typeof text === 'string' ? text : name
    const first = choices.find((previous) => previous.label === label)
    if (first)
      context.report(
        at,
        `two ${kind}s have the name "${label}" (the other: ${first.at.text}); give one of them a label`,
      )
    choices.push({ ...choice, label })
  }
  return choices
}

/**
 * The prompts that a config gives in place of the built-in ones: of a named set, of files (YAML, a list of messages
 * with `role` and `content`), or inline. Reports each error in a line with its place.
 */
export async function planPrompts(tree: Tree, context: PlanContext): Promise<PromptTemplates> {
  const { prompts, report } = context
  const section = entriesOf(nodeAt(tree, ['prompts']))
  const names = prompts.tasks.map(({ name }) => name)
  for (const [name, { keyAt }] of section ?? [])
    if (name !== 'use' && !names.includes(name)) report(keyAt, `prompts: ${unknownName('task', name, names)}`)
  const templates: Record<string, PromptTemplate> = {}
  for (const task of prompts.tasks) {
    const isOwn = section?.has(task.name) === true
    const node = section?.get(isOwn ? task.name : 'use')
    const prompt = node?.items ? node : await readPrompt(node, task.name, isOwn, context)
    const reportOfTask: ReportError = (place, message) => {
      report(place, `the prompt of ${task.name}: ${message}`)
    }
    const messages = prompt && check(templateOf(task), prompt, [], { report: reportOfTask })
    if (messages) templates[task.name] = messages
  }
  return templates
}

/** The prompt of a task from the file that the config names for it, or from a set. */
async function readPrompt(
  node: Tree | undefined,
  task: string,
  isOwn: boolean,
  context: PlanContext,
): Promise<Tree | undefined> {
  if (!node || typeof node.value !== 'string') return undefined
  const { prompts, report } = context
  const { value: name, at } = node
  if (isOwn && /[\\/.]/.test(name))
    return readYaml(absolutePath(String(expandVariables(node, context)), node, []), name, report)
  const file = join(prompts.folder, name, `${task}.yaml`)
  const entries = await readdir(prompts.folder, { withFileTypes: true })
  const sets = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  const hint = `; a file is given by its path, as in ./${name || 'mine'}.yaml`
  if (!sets.includes(name)) report(at, `prompts: ${unknownName('set', name, sets)}${hint}`)
  else if (isFile(file)) return readYaml(file, file, report)
  else if (isOwn) report(at, `prompts.${task}: the set "${name}" has no prompt for this task`)
  return undefined
}

/** A prompt that replaces a built-in one. */
export const promptMessages = z
  .array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant']),
      content: z.string().overwrite((content) => content.trimEnd()),
    }),
    'must be a list of messages, each with role and content',
  )
  .min(1)

/** The messages of the prompt of a task, with its placeholders. */
const templateOf = ({ fields, requiredFields }: PromptTask) =>
  promptMessages.superRefine((messages, context) => {
    const add = (message: string, path: PropertyKey[] = []): void => {
      context.addIssue({ code: 'custom', path, message })
    }
    if (messages.at(-1)?.role !== 'user') add('the last message must be one of the user')
    const fieldNames = new Set<string>()
    for (const [index, { content }] of messages.entries()) {
      const path = [index, 'content']
      const { placeholders, isBroken } = placeholdersIn(content)
      if (isBroken) add('a placeholder is written {{field}} or {{field:layout}}', path)
      for (const { field, layout } of placeholders) {
        fieldNames.add(field)
        if (!fields.includes(field)) add(unknownName('placeholder', field, fields), path)
        else if (layout !== undefined && !layouts.some((name) => name === layout))
          add(unknownName('layout', layout, layouts), path)
      }
    }
    for (const field of requiredFields) {
      if (!fieldNames.has(field)) add(`lacks the placeholder {{${field}}}`)
    }
  })
