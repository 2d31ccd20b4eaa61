import { basename, extname, resolve } from 'node:path'
import type { ZodType } from 'zod'
import { isFile } from '../basics/files.ts'
import type { Registry } from '../basics/loading.ts'
import { filesOf } from '../define.ts'
import { scrubError, UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import { check, withoutKeys } from './check.ts'
import { isExpanded, recordOf } from './environment.ts'
import type { PromptRegistry } from './prompts.ts'
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
  readonly prompts: PromptRegistry
  /** The plug-in that a file exports; `file` is absolute. Throws UserError when it exports none. */
  loadFile(kind: PlugInKind, file: string): Promise<PlugInSpec & { readonly file: string }>
}

type Objects<T> = ReadonlyMap<string, { readonly item: T }>

/** A plug-in: its name, its parsed options, and the options as they may be written to disk. */
export interface PlannedItem {
  readonly use: string
  readonly options: unknown
  /** As in the config, with defaults: `${NAME}` is not expanded, literal keys are hidden. */
  readonly record: Readonly<Record<string, unknown>>
  /** Its placeholder name in the config, if a program passed it as an object. */
  readonly object?: string
}

/** `file`: the absolute path of a plug-in's file. */
export interface PlannedPlugIn extends PlannedItem {
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
export interface SelectedPlugIn {
  readonly item: PlugInSpec
  readonly file?: string
  /** The name that stands for it, where it is an object of the program. */
  readonly object?: string
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
  const { at } = useNode
  const use = String(useNode.raw)
  const extraEntries = extraKeys.flatMap((key) => {
    const extra = key === 'use' ? undefined : node?.entries?.get(key)
    return extra ? [[key, rawAt(extra, [])] as const] : []
  })
  const choice = {
    at,
    record: { use, ...Object.fromEntries(extraEntries) },
    ...(kind === 'dataset' ? { path: [...path, 'options'], extraKeys: [] } : { path, extraKeys }),
  }
  const object = registries.objects?.[kind === 'model' ? 'provider' : kind]?.get(name)
  if (object) return { ...choice, item: object.item, object: name }
  if (/\.(ts|js|mjs)$/.test(name)) {
    const file = resolve(at.folder, name)
    try {
      if (!isFile(file)) throw new UserError(`no such file "${name}" (full path: ${file})`)
      const item = await registries.loadFile(kind, file)
      return { ...choice, item, file: item.file }
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      for (const line of error.message.split('\n')) reportFile(at, scrubError(oneLine(line)))
      return undefined
    }
  }
  const registry: Registry<PlugInSpec> = registries[`${kind}s`]
  const item = await registry.load(name)
  if (item) return { ...choice, item }
  const hint = /[\\/]/.test(use) ? '; the path of a file must end in .ts, .js or .mjs' : ''
  report(at, unknownName(kind, oneLine(use), registry.names) + hint)
  return undefined
}

type Options = Readonly<Record<string, unknown>>

/** The options of a plug-in, and of the methods that it wraps, checked. Reports errors; undefined if there are any. */
export async function checkOptions(
  choice: SelectedPlugIn,
  tree: Tree,
  context: PlanContext,
): Promise<PlannedPlugIn | undefined> {
  const { item, path, extraKeys, file, object } = choice
  const options = check(item.options, { tree, path, extraKeys, report: context.report }) as Options | undefined
  if (options === undefined) return undefined
  const parts = item.over === undefined ? {} : await selectParts(path, tree, options, context)
  if (!parts) return undefined
  const files = [...filesOf(item.options, options), ...filesOf(item.options, options, 'folder')].map(
    ([name, filePath]) => [name, absolutePath(filePath, tree, [...path, name])] as const,
  )
  return {
    use: item.name,
    options: files.length === 0 ? options : { ...options, ...Object.fromEntries(files) },
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

/** The methods that `of` lists. Reports errors; undefined if there are any. */
async function selectParts(path: Path, tree: Tree, options: Options, context: PlanContext): Promise<Parts | undefined> {
  const to = [...path, 'of']
  const withParts = withDefault(tree, to, options['of'])
  const items = nodeAt(withParts, to)?.items
  const paths = items ? items.map((_, index) => [...to, index]) : [to]
  const methods = await Promise.all(
    paths.map(async (part) => {
      const choice = await selectPlugIn('method', withParts, part, context, ['use'])
      const methodPlan = choice && (await checkOptions(choice, withParts, context))
      return methodPlan
        ? [{ ...methodPlan, at: choice.at.text, entry: { ...choice.record, ...methodPlan.record } }]
        : []
    }),
  )
  const of = methods.flat()
  if (of.length < paths.length) return undefined
  const records = of.map(({ entry }) => entry)
  return { of, record: { of: items ? records : records[0] } }
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
    const labelNode = nodeAt(tree, [...path, 'label'])
    if (labelNode && isExpanded(labelNode))
      context.report(
        labelNode.at,
        `${kind}s.${index}.label: must not hold a variable of the environment, since it stands in every table and file; write it out`,
      )
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
