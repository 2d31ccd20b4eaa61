import { resolve } from 'node:path'
import { rememberPlace } from '../basics/files.ts'
import { isObject } from '../basics/plain-data.ts'
import { UserError } from '../errors.ts'

/** Keys of mappings and indices of lists, from the root of a config. */
export type Path = readonly PropertyKey[]

/** Where a value is written, as shown (`file:line:column` or `--set a.b=c`), its order, and the folder of that file. */
export interface Place {
  readonly text: string
  readonly order: readonly number[]
  readonly folder: string
}

/** A mapping (`entries`), a list (`items`) or a scalar of a config, and the places of the value and of its key. */
export interface Tree {
  readonly at: Place
  readonly keyAt: Place
  readonly entries?: ReadonlyMap<string, Tree>
  readonly items?: readonly Tree[]
  /** A scalar with `${NAME}` as written, and with `${NAME}` expanded. */
  readonly raw?: unknown
  readonly value?: unknown
}

/** Plain data whose values share one place, such as the command line. */
export function placedAt(value: unknown, at: Place): Tree {
  if (Array.isArray(value)) return { at, keyAt: at, items: value.map((item) => placedAt(item, at)) }
  if (!isObject(value)) return { at, keyAt: at, raw: value, value }
  return { at, keyAt: at, entries: new Map(Object.entries(value).map(([key, item]) => [key, placedAt(item, at)])) }
}

/** The part of a tree at the end of a path; undefined where there is none. */
export const nodeAt = (tree: Tree | undefined, path: Path): Tree | undefined =>
  path.reduce((node, key) => node?.entries?.get(String(key)) ?? node?.items?.[Number(key)], tree)

/** The plain value at the end of a path, with `${NAME}` expanded. */
export const valueAt = (tree: Tree, path: Path): unknown => plain(nodeAt(tree, path), 'value')

/** The plain value at the end of a path, with `${NAME}` as written. */
export const rawAt = (tree: Tree, path: Path): unknown => plain(nodeAt(tree, path), 'raw')

function plain(tree: Tree | undefined, form: 'value' | 'raw'): unknown {
  if (tree?.items) return tree.items.map((item) => plain(item, form))
  if (tree?.entries) return Object.fromEntries(Array.from(tree.entries, ([key, item]) => [key, plain(item, form)]))
  return tree?.[form]
}

/** The unexpanded text at the end of a path; undefined for anything else. */
export function textAt(tree: Tree, path: Path): string | undefined {
  const text = nodeAt(tree, path)?.raw
  return typeof text === 'string' ? text : undefined
}

/** The place of a value, or of its key; for a missing one, the start of the nearest enclosing value. */
export function placeOf(tree: Tree, path: Path, isKey = false): Place {
  const node = nodeAt(tree, path)
  if (!node) return placeOf(tree, path.slice(0, -1))
  return isKey ? node.keyAt : node.at
}

/** Resolves a path against the folder of its file, and stores its place for messages. */
export function absolutePath(path: string, tree: Tree, at: Path): string {
  const { folder, text } = placeOf(tree, at)
  const absolute = resolve(folder, path)
  rememberPlace(absolute, { at: text, text: textAt(tree, at) ?? path })
  return absolute
}

/** Combines an existing value with a new one. */
type Join = (old: Tree | undefined, part: Tree, path: Path) => Tree

export const replace: Join = (_old, part) => part

/** Merges mappings key by key, a plug-in's name alone being short for a mapping with `use`; replaces anything else. */
export const merge: Join = (old, part, path) => {
  const below = old && entriesOf(old, path)
  if (!below || !part.entries) return part
  const entries = new Map(below)
  for (const [key, item] of part.entries) entries.set(key, merge(entries.get(key), item, [...path, key]))
  return { ...part, entries }
}

const plugIn = /^(dataset|models\.\w+|(methods|scorers)\.\d+)$/

const entriesOf = (tree: Tree, path: Path): Tree['entries'] =>
  tree.entries ?? (typeof tree.raw === 'string' && plugIn.test(path.join('.')) ? new Map([['use', tree]]) : undefined)

/** Puts a part into a tree at a path; creates missing mappings. Reports a list item that does not exist. */
export function put(tree: Tree, to: Path, part: Tree, join: Join = replace, report: ReportError = throwError): Tree {
  const putBelow = (node: Tree | undefined, depth: number): Tree => {
    const key = to[depth]
    const path = to.slice(0, depth)
    if (key === undefined) return join(node, part, path)
    if (node?.items) {
      const item = node.items[Number(key)]
      if (item) return { ...node, items: node.items.with(Number(key), putBelow(item, depth + 1)) }
      const list = path.join('.') || 'the config'
      const message = `the list ${list} has no item "${String(key)}" (number of items: ${node.items.length}, counted from 0)`
      report(part.at, message)
      return node
    }
    const entries = node && entriesOf(node, path)
    const { at, keyAt } = node && entries ? node : { at: part.keyAt, keyAt: part.keyAt }
    return { at, keyAt, entries: new Map(entries).set(String(key), putBelow(entries?.get(String(key)), depth + 1)) }
  }
  return putBelow(tree, 0)
}

const throwError: ReportError = (_place, message) => {
  throw new Error(message)
}

/** Sets a missing value; its place is the start of the enclosing mapping. */
export const withDefault = (tree: Tree, path: Path, value: unknown): Tree =>
  nodeAt(tree, path) ? tree : put(tree, path, placedAt(value, placeOf(tree, path)))

/** Replaces the entries of the mapping at a path; an entry that `change` maps to undefined is removed. */
export function changeEntries(tree: Tree, path: Path, change: (key: string, item: Tree) => Tree | undefined): Tree {
  const node = nodeAt(tree, path)
  if (!node?.entries) return tree
  const entries = new Map<string, Tree>()
  for (const [key, item] of node.entries) {
    const newItem = change(key, item)
    if (newItem) entries.set(key, newItem)
  }
  return put(tree, path, { ...node, entries })
}

/** Adds an error with its place. */
export type ReportError = (place: Place | string, message: string) => void

export type ErrorList = ReturnType<typeof createErrorList>

const maxLines = 10

/** A list of errors, which `stop` prints in the order of their places, one line each, without duplicates. */
export function createErrorList() {
  const lines = new Map<string, readonly number[]>()
  const report: ReportError = (place, message) => {
    const { text, order } = typeof place === 'string' ? { text: place, order: [] } : place
    const line = oneLine(`${text}: ${message}`)
    if (!lines.has(line)) lines.set(line, order)
  }
  return {
    report,
    /** Throws UserError with at most ten lines if the list is not empty. */
    stop: (): void => {
      if (lines.size === 0) return
      const rest = lines.size > maxLines ? [`… and ${lines.size - maxLines} more`] : []
      const sortedLines = [...lines].sort(([, a], [, b]) => compare(a, b)).map(([line]) => line)
      throw new UserError([...sortedLines.slice(0, maxLines), ...rest].join('\n'))
    },
  }
}

/** Compares number by number; an empty order comes first. */
function compare(a: readonly number[], b: readonly number[]): number {
  const position = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0))
  return position === undefined ? 0 : (a[position] ?? 0) - (b[position] ?? 0)
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?').trim()

/** Text in quotes, truncated to 60 characters. */
export const quote = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
