import { resolve } from 'node:path'
import { rememberPlace } from '../basics/files.ts'
import { isObject } from '../basics/plain-data.ts'
import type { Place, ReportError } from './error-list.ts'

/** Keys of mappings and indices of lists, from the root of a config. */
export type Path = readonly PropertyKey[]

/** A config as plain values, and the sources that they come from; later sources win. */
export interface Tree {
  /** With `${NAME}` filled in. */
  readonly value: unknown
  /** As it is written. */
  readonly raw: unknown
  readonly sources: readonly Source[]
}

/** Where a source writes the value of a path, or its key; undefined where it does not. */
export type Source = (path: Path, isKey: boolean) => Place | undefined

/** The value at the end of a path; undefined where there is none. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce<unknown>(child, value)

function child(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined
}

/** The text at the end of a path as it is written; undefined where there is no text. */
export function textAt({ raw }: Tree, path: Path): string | undefined {
  const text = valueAt(raw, path)
  return typeof text === 'string' ? text : undefined
}

/** Where a value is written; for a missing one, where the nearest mapping around it begins. */
export function placeOf({ sources }: Tree, path: Path, isKey = false): Place {
  for (let length = path.length; length > 0; length--) {
    const above = path.slice(0, length)
    const place = sources.reduceRight<Place | undefined>(
      (nearest, source) => nearest ?? source(above, isKey && length === path.length),
      undefined,
    )
    if (place) return place
  }
  const root = sources[0]?.([], false)
  if (!root) throw new Error('a config has no source')
  return root
}

/** A value that is written in one place, such as on the command line; `base` is where it belongs in the config. */
export const placedAt = (value: unknown, at: Place, base: Path = []): Tree => ({
  value,
  raw: value,
  sources: [(path) => (startsWith(path, base) && isThere(value, path.slice(base.length)) ? at : undefined)],
})

export const isThere = (value: unknown, path: Path): boolean => path.length === 0 || valueAt(value, path) !== undefined

const startsWith = (path: Path, start: Path): boolean =>
  start.every((key, index) => String(path[index]) === String(key))

/** A path seen from the folder of the file that writes it, and that place remembered for messages about it. */
export function absolutePath(path: string, tree: Tree, at: Path): string {
  const { folder, text } = placeOf(tree, at)
  const absolute = resolve(folder, path)
  rememberPlace(absolute, { at: text, written: textAt(tree, at) ?? path })
  return absolute
}

/** The later of two configs over the earlier one: mappings merge key by key, anything else is replaced. */
export const mergeTrees = (earlier: Tree, later: Tree): Tree => ({
  value: merge(earlier.value, later.value),
  raw: merge(earlier.raw, later.raw),
  sources: [...earlier.sources, ...later.sources],
})

/** Merges plain values, where a plug-in's name alone is short for a mapping with `use`. */
export function merge(earlier: unknown, later: unknown, path: Path = []): unknown {
  const below = asMapping(earlier, path)
  if (!isObject(later) || !below) return later
  const names = new Set([...Object.keys(below), ...Object.keys(later)])
  return Object.fromEntries(
    Array.from(names, (name) => [
      name,
      Object.hasOwn(later, name) ? merge(child(below, name), later[name], [...path, name]) : below[name],
    ]),
  )
}

const plugIn = /^(dataset|models\.\w+|(methods|scorers)\.\d+)$/

function asMapping(value: unknown, path: Path): Readonly<Record<string, unknown>> | undefined {
  if (isObject(value)) return value
  return typeof value === 'string' && plugIn.test(path.join('.')) ? { use: value } : undefined
}

/** A part of a tree to be put elsewhere in a tree. */
interface Part {
  readonly to: Path
  readonly part: Tree
  /** Where the part is in its own tree, and the path whose key names it. */
  readonly from: Path
  readonly key: Path
  /** How a value that is there already and the new one become one. */
  readonly join: (old: unknown, part: unknown, path: Path) => unknown
}

/** A tree with a part of another one at a path. An item that a list does not have is reported. */
export function put(tree: Tree, { to, part, from, key, join }: Part, report: ReportError): Tree {
  const absent = absentItem(tree.value, to)
  if (absent !== undefined) {
    report(placeOf(part, from), absent)
    return tree
  }
  const depths = to.map((_, depth) => to.slice(0, depth))
  const firstNew = depths.find((above) => !asMapping(valueAt(tree.value, above), above) && !isList(tree, above))
  const source: Source = (path, isKey) => {
    const below = path.slice(to.length)
    if (startsWith(path, to) && isThere(valueAt(part.value, from), below))
      return below.length === 0 && isKey ? placeOf(part, key, true) : placeOf(part, [...from, ...below], isKey)
    const isNew = firstNew && path.length >= firstNew.length && startsWith(to, path)
    return isNew ? placeOf(part, key, true) : undefined
  }
  return {
    value: replaceAt(tree.value, to, (current) => join(current, valueAt(part.value, from), to)),
    raw: replaceAt(tree.raw, to, (old) => join(old, valueAt(part.raw, from), to)),
    sources: [...tree.sources, source],
  }
}

const isList = ({ value }: Tree, path: Path): boolean => Array.isArray(valueAt(value, path))

export const replace = (_old: unknown, part: unknown): unknown => part

/** A tree with a value where nothing is written, placed where the part around it begins. */
export function withDefault(tree: Tree, path: Path, value: unknown): Tree {
  if (valueAt(tree.value, path) !== undefined) return tree
  const part = placedAt(value, placeOf(tree, path))
  return put(tree, { part, from: [], key: [], to: path, join: replace }, () => undefined)
}

/** A tree with other entries of the mapping at a path: `change` leaves out or replaces what an entry holds. */
export function changeEntries(tree: Tree, path: Path, change: (key: string, value: unknown) => unknown): Tree {
  const applyChange = (root: unknown): unknown =>
    replaceAt(root, path, (old) => {
      if (!isObject(old)) return old
      const entries = Object.entries(old).map(([key, value]) => [key, change(key, value)] as const)
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    })
  return { ...tree, value: applyChange(tree.value), raw: applyChange(tree.raw) }
}

/** A copy with one value changed; mappings come to be on the way. */
function replaceAt(value: unknown, path: Path, change: (old: unknown) => unknown, above: Path = []): unknown {
  const [key, ...below] = path
  if (key === undefined) return change(value)
  const inner = replaceAt(child(value, key), below, change, [...above, key])
  if (Array.isArray(value)) return value.with(Number(key), inner)
  const mapping = asMapping(value, above) ?? {}
  return Object.fromEntries([...Object.entries(mapping), [String(key), inner]])
}

/** What is wrong with a path that leads into a list which has no such item. */
function absentItem(value: unknown, path: Path): string | undefined {
  const depth = path.findIndex(
    (_, index) => Array.isArray(valueAt(value, path.slice(0, index))) && !isThere(value, path.slice(0, index + 1)),
  )
  if (depth < 0) return undefined
  const list = valueAt(value, path.slice(0, depth)) as readonly unknown[]
  const name = path.slice(0, depth).join('.') || 'the config'
  return `the list ${name} has no item "${String(path[depth])}" (number of items: ${list.length}, counted from 0)`
}
