import { basename, extname, resolve } from 'node:path'
import type { ZodType } from 'zod'
import { isFile } from '../basics/files.ts'
import type { Registry } from '../basics/loading.ts'
import { isObject } from '../basics/plain-data.ts'
import { filesOf } from '../define.ts'
import { scrubError, UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import { check, withoutKeys } from './check.ts'
import { expandVariables, recordOf, type ReadContext } from './environment.ts'
import {
  absolutePath,
  nodeAt,
  oneLine,
  placeOf,
  valueAt,
  withDefault,
  type Path,
  type Place,
  type ReportError,
  type Tree,
} from './tree.ts'

/** The name and options of a plug-in, as far as a config needs them. */
export interface PlugInSpec {
  readonly name: string
  readonly options: ZodType
  /** Set for a method that wraps the methods of its option `of`. */
  readonly over?: unknown
  /** For a method: the options that all variants of a row share. */
  shares?(variants: readonly unknown[]): object
  /** For a provider: its abilities. */
  readonly can?: readonly ('complete' | 'embed' | 'embedTokens' | 'rerank')[]
}

/** A model provider. */
export type ModelSpec = PlugInSpec & Required<Pick<PlugInSpec, 'can'>>

/** The kinds of plug-ins that a config names. */
export type PlugInKind = 'method' | 'scorer' | 'dataset' | 'model'

/** The plug-ins that a config may name. */
export interface Registries {
  readonly datasets: Registry<PlugInSpec>
  readonly methods: Registry<PlugInSpec>
  readonly scorers: Registry<PlugInSpec>
  readonly models: Registry<ModelSpec>
  /** Plug-ins that a program passes as objects, by their placeholder names in the config. */
  readonly objects?: {
    readonly dataset?: Objects<PlugInSpec>
    readonly method?: Objects<PlugInSpec>
    readonly scorer?: Objects<PlugInSpec>
    readonly provider?: Objects<ModelSpec>
  }
  /** The tasks whose prompts a config may give, and the folder of the named sets. */
  readonly prompts: {
    readonly tasks: readonly PromptTask[]
    readonly folder: string
  }
  /** The plug-in that a file, an absolute path, exports. Throws UserError when it exports none. */
  loadFile(kind: PlugInKind, file: string): Promise<PlugInSpec>
}

type Objects<T> = ReadonlyMap<string, { readonly item: T }>

/** A task and the fields of its prompt. */
export interface PromptTask {
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

/** A plug-in that a config names, with unchecked options. */
export interface Choice extends Pick<PlannedPlugIn, 'file' | 'object'> {
  readonly item: PlugInSpec
  readonly at: Place
  /** The path of its options. */
  readonly path: Path
  /** Keys that may be next to the options. */
  readonly extraKeys: readonly string[]
}

/** Keys of a plug-in's mapping that are no options. */
const extraKeysOf: Readonly<Record<PlugInKind, readonly string[]>> = {
  dataset: [],
  method: ['use', 'label', 'budget'],
  scorer: ['use', 'label'],
  model: ['use'],
}

/** The plug-in of a name or of a mapping with `use`. Reports an unknown name; undefined for one. */
export async function choosePlugIn(
  kind: PlugInKind,
  tree: Tree,
  path: Path,
  context: PlanContext,
  extraKeys = extraKeysOf[kind],
): Promise<Choice | undefined> {
  const node = nodeAt(tree, path)
  const useNode = node?.entries ? node.entries.get('use') : node
  if (!useNode) return undefined
  const name = expandVariables(useNode, context)
  if (typeof name !== 'string' || name === '') return undefined
  const { at } = useNode
  const { objects, report, reportFile = report } = context
  // the options of a dataset are a mapping of their own
  const choice = { at, path: kind === 'dataset' ? [...path, 'options'] : path, extraKeys }
  const object = objects?.[kind === 'model' ? 'provider' : kind]?.get(name)
  if (object) return { ...choice, item: object.item, object: name }
  if (!/\.(ts|js|mjs)$/.test(name)) {
    const registry: Registry<PlugInSpec> = context[`${kind}s`]
    const item = await registry.load(name)
    if (item) return { ...choice, item }
    const use = oneLine(String(useNode.value))
    const hint = /[\\/]/.test(use) ? '; the path of a file must end in .ts, .js or .mjs' : ''
    report(at, unknownName(kind, use, registry.names) + hint)
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

/** Checks the options of a plug-in, and of the methods that it wraps. */
export async function planOptions(
  { item, path, extraKeys, file, object }: Choice,
  tree: Tree,
  context: PlanContext,
): Promise<PlannedPlugIn | undefined> {
  const options = check(item.options, tree, path, context, extraKeys) as Options | undefined
  if (options === undefined) return undefined
  const parts = item.over === undefined ? null : await planParts([...path, 'of'], tree, options['of'], context)
  if (parts === undefined) return undefined
  const files = [...filesOf(item.options, options), ...filesOf(item.options, options, 'folder')]
  const paths = files.map(([name, target]) => [name, absolutePath(target, tree, [...path, name])])
  return {
    use: item.name,
    options: paths.length === 0 ? options : { ...options, ...Object.fromEntries(paths) },
    record: recordOf(withoutKeys(valueAt(tree, path), extraKeys), { ...options, ...parts?.record }),
    ...(parts && { of: parts.of }),
    ...(file !== undefined && { file }),
    ...(object !== undefined && { object }),
  }
}

/** The methods that `of` lists, and their form in the recorded config. */
async function planParts(to: Path, source: Tree, defaultParts: unknown, context: PlanContext) {
  const tree = withDefault(source, to, defaultParts)
  const items = nodeAt(tree, to)?.items
  const paths = items ? items.map((_, index) => [...to, index]) : [to]
  const parts = await Promise.all(
    paths.map(async (path) => {
      const choice = await choosePlugIn('method', tree, path, context, ['use'])
      const plan = choice && (await planOptions(choice, tree, context))
      if (!plan) return []
      const entry = { ...headOf(tree, path, ['use']), ...plan.record }
      return [{ part: { ...plan, at: choice.at.text }, entry }]
    }),
  )
  if (parts.some((part) => part.length === 0)) return undefined
  const entries = parts.flat().map(({ entry }) => entry)
  return {
    of: parts.flat().map(({ part }) => part),
    record: { of: items ? entries : entries[0] },
  }
}

/** `use` and the keys next to the options of a plug-in, as written. */
export function headOf(tree: Tree, path: Path, keys: readonly string[]): Options {
  const raw = valueAt(tree, path)
  if (!isObject(raw)) return { use: raw }
  return Object.fromEntries(keys.flatMap((key) => (key in raw ? [[key, raw[key]]] : [])))
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
  const { report } = context
  const choices: LabelledChoice[] = []
  for (const [index, node] of nodeAt(tree, [`${kind}s`])?.items?.entries() ?? []) {
    const path = [`${kind}s`, index]
    const choice = await choosePlugIn(kind, tree, path, context)
    if (!choice) continue
    const { item, file } = choice
    refuseVariable(tree, [...path, 'label'], report)
    const text = valueAt(node, ['label'])
    // a method of a file is called by its file, as the config names it
    const name = kind === 'method' && file !== undefined ? basename(file, extname(file)) : item.name
    choices.push({ ...choice, label: typeof text === 'string' ? text : name })
  }
  for (const [index, { label, at }] of choices.entries()) {
    const first = choices.find((choice) => choice.label === label)
    if (first && first !== choices[index])
      report(at, `two ${kind}s have the name "${label}" (the other: ${first.at.text}); give one of them a label`)
  }
  return choices
}

/** Reports a variable where none may stand. */
export function refuseVariable(tree: Tree, path: Path, report: ReportError): void {
  const text = valueAt(tree, path)
  if (typeof text !== 'string' || !text.includes('${')) return
  const message =
    'must not hold a variable of the environment, since it stands in tables or names a folder; write it out'
  report(placeOf(tree, path), `${path.join('.')}: ${message}`)
}
