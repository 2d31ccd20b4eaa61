import { resolve } from 'node:path'
import { rememberPlace } from '../basics/files.ts'
import { UserError } from '../errors.ts'

/** Where a value stands, as shown (`file:line:column` or `--set a.b=c`), its order, and its folder. */
export interface SourceLocation {
  readonly text: string
  readonly order: readonly number[]
  readonly folder: string
}

/** A value of a config that remembers where it stands. */
export type Located = LocatedScalar | LocatedList | LocatedMapping

/**
 * `written` is the text before `${…}` was filled in; `unset` when a variable of it is not set; `source` the signs of a
 * number, true or false.
 */
export interface LocatedScalar {
  readonly kind: 'scalar'
  readonly at: SourceLocation
  readonly value: string | number | boolean | null
  readonly written?: string
  readonly unset?: true
  readonly source?: string
}

export interface LocatedList {
  readonly kind: 'list'
  readonly at: SourceLocation
  readonly items: readonly Located[]
}

export interface LocatedMapping {
  readonly kind: 'mapping'
  readonly at: SourceLocation
  readonly entries: ReadonlyMap<string, LocatedEntry>
}

/** A value under its key; `key` is the place of the key itself. */
export interface LocatedEntry {
  readonly key: SourceLocation
  readonly value: Located
}

export const emptyMapping = (at: SourceLocation): LocatedMapping => ({ kind: 'mapping', at, entries: new Map() })

/** A plain value, every part of it at the same location. What JSON cannot hold becomes null. */
export function locate(value: unknown, at: SourceLocation): Located {
  if (Array.isArray(value)) return { kind: 'list', at, items: value.map((item) => locate(item, at)) }
  if (value !== null && typeof value === 'object') {
    const set = Object.entries(value).filter(([, item]) => item !== undefined)
    return {
      kind: 'mapping',
      at,
      entries: new Map(set.map(([key, item]) => [key, { key: at, value: locate(item, at) }])),
    }
  }
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return { kind: 'scalar', at, value: isScalar ? value : null }
}

/** The value without its places. */
export const plainValue = (node: Located): unknown => strip(node, (scalar) => scalar.value)

/** The same as it was written, before `${…}` was filled in. */
export const writtenValue = (node: Located): unknown => strip(node, (scalar) => scalar.written ?? scalar.value)

function strip(node: Located, valueOf: (scalar: LocatedScalar) => unknown): unknown {
  if (node.kind === 'scalar') return valueOf(node)
  if (node.kind === 'list') return node.items.map((item) => strip(item, valueOf))
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, strip(value, valueOf)]))
}

/** The value under a key of a mapping or an index of a list. */
export function child(node: Located | undefined, key: PropertyKey): Located | undefined {
  if (node?.kind === 'mapping') return node.entries.get(String(key))?.value
  if (node?.kind === 'list') return node.items[Number(key)]
  return undefined
}

/** The value at the end of a path. */
export const descend = (node: Located | undefined, path: readonly PropertyKey[]): Located | undefined =>
  path.reduce<Located | undefined>(child, node)

/** Whether `${NAME}` was filled in; `$${` alone stands for itself. */
export const isExpanded = (node: Located | undefined): boolean =>
  node?.kind === 'scalar' && node.written !== undefined && node.written.replaceAll('$${', '${') !== node.value

/** The text of a scalar that holds text, as it was written. */
export function writtenText(node: Located | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? (node.written ?? node.value) : undefined
}

/** A path seen from the folder of the place where it is written, and that place remembered for messages about it. */
export function absolutePath(path: string, node: Located): string {
  const whole = resolve(node.at.folder, path)
  rememberPlace(whole, { at: node.at.text, written: writtenText(node) ?? path })
  return whole
}

// where a name alone is short for a mapping with `use`
const plugIn = /^(dataset|models\.\w+|(methods|scorers)\.\d+)$/

/** The later of two values: mappings merge key by key, anything else is replaced. */
export function merge(earlier: Located | undefined, later: Located, path: readonly string[] = []): Located {
  if (later.kind !== 'mapping' || !earlier) return later
  const below = asMapping(earlier, path)
  if (!below) return later
  const entries = new Map(below.entries)
  for (const [name, { key, value }] of later.entries)
    entries.set(name, { key, value: merge(below.entries.get(name)?.value, value, [...path, name]) })
  return { kind: 'mapping', at: below.at, entries }
}

/** A mapping as it is, a plug-in's name as `{ use: name }`; nothing else is one. */
function asMapping(node: Located, path: readonly string[]): LocatedMapping | undefined {
  if (node.kind === 'mapping') return node
  if (node.kind === 'list' || typeof node.value !== 'string' || !plugIn.test(path.join('.'))) return undefined
  return { kind: 'mapping', at: node.at, entries: new Map([['use', { key: node.at, value: node }]]) }
}

/** What to put where: `value` makes the new value from the old one, `at` is the place of keys that come to be. */
export interface Change {
  readonly at: SourceLocation
  readonly path: readonly string[]
  readonly value: (old: Located | undefined) => Located
}

/** A copy with one value changed. Mappings come to be on the way; an item that a list does not have is reported. */
export function change(node: Located | undefined, wanted: Change, report: ReportError, depth = 0): Located {
  const key = wanted.path[depth]
  if (key === undefined) return wanted.value(node)
  if (node?.kind === 'list') return changeItem(node, key, wanted, report, depth)
  const mapping = (node && asMapping(node, wanted.path.slice(0, depth))) ?? emptyMapping(wanted.at)
  const value = change(mapping.entries.get(key)?.value, wanted, report, depth + 1)
  return { ...mapping, entries: new Map(mapping.entries).set(key, { key: wanted.at, value }) }
}

function changeItem(list: LocatedList, key: string, wanted: Change, report: ReportError, depth: number): Located {
  const index = /^\d+$/.test(key) ? Number(key) : -1
  const item = list.items[index]
  if (item) return { ...list, items: list.items.with(index, change(item, wanted, report, depth + 1)) }
  const name = wanted.path.slice(0, depth).join('.') || 'the config'
  report(wanted.at, `the list ${name} has no item "${key}" (number of items: ${list.items.length}, counted from 0)`)
  return list
}

/** Notes a mistake and where it stands. */
export type ReportError = (place: SourceLocation | string, message: string) => void

export type ErrorList = ReturnType<typeof emptyErrorList>

const shown = 10

/** An empty list of mistakes, which come in the order of their places, one line each, none twice. */
export function emptyErrorList() {
  const lines = new Map<string, readonly number[]>()
  const report: ReportError = (place, message) => {
    const { text, order } = typeof place === 'string' ? { text: place, order: [] } : place
    const line = oneLine(`${text}: ${message}`)
    if (!lines.has(line)) lines.set(line, order)
  }
  return {
    report,
    /** Throws UserError with at most ten lines when there are any. */
    stop: (): void => {
      if (lines.size === 0) return
      const rest = lines.size > shown ? [`… and ${lines.size - shown} more`] : []
      const sorted = [...lines].sort(([, a], [, b]) => compare(a, b)).map(([line]) => line)
      throw new UserError([...sorted.slice(0, shown), ...rest].join('\n'))
    },
  }
}

/** Number by number; what has none comes first. */
function compare(a: readonly number[], b: readonly number[]): number {
  const differs = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0))
  return differs === undefined ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0)
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?').trim()

/** Text in quotes, cut where it is long. */
export const quoted = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
