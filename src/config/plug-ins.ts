import { basename, extname, resolve } from 'node:path'
import type { ZodType } from 'zod'
import { isFile } from '../basics/files.ts'
import type { Registry } from '../basics/loading.ts'
import { filesOf } from '../define.ts'
import { scrubError, UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import { check, withoutKeys } from './check.ts'
import { isExpanded, recordOf } from './environment.ts'
import {
  absolutePath,
  nodeAt,
  oneLine,
  rawAt,
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
    readonly tasks: readonly {
      readonly name: string
      readonly fields: readonly string[]
      /** Fields that a prompt must contain. */
      readonly requiredFields: readonly string[]
    }[]
    readonly folder: string
  }
  /** The plug-in that a file exports; `file` is absolute. Throws UserError when it exports none. */
  loadFile(kind: PlugInKind, file: string): Promise<PlugInSpec & { readonly file: string }>
}

type Objects<T> = ReadonlyMap<string, { readonly item: T }>

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

/** The registries, and the functions that report errors. */
export interface PlanContext {
  readonly registries: Registries
  readonly report: ReportError
  /** Reports a file that cannot be loaded (default: `report`). */
  readonly reportFile?: ReportError
}

/** A plug-in that a config names, with unchecked options. */
export interface SelectedPlugIn extends Pick<PlannedPlugIn, 'file' | 'object'> {
  readonly item: PlugInSpec
  readonly at: Place
  /** The path of its options. */
  readonly path: Path
  /** Keys that may be next to the options. */
  readonly extraKeys: readonly string[]
  /** `use` and the extra keys, as written. */
  readonly record: Readonly<Record<string, unknown>> & { readonly use: string }
}

const extraKeysOf: Readonly<Record<PlugInKind, readonly string[]>> = {
  dataset: ['use', 'path', 'limit', 'onBadRecord'],
  method: ['use', 'label', 'budget'],
  scorer: ['use', 'label'],
  model: ['use'],
}

/** The plug-in of a name or of a mapping with `use`. Reports an unknown name; undefined for one. */
export async function selectPlugIn(
  kind: PlugInKind,
  tree: Tree,
  path: Path,
  { registries, report, reportFile = report }: PlanContext,
  extraKeys = extraKeysOf[kind],
): Promise<SelectedPlugIn | undefined> {
  const node = nodeAt(tree, path)
  const useNode = node?.entries ? node.entries.get('use') : node
  const name = useNode?.value
  if (!useNode || typeof name !== 'string' || name === '') return undefined
  const use = String(useNode.raw)
  const extras = extraKeys.map((key) => [key, rawAt(tree, [...path, key])] as const)
  const choice = {
    at: useNode.at,
    record: { ...Object.fromEntries(extras.filter(([, value]) => value !== undefined)), use },
    ...(kind === 'dataset' ? { path: [...path, 'options'], extraKeys: [] } : { path, extraKeys }),
  }
  const object = registries.objects?.[kind === 'model' ? 'provider' : kind]?.get(name)
  if (object) return { ...choice, item: object.item, object: name }
  if (!/\.(ts|js|mjs)$/.test(name)) {
    const registry: Registry<PlugInSpec> = registries[`${kind}s`]
    const item = await registry.load(name)
    if (item) return { ...choice, item }
    const hint = /[\\/]/.test(use) ? '; the path of a file must end in .ts, .js or .mjs' : ''
    report(useNode.at, unknownName(kind, oneLine(use), registry.names) + hint)
    return undefined
  }
  const file = resolve(useNode.at.folder, name)
  try {
    if (!isFile(file)) throw new UserError(`no such file "${name}" (full path: ${file})`)
    const item = await registries.loadFile(kind, file)
    return { ...choice, item, file: item.file }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const line of error.message.split('\n')) reportFile(useNode.at, scrubError(oneLine(line)))
    return undefined
  }
}

type Options = Readonly<Record<string, unknown>>

/** Checks the options of a plug-in, and of the methods that it wraps. */
export async function checkOptions(
  choice: SelectedPlugIn,
  tree: Tree,
  context: PlanContext,
): Promise<PlannedPlugIn | undefined> {
  const { item, path, extraKeys, file, object } = choice
  const options = check(item.options, { tree, path, extraKeys, report: context.report }) as Options | undefined
  if (options === undefined) return undefined
  const parts = item.over === undefined ? {} : await planParts([...path, 'of'], tree, options['of'], context)
  if (!parts) return undefined
  const files = [...filesOf(item.options, options), ...filesOf(item.options, options, 'folder')]
  const paths = files.map(([name, filePath]) => [name, absolutePath(filePath, tree, [...path, name])] as const)
  return {
    use: item.name,
    options: paths.length === 0 ? options : { ...options, ...Object.fromEntries(paths) },
    record: recordOfOptions(choice, tree, { ...options, ...parts.record }),
    ...(parts.of && { of: parts.of }),
    ...(file !== undefined && { file }),
    ...(object !== undefined && { object }),
  }
}

/** The options of a plug-in as they may be written to disk, with defaults where they are valid. */
export const recordOfOptions = ({ path, extraKeys }: SelectedPlugIn, tree: Tree, options?: Options) =>
  recordOf(withoutKeys(rawAt(tree, path), extraKeys), options)

interface Parts {
  readonly of?: NonNullable<PlannedPlugIn['of']>
  readonly record?: { readonly of: unknown }
}

/** The methods that `of` lists. */
async function planParts(
  to: Path,
  tree: Tree,
  defaultParts: unknown,
  context: PlanContext,
): Promise<Parts | undefined> {
  const withParts = withDefault(tree, to, defaultParts)
  const items = nodeAt(withParts, to)?.items
  const paths = items ? items.map((_, index) => [...to, index]) : [to]
  const plans = await Promise.all(paths.map((path) => planPlugIn('method', withParts, path, context, ['use'])))
  const parts = plans.flatMap((part) => part ?? [])
  if (parts.length < paths.length) return undefined
  const entries = parts.map(({ entry }) => entry)
  return {
    of: parts.map(({ plan, choice }) => ({ ...plan, at: choice.at.text })),
    record: { of: items ? entries : entries[0] },
  }
}

/** Selects a plug-in and checks its options; `entry` is its form in the recorded config. */
export async function planPlugIn(
  kind: PlugInKind,
  tree: Tree,
  path: Path,
  context: PlanContext,
  extraKeys?: readonly string[],
) {
  const choice = await selectPlugIn(kind, tree, path, context, extraKeys)
  const plan = choice && (await checkOptions(choice, tree, context))
  return plan && { choice, plan, entry: { ...choice.record, ...plan.record } }
}

/** A plug-in with its label in tables; `sourceName` is the label as written, for messages. */
export interface LabelledPlugIn extends SelectedPlugIn {
  readonly label: string
  readonly sourceName: string
}

/** The plug-ins of a list in order, each with its label. Reports duplicate labels. */
export async function selectLabels(
  kind: 'method' | 'scorer',
  tree: Tree,
  context: PlanContext,
): Promise<readonly LabelledPlugIn[]> {
  const plugIns: LabelledPlugIn[] = []
  for (const index of nodeAt(tree, [`${kind}s`])?.items?.keys() ?? []) {
    const path = [`${kind}s`, index]
    const choice = await selectPlugIn(kind, tree, path, context)
    if (!choice) continue
    refuseVariable(tree, [...path, 'label'], 'since it stands in every table and file; write it out', context.report)
    const labelNode = nodeAt(tree, [...path, 'label'])
    // a method of a file is called by its file, as the config names it
    const { item, file } = choice
    const name = kind === 'method' && file !== undefined ? basename(file, extname(file)) : item.name
    const label = typeof labelNode?.value === 'string' ? labelNode.value : name
    const sourceName = typeof labelNode?.raw === 'string' ? labelNode.raw : label
    const duplicate = plugIns.find((plugIn) => plugIn.label === label)
    if (duplicate)
      context.report(
        choice.at,
        `two ${kind}s have the name "${sourceName}" (the other: ${duplicate.at.text}); give one of them a label`,
      )
    plugIns.push({ ...choice, label, sourceName })
  }
  return plugIns
}

/** Reports a text that contains an expanded variable where none may stand. */
export function refuseVariable(tree: Tree, path: Path, why: string, report: ReportError): void {
  const node = nodeAt(tree, path)
  if (node && isExpanded(node))
    report(node.at, `${path.join('.')}: must not hold a variable of the environment, ${why}`)
}
