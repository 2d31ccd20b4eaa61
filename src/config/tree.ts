import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { rememberPlace } from '../basics/files.ts'
import { isObject } from '../basics/plain-data.ts'
import { messageOf } from '../errors.ts'
import { nearest } from '../text/names.ts'

/** Keys of mappings and indices of lists, from the root of a config. */
export type Path = readonly PropertyKey[]

/** Where a value is written: as shown (`file:line:column` or `--set a.b`), and the folder of its relative paths. */
export interface Place {
  readonly text: string
  readonly folder: string
}

/** A mapping (`entries`), a list (`items`) or a scalar of a config, and the places of the value and of its key. */
export interface Tree {
  readonly at: Place
  readonly keyAt: Place
  readonly entries?: ReadonlyMap<string, Tree>
  readonly items?: readonly Tree[]
  /** A scalar as written, `${NAME}` not expanded. */
  readonly value?: unknown
}

/** Plain data whose values share one place, such as the command line. */
export function placedAt(value: unknown, at: Place): Tree {
  if (Array.isArray(value)) return { at, keyAt: at, items: value.map((item) => placedAt(item, at)) }
  if (!isObject(value)) return { at, keyAt: at, value }
  const entries = new Map<string, Tree>()
  for (const [key, item] of Object.entries(value)) if (item !== undefined) entries.set(key, placedAt(item, at))
  return { at, keyAt: at, entries }
}

/** The part of a tree at the end of a path; undefined where there is none. */
export const nodeAt = (tree: Tree | undefined, path: Path): Tree | undefined =>
  path.reduce((node, key) => node?.entries?.get(String(key)) ?? node?.items?.[Number(key)], tree)

/** The plain value of a tree, as written. */
export function dataOf(tree: Tree | undefined): unknown {
  if (tree?.items) return tree.items.map(dataOf)
  if (!tree?.entries) return tree?.value
  return Object.fromEntries(Array.from(tree.entries, ([key, item]) => [key, dataOf(item)]))
}

/** The plain value at the end of a path, as written. */
export const valueAt = (tree: Tree, path: Path): unknown => dataOf(nodeAt(tree, path))

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
  const source = nodeAt(tree, at)?.value
  rememberPlace(absolute, { at: text, text: typeof source === 'string' ? source : path })
  return absolute
}

/** Merges mappings key by key, a name being short for a mapping with `use`; replaces the rest. */
export function merge(old: Tree | undefined, part: Tree): Tree {
  const below = entriesOf(old)
  if (!below || !part.entries) return part
  const entries = new Map(below)
  for (const [key, item] of part.entries) entries.set(key, merge(entries.get(key), item))
  return { ...part, entries }
}

/** The entries of a mapping; a name is short for one with `use`. */
export const entriesOf = (tree: Tree | undefined): Tree['entries'] =>
  tree?.entries ?? (typeof tree?.value === 'string' ? new Map([['use', tree]]) : undefined)

/** Puts a part in place of what stands at a path; creates missing mappings. Reports a list item that does not exist. */
export function put(
  node: Tree | undefined,
  [key, ...rest]: Path,
  part: Tree,
  report: ReportError,
  join: typeof merge = (_old, value) => value,
): Tree {
  if (key === undefined) return join(node, part)
  const index = Number(key)
  const item = node?.items?.[index]
  if (node?.items && item) {
    const changedItem = put(item, rest, part, report, join)
    return { ...node, items: node.items.with(index, changedItem) }
  }
  if (node?.items) {
    const count = `number of items: ${node.items.length}, counted from 0`
    report(part.at, `the list has no item "${String(key)}" (${count})`)
    return node
  }
  const entries = new Map(entriesOf(node))
  const { at, keyAt } = node && entriesOf(node) ? node : { at: part.keyAt, keyAt: part.keyAt }
  const name = String(key)
  return { at, keyAt, entries: entries.set(name, put(entries.get(name), rest, part, report, join)) }
}

/** A mapping without some of its keys. */
export const without = (tree: Tree, keys: readonly string[]): Tree => ({
  ...tree,
  entries: new Map([...(tree.entries ?? [])].filter(([key]) => !keys.includes(key))),
})

/** Adds an error with its place. A function that takes it returns undefined where it reported one. */
export type ReportError = (place: Place | string, message: string) => void

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?').trim()

const options = { prettyErrors: false, stringKeys: true, resolveKnownTags: false }

/** Parses a YAML document with the places of its values. */
export function parseYaml(
  text: string,
  at: (line: number, column: number) => Place,
  report: ReportError,
): Tree | undefined {
  const lineCounter = new LineCounter()
  const placeAt = (offset = 0): Place => {
    const { line, col } = lineCounter.linePos(offset)
    return at(Math.max(1, line), Math.max(1, col))
  }
  try {
    const document = parseDocument(text, { ...options, lineCounter })
    // later errors are mostly consequences of the first
    const problem = document.errors[0] ?? document.warnings[0]
    // the parser itself ends where composing exhausts the stack
    if (/call stack/.test(problem?.message ?? '')) report(placeAt(), tooDeep)
    else if (problem) report(placeAt(problem.pos[0]), messages[problem.code] ?? notYaml(problem.message))
    else if (!document.contents) report(placeAt(), 'is empty')
    else return treeOf(document, placeAt, report)
  } catch (error) {
    report(placeAt(), notYaml(messageOf(error)))
  }
  return undefined
}

const messages: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second YAML document begins here; a config must be a single one',
  NON_STRING_KEY: 'a key must be text',
  DUPLICATE_KEY: 'this key is set twice in its mapping',
}

/** More than any experiment needs, and far below what exhausts the stack. */
const maxDepth = 64
const maxAliases = 1000

const tooDeep = `nested more than ${maxDepth} levels deep`

function notYaml(message: string): string {
  const initial = message.slice(0, 1).toLowerCase()
  return `not valid YAML: ${initial}${message.slice(1)}`
}

/** The values of a document; aliases are followed. */
function treeOf(document: Document, placeAt: (offset?: number) => Place, report: ReportError): Tree {
  let aliases = 0
  const follow = (node: Node | null): Node | null => {
    if (!isAlias(node)) return node
    const target = node.resolve(document)
    if (++aliases <= maxAliases && target) return target
    const { source } = node
    const unknown = `the alias *${source} has no anchor &${source} before it`
    const message = target ? notYaml('excessive alias count') : unknown
    if (!target || aliases === maxAliases + 1) report(placeAt(startOf(node)), message)
    return null
  }
  const read = (source: Node | null, depth: number, keyAt = placeAt(startOf(source))): Tree => {
    const at = source ? placeAt(startOf(source)) : keyAt
    if (depth > maxDepth) report(placeAt(), tooDeep)
    const node = depth > maxDepth ? null : follow(source)
    if (isSeq<Node>(node)) return { at, keyAt, items: node.items.map((item) => read(item, depth + 1)) }
    if (!isMap<Node, Node | null>(node)) return { at, keyAt, value: isScalar(node) ? node.value : null }
    const entries = new Map<string, Tree>()
    for (const { key, value } of node.items)
      entries.set(isScalar(key) ? String(key.value) : '', read(value, depth + 1, placeAt(startOf(key))))
    return { at, keyAt, entries }
  }
  return read(document.contents, 0)
}

const startOf = (node: Node | null): number | undefined => node?.range?.[0]

/** Reads a YAML file with the places of its values. */
export async function readYaml(
  file: string,
  name: string,
  report: ReportError,
  folder = dirname(file),
): Promise<Tree | undefined> {
  const at = (line: number, column: number): Place => ({ text: `${name}:${line}:${column}`, folder })
  try {
    const bytes = await readBytes(file)
    if (bytes.length <= maxBytes && isUtf8(bytes))
      return parseYaml(bytes.toString('utf8').replace(/^\uFEFF/, ''), at, report)
    report(name, `is ${bytes.length > maxBytes ? 'larger than 1 MB' : 'not UTF-8 text'}; is this a config?`)
  } catch (error) {
    report(name, await describeReadError(error, file, name))
  }
  return undefined
}

const maxBytes = 1_000_000

/** The bytes of a file or pipe, at most one more than a config may have. */
async function readBytes(file: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of createReadStream(file, { end: maxBytes })) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

async function describeReadError(error: unknown, file: string, label: string): Promise<string> {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EISDIR') return 'is a folder; name a config file in it'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be read (${code ?? 'unknown reason'})`
  const siblings = await readdir(dirname(file)).catch(() => [])
  const configs = siblings.filter((name) => /\.(ya?ml|json)$/.test(name))
  const suggestion = nearest(basename(file), configs.sort())
  return suggestion ? `no such file; did you mean "${join(dirname(label), suggestion)}"?` : 'no such file'
}
