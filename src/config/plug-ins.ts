import { stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import type { Registry } from '../basics/loading.ts'
import { isObject } from '../basics/plain-data.ts'
import { scrubError, UserError } from '../errors.ts'
import { filesOf } from '../define.ts'
import { unknownName } from '../text/names.ts'
import { check } from './check.ts'
import { isExpanded, recordOf } from './environment.ts'
import type { PlugInKind, PlugInSpec, Registries, PlannedPlugIn } from './plan.ts'
import {
  absolutePath,
  oneLine,
  placeOf,
  textAt,
  valueAt,
  withDefault,
  type Path,
  type Place,
  type ReportError,
  type Tree,
} from './tree.ts'

/** The registries, and the functions that report errors. */
export interface PlanContext {
  readonly registries: Registries
  readonly report: ReportError
  /** Reports a file that cannot be loaded (default: `report`). */
  readonly reportFile?: ReportError
}

/** A plug-in that a config names, with unchecked options. */
export interface SelectedPlugIn extends LoadedPlugIn {
  readonly at: Place
  /** The path of its options. */
  readonly path: Path
  /** Keys that may be next to the options. */
  readonly extraKeys: readonly string[]
  /** `use` and the extra keys, as written. */
  readonly record: Readonly<Record<string, unknown>> & { readonly use: string }
}

interface LoadedPlugIn {
  readonly item: PlugInSpec
  readonly file?: string
  /** The name that stands for it, where it is an object of the program. */
  readonly object?: string
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
  context: PlanContext,
  extraKeys = extraKeysOf[kind],
): Promise<SelectedPlugIn | undefined> {
  const raw = valueAt(tree.raw, path)
  const usePath = isObject(raw) ? [...path, 'use'] : path
  const name = valueAt(tree.value, usePath)
  if (typeof name !== 'string' || name === '') return undefined
  const use = textAt(tree, usePath) ?? name
  const at = placeOf(tree, usePath)
  const plugIn = await loadPlugIn(kind, name, { at, use }, context)
  if (!plugIn) return undefined
  const extraEntries = extraKeys.flatMap((key) => {
    const value = key === 'use' ? undefined : valueAt(raw, [key])
    return value === undefined ? [] : [[key, value] as const]
  })
  const choice = { ...plugIn, at, record: { use, ...Object.fromEntries(extraEntries) } }
  return kind === 'dataset' ? { ...choice, path: [...path, 'options'], extraKeys: [] } : { ...choice, path, extraKeys }
}

async function loadPlugIn(
  kind: PlugInKind,
  name: string,
  reference: { readonly at: Place; readonly use: string },
  { registries, report, reportFile = report }: PlanContext,
): Promise<LoadedPlugIn | undefined> {
  const object = registries.objects?.[`${kind}s`].get(name)
  if (object) return { item: object.item, object: name }
  if (/\.(ts|js|mjs)$/.test(name)) {
    const file = resolve(reference.at.folder, name)
    const lines = await loadFile(kind, file, name, registries)
    if (!Array.isArray(lines)) return lines
    for (const line of lines) reportFile(reference.at, scrubError(oneLine(line)))
    return undefined
  }
  const registry: Registry<PlugInSpec> = registries[`${kind}s`]
  const item = await registry.load(name)
  if (item) return { item }
  const use = oneLine(reference.use)
  const hint = /[\\/]/.test(use) ? '; the path of a file must end in .ts, .js or .mjs' : ''
  report(reference.at, unknownName(kind, use, registry.names) + hint)
  return undefined
}

async function loadFile(
  kind: PlugInKind,
  file: string,
  name: string,
  registries: Registries,
): Promise<LoadedPlugIn | string[]> {
  const isFile = await stat(file).then(
    (status) => status.isFile(),
    () => false,
  )
  if (!isFile) return [`no such file "${name}" (full path: ${file})`]
  try {
    const item = await registries.loadFile(kind, file)
    return { item, file: item.file }
  } catch (error) {
    if (error instanceof UserError) return error.message.split('\n')
    throw error
  }
}

type Options = Readonly<Record<string, unknown>>

/** The options of a plug-in, expanded and as written, without the extra keys. */
function optionsOf({ path, extraKeys }: SelectedPlugIn, tree: Tree): Record<'value' | 'raw', Options> {
  const options = (root: unknown): Options => {
    const mapping = valueAt(root, path)
    return Object.fromEntries(
      Object.entries(isObject(mapping) ? mapping : {}).filter(([key]) => !extraKeys.includes(key)),
    )
  }
  return { value: options(tree.value), raw: options(tree.raw) }
}

/**
 * The options of a plug-in, and of the methods that it asks, checked. Undefined, and reported, when they do not fit.
 */
export async function checkOptions(
  choice: SelectedPlugIn,
  tree: Tree,
  context: PlanContext,
): Promise<PlannedPlugIn | undefined> {
  const { item, path, extraKeys } = choice
  const { value, raw } = optionsOf(choice, tree)
  const options = check(item.options, { tree, path, value, extraKeys, report: context.report })
  if (options === undefined) return undefined
  const parts = item.over === undefined ? {} : await selectParts(path, tree, options, context)
  if (!parts) return undefined
  const files = [...filesOf(item.options, options), ...filesOf(item.options, options, 'folder')].map(
    ([name, file]) => [name, absolutePath(file, tree, [...path, name])] as const,
  )
  return {
    use: item.name,
    options: files.length === 0 ? options : { ...(options as Options), ...Object.fromEntries(files) },
    record: recordOf(raw, { ...(options as Options), ...parts.record }),
    ...(parts.of && { of: parts.of }),
    ...(choice.file !== undefined && { file: choice.file }),
    ...(choice.object !== undefined && { object: choice.object }),
  }
}

/** Reports issues of values in the config that all variants of a method share. */
export function checkSharedOptions(choice: SelectedPlugIn, tree: Tree, { report }: PlanContext): void {
  const { item, path, extraKeys } = choice
  const { value } = optionsOf(choice, tree)
  check(item.options, { tree, path, value, extraKeys, report }, (issue) => {
    const isWritten = valueAt(value, issue.path) !== undefined
    return issue.code !== 'custom' && issue.path.length > 0 && isWritten
  })
}

/** The record of options that are not valid. */
export const recordOfOptions = (choice: SelectedPlugIn, tree: Tree): Options =>
  recordOf(optionsOf(choice, tree).raw, undefined)

interface Parts {
  readonly of?: NonNullable<PlannedPlugIn['of']>
  readonly record?: { readonly of: unknown }
}

/** The methods that `of` lists. Reports errors; undefined if there are any. */
async function selectParts(path: Path, tree: Tree, options: unknown, context: PlanContext): Promise<Parts | undefined> {
  const to = [...path, 'of']
  const treeWithDefault = withDefault(tree, to, valueAt(options, ['of']))
  const list = valueAt(treeWithDefault.value, to)
  const paths = Array.isArray(list) ? list.map((_, index) => [...to, index]) : [to]
  const methods = await Promise.all(
    paths.map(async (part) => {
      const choice = await selectPlugIn('method', treeWithDefault, part, context, ['use'])
      const methodPlan = choice && (await checkOptions(choice, treeWithDefault, context))
      return methodPlan
        ? [{ ...methodPlan, at: choice.at.text, entry: { ...choice.record, ...methodPlan.record } }]
        : []
    }),
  )
  const of = methods.flat()
  if (of.length < paths.length) return undefined
  const records = of.map(({ entry }) => entry)
  return { of, record: { of: Array.isArray(list) ? records : records[0] } }
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
  const list = valueAt(tree.value, [`${kind}s`])
  const plugIns: LabelledPlugIn[] = []
  for (const index of Array.isArray(list) ? list.keys() : []) {
    const path = [`${kind}s`, index]
    const choice = await selectPlugIn(kind, tree, path, context)
    if (!choice) continue
    const labelPath = [...path, 'label']
    const value = valueAt(tree.value, labelPath)
    const sourceText = textAt(tree, labelPath)
    if (isExpanded(sourceText, value))
      context.report(
        placeOf(tree, labelPath),
        `${kind}s.${index}.label: must not hold a variable of the environment, since it stands in every table and file; write it out`,
      )
    const label = typeof value === 'string' ? value : usualLabel(kind, choice)
    const sourceName = sourceText ?? label
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

/** A method of a file is called by its file, as the config names it. */
const usualLabel = (kind: 'method' | 'scorer', { item, file }: SelectedPlugIn): string =>
  kind === 'method' && file !== undefined ? basename(file, extname(file)) : item.name
