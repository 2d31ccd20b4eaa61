import { resolve } from 'node:path'
import { rememberPlace } from '../basics/files.ts'
import { isObject } from '../basics/plain-data.ts'
import type { Place, ReportError } from './error-list.ts'

/** Keys of mappings and indices of lists, from the root of a config. */
export type Path = readonly PropertyKey[]

/** A config as plain values with the sources of their places; later sources win. */
export interface Tree {
  /** With `${NAME}` expanded. */
  readonly value: unknown
  /** With `${NAME}` as written. */
  readonly raw: unknown
  readonly sources: readonly Source[]
}

/** The place of a value, or of its key, in a source; undefined if the source does not set it. */
export type Source = (path: Path, isKey: boolean) => Place | undefined

/** The value at the end of a path; undefined where there is none. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce<unknown>(child, value)

function child(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined
}

/** The unexpanded text at the end of a path; undefined for anything else. */
export function textAt({ raw }: Tree, path: Path): string | undefined {
  const text = valueAt(raw, path)
  return typeof text === 'string' ? text : undefined
}

/** The place of a value; for a missing one, the start of the nearest enclosing mapping. */
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

/** A tree whose values share one place, such as the command line; `base` is its path in the config. */
export const placedAt = (value: unknown, at: Place, base: Path = []): Tree => ({
  value,
  raw: value,
  sources: [(path) => (startsWith(path, base) && isThere(value, path.slice(base.length)) ? at : undefined)],
})

export const isThere = (value: unknown, path: Path): boolean => path.length === 0 || valueAt(value, path) !== undefined

const startsWith = (path: Path, start: Path): boolean =>
  start.every((key, index) => String(path[index]) === String(key))

/** Resolves a path against the folder of its file, and stores its place for messages. */
export function absolutePath(path: string, tree: Tree, at: Path): string {
  const { folder, text } = placeOf(tree, at)
  const absolute = resolve(folder, path)
  rememberPlace(absolute, { at: text, text: textAt(tree, at) ?? path })
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

/** A part of a tree to insert into another tree. */
interface Part {
  readonly to: Path
  readonly part: Tree
  /** The path of the part in its own tree, and the path of the key that names it. */
  readonly from: Path
  readonly key: Path
  /** Combines an existing value with the new one. */
  readonly join: (old: unknown, part: unknown, path: Path) => unknown
}

/** Inserts a part of another tree at a path. Reports a list item that does not exist. */
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

/** Sets a missing value; its place is the start of the enclosing mapping. */
export function withDefault(tree: Tree, path: Path, value: unknown): Tree {
  if (valueAt(tree.value, path) !== undefined) return tree
  const part = placedAt(value, placeOf(tree, path))
  return put(tree, { part, from: [], key: [], to: path, join: replace }, () => undefined)
}

/** Replaces the entries of the mapping at a path; an entry that `change` maps to undefined is removed. */
export function changeEntries(tree: Tree, path: Path, change: (key: string, value: unknown) => unknown): Tree {
  const applyChange = (root: unknown): unknown =>
    replaceAt(root, path, (old) => {
      if (!isObject(old)) return old
      const entries = Object.entries(old).map(([key, value]) => [key, change(key, value)] as const)
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    })
  return { ...tree, value: applyChange(tree.value), raw: applyChange(tree.raw) }
}

/** A copy with one value changed; creates missing mappings. */
function replaceAt(value: unknown, path: Path, change: (old: unknown) => unknown, above: Path = []): unknown {
  const [key, ...below] = path
  if (key === undefined) return change(value)
  const inner = replaceAt(child(value, key), below, change, [...above, key])
  if (Array.isArray(value)) return value.with(Number(key), inner)
  const mapping = asMapping(value, above) ?? {}
  return Object.fromEntries([...Object.entries(mapping), [String(key), inner]])
}

/** The message for a path to an item that its list does not have. */
function absentItem(value: unknown, path: Path): string | undefined {
  const depth = path.findIndex(
    (_, index) => Array.isArray(valueAt(value, path.slice(0, index))) && !isThere(value, path.slice(0, index + 1)),
  )
  if (depth < 0) return undefined
  const list = valueAt(value, path.slice(0, depth)) as readonly unknown[]
  const name = path.slice(0, depth).join('.') || 'the config'
  return `the list ${name} has no item "${String(path[depth])}" (number of items: ${list.length}, counted from 0)`
}
