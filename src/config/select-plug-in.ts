import { scrubError } from '../basics/secrets.ts'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ZodType } from 'zod'
import type { Registry } from '../basics/loading.ts'
import { filesOf } from '../define.ts'
import { UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import { parseLocated } from './parse-located.ts'
import {
  absolutePath,
  child,
  emptyMapping,
  isExpanded,
  locate,
  oneLine,
  writtenText,
  writtenValue,
  type Located,
  type LocatedMapping,
  type LocatedScalar,
  type ReportError,
  type SourceLocation,
} from './located-value.ts'
import type { MenuItem, Menus, PlannedPlugIn } from './plan.ts'
import { recordOf } from './secrets.ts'

/** What every check needs: the menus, and where mistakes go. */
export interface PlanContext {
  readonly menus: Menus
  readonly report: ReportError
  /** Where a file that cannot be loaded is reported instead. */
  readonly reportFile?: ReportError
}

/** A plug-in that a config names; its options are not checked yet. */
export interface SelectedPlugIn {
  readonly item: MenuItem
  readonly file?: string
  /** The name that stands for it, where it is an object of the program. */
  readonly object?: string
  readonly at: SourceLocation
  readonly path: readonly string[]
  readonly options: LocatedMapping
  /** Keys that may stand beside the options. */
  readonly besides: readonly string[]
  /** `use`, and what stands beside the options, as written. */
  readonly record: Readonly<Record<string, unknown>> & { readonly use: string }
}

type Kind = 'dataset' | 'method' | 'scorer' | 'model'

/** Keys that are no options. */
const besidesOf: Readonly<Record<Kind, readonly string[]>> = {
  dataset: ['use', 'path', 'limit', 'onBadRecord'],
  method: ['use', 'label', 'budget'],
  scorer: ['use', 'label'],
  model: ['use'],
}

/** The plug-in that a name or a mapping with `use` means; undefined when there is none, and then reported. */
export async function selectPlugIn(
  kind: Kind,
  node: Located | undefined,
  path: readonly string[],
  context: PlanContext,
  besides = besidesOf[kind],
): Promise<SelectedPlugIn | undefined> {
  const named = node?.kind === 'mapping' ? child(node, 'use') : node
  if (named?.kind !== 'scalar' || typeof named.value !== 'string' || named.value === '' || named.unset) return undefined
  const plugIn = await find(kind, named, named.value, context)
  if (!plugIn) return undefined
  const whole = node?.kind === 'mapping' ? node : emptyMapping(named.at)
  const beside = besides.flatMap((key) => {
    const value = key === 'use' ? undefined : child(whole, key)
    return value ? [[key, writtenValue(value)] as const] : []
  })
  const record = { use: writtenText(named) ?? named.value, ...Object.fromEntries(beside) }
  const choice = { ...plugIn, at: named.at, record }
  if (kind === 'dataset') return { ...choice, path: [...path, 'options'], besides: [], options: optionsOf(whole) }
  return { ...choice, path, besides, options: select(whole, (key) => !besides.includes(key)) }
}

/** A dataset keeps its options apart, with `split` for short. */
function optionsOf(dataset: LocatedMapping): LocatedMapping {
  const own = child(dataset, 'options')
  const short = select(dataset, (key) => key === 'split')
  return own?.kind === 'mapping' ? { ...own, entries: new Map([...short.entries, ...own.entries]) } : short
}

const select = (node: LocatedMapping, keep: (key: string) => boolean): LocatedMapping => ({
  ...node,
  entries: new Map([...node.entries].filter(([key]) => keep(key))),
})

/**
 * The options of a plug-in, and of the methods that it asks, checked. Undefined, and reported, when they do not fit.
 */
export async function checkOptions(
  choice: SelectedPlugIn,
  options: LocatedMapping,
  context: PlanContext,
): Promise<PlannedPlugIn | undefined> {
  const { options: schema } = choice.item
  const { path, besides } = choice
  const parsed = parseLocated(schema, { ...context, node: options, path, besides })
  if (parsed === undefined) return undefined
  const asked = await askedMethods(choice, options, parsed, context)
  if (!asked) return undefined
  return {
    use: choice.item.name,
    options: fromItsFolder(parsed, options, schema),
    record: recordOf(options, asked.recorded),
    ...(asked.of && { of: asked.of }),
    ...(choice.file !== undefined && { file: choice.file }),
    ...(choice.object !== undefined && { object: choice.object }),
  }
}

/** The methods that `of` lists, and the parsed options to be recorded. Undefined, and reported, for mistakes. */
async function askedMethods(
  { item: { over }, path }: SelectedPlugIn,
  options: LocatedMapping,
  parsed: unknown,
  context: PlanContext,
): Promise<(Pick<PlannedPlugIn, 'of'> & { readonly recorded: unknown }) | undefined> {
  if (over === undefined) return { recorded: parsed }
  const node = child(options, 'of') ?? locate((parsed as { readonly of?: unknown }).of, options.at)
  const items = node.kind === 'list' ? node.items : [node]
  const found = await Promise.all(
    items.map(async (item, index) => {
      const choice = await selectPlugIn('method', item, [...path, 'of', String(index)], context, ['use'])
      const planned = choice && (await checkOptions(choice, choice.options, context))
      return planned ? [{ ...planned, at: choice.at.text, entry: { ...choice.record, ...planned.record } }] : []
    }),
  )
  const of = found.flat()
  if (of.length < items.length) return undefined
  const records = of.map(({ entry }) => entry)
  return { of, recorded: { ...Object(parsed), of: node.kind === 'list' ? records : records[0] } }
}

/** The options with every path of a file or folder made absolute, seen from where it was written. */
function fromItsFolder(parsed: unknown, options: LocatedMapping, schema: ZodType): unknown {
  const files = [...filesOf(schema, parsed), ...filesOf(schema, parsed, 'folder')].map(([name, path]) => [
    name,
    absolutePath(path, child(options, name) ?? options),
  ])
  return files.length === 0 ? parsed : { ...(parsed as object), ...Object.fromEntries(files) }
}

async function find(
  kind: Kind,
  named: LocatedScalar,
  name: string,
  context: PlanContext,
): Promise<Pick<SelectedPlugIn, 'item' | 'file' | 'object'> | undefined> {
  const object = context.menus.objects?.[`${kind}s`].get(name)
  if (object) return { item: object.item, object: name }
  if (kind !== 'model' && /\.(ts|js|mjs)$/.test(name)) return load(kind, named, name, context)
  const registry: Registry<MenuItem> = context.menus[`${kind}s`]
  const item = await registry.load(name)
  if (item) return { item }
  const written = oneLine(writtenText(named) ?? name)
  const hint = kind !== 'model' && /[\\/]/.test(written) ? '; the path of a file must end in .ts, .js or .mjs' : ''
  context.report(named.at, unknownName(kind, written, registry.names) + hint)
  return undefined
}

async function load(
  kind: Exclude<Kind, 'model'>,
  named: LocatedScalar,
  name: string,
  context: PlanContext,
): Promise<Pick<SelectedPlugIn, 'item' | 'file'> | undefined> {
  const file = resolve(named.at.folder, name)
  const there = await stat(file)
    .then((found) => found.isFile())
    .catch(() => false)
  const { report, reportFile = report } = context
  if (!there) {
    reportFile(named.at, scrubError(`no such file "${name}" (full path: ${file})`))
    return undefined
  }
  try {
    const item = await context.menus.loadFile(kind, file)
    return { item, file: item.file }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const line of error.message.split('\n')) reportFile(named.at, scrubError(oneLine(line)))
    return undefined
  }
}

/** A plug-in under its name in the tables; `shown` is that name as written, for messages. */
export interface LabelledPlugIn extends SelectedPlugIn {
  readonly label: string
  readonly shown: string
}

/** The plug-ins of a list, in order, each under a label of its own; a label that stands twice is reported. */
export async function selectLabelled(
  kind: 'method' | 'scorer',
  list: Located | undefined,
  context: PlanContext,
): Promise<readonly LabelledPlugIn[]> {
  const chosen: LabelledPlugIn[] = []
  for (const [index, node] of (list?.kind === 'list' ? list.items : []).entries()) {
    const choice = await selectPlugIn(kind, node, [`${kind}s`, String(index)], context)
    if (!choice) continue
    const written = child(node, 'label')
    if (written && isExpanded(written))
      context.report(
        written.at,
        `${kind}s.${index}.label: must not hold a variable of the environment, since it stands in every table and file; write it out`,
      )
    const value = written?.kind === 'scalar' ? written.value : undefined
    const label = typeof value === 'string' ? value : choice.item.name
    const shown = writtenText(written) ?? label
    const other = chosen.find((one) => one.label === label)
    if (other)
      context.report(
        choice.at,
        `two ${kind}s have the name "${shown}" (the other: ${other.at.text}); give one of them a label`,
      )
    chosen.push({ ...choice, label, shown })
  }
  return chosen
}
