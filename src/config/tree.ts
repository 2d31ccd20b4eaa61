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

/** Where a value is written: as shown (`file:line:column` or `--set a.b=c`), its order, and its folder. */
export interface Place {
  readonly text: string
  readonly order: number
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
  for (const [key, item] of Object.entries(value)) entries.set(key, placedAt(item, at))
  return { at, keyAt: at, entries }
}

/** The part of a tree at the end of a path; undefined where there is none. */
export const nodeAt = (tree: Tree | undefined, path: Path): Tree | undefined =>
  path.reduce((node, key) => node?.entries?.get(String(key)) ?? node?.items?.[Number(key)], tree)

/** The plain value at the end of a path, as written. */
export const valueAt = (tree: Tree, path: Path): unknown => plainData(nodeAt(tree, path))

function plainData(tree: Tree | undefined): unknown {
  if (tree?.items) return tree.items.map(plainData)
  if (!tree?.entries) return tree?.value
  return Object.fromEntries(Array.from(tree.entries, ([key, item]) => [key, plainData(item)]))
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
  const sourceText = valueAt(tree, at)
  rememberPlace(absolute, { at: text, text: typeof sourceText === 'string' ? sourceText : path })
  return absolute
}

type Join = (old: Tree | undefined, part: Tree) => Tree

/** Merges mappings key by key, a name being short for a mapping with `use`; replaces the rest. */
export const merge: Join = (old, part) => {
  const below = entriesOf(old)
  if (!below || !part.entries) return part
  const entries = new Map(below)
  for (const [key, item] of part.entries) entries.set(key, merge(entries.get(key), item))
  return { ...part, entries }
}

const entriesOf = (tree: Tree | undefined): Tree['entries'] =>
  tree?.entries ?? (typeof tree?.value === 'string' ? new Map([['use', tree]]) : undefined)

/** Puts a part into a tree at a path; creates missing mappings. Reports a list item that does not exist. */
export function put(tree: Tree, to: Path, part: Tree, join: Join = replace, report: ReportError = throwError): Tree {
  const putBelow = (node: Tree | undefined, depth: number): Tree => {
    const key = to[depth]
    if (key === undefined) return join(node, part)
    if (node?.items) {
      const item = node.items[Number(key)]
      if (item) return { ...node, items: node.items.with(Number(key), putBelow(item, depth + 1)) }
      const list = to.slice(0, depth).join('.') || 'the config'
      const count = `number of items: ${node.items.length}, counted from 0`
      report(part.at, `the list ${list} has no item "${String(key)}" (${count})`)
      return node
    }
    const entries = entriesOf(node)
    const { at, keyAt } = node && entries ? node : { at: part.keyAt, keyAt: part.keyAt }
    const name = String(key)
    const item = putBelow(entries?.get(name), depth + 1)
    return { at, keyAt, entries: new Map(entries).set(name, item) }
  }
  return putBelow(tree, 0)
}

const replace: Join = (_old, part) => part

const throwError: ReportError = (_place, message) => {
  throw new Error(message)
}

/** Sets a missing value; its place is the start of the enclosing mapping. */
export const withDefault = (tree: Tree, path: Path, value: unknown): Tree =>
  nodeAt(tree, path) ? tree : put(tree, path, placedAt(value, placeOf(tree, path)))

/** A tree without some keys of the mapping at a path. */
export function without(tree: Tree, path: Path, keys: readonly string[]): Tree {
  const node = nodeAt(tree, path)
  if (!node?.entries) return tree
  const entries = [...node.entries].filter(([key]) => !keys.includes(key))
  return put(tree, path, { ...node, entries: new Map(entries) })
}

/** Adds an error with its place. A function that takes it returns undefined where it reported one. */
export type ReportError = (place: Place | string, message: string) => void

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?').trim()

/** Text in quotes, truncated to 60 characters. */
export const quote = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`

/** More than any experiment needs, and far below what exhausts the stack. */
const maxDepth = 64
const maxAliases = 1000

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
    const options = { lineCounter, prettyErrors: false, stringKeys: true, resolveKnownTags: false }
    const document = parseDocument(text, options)
    // later errors are mostly consequences of the first
    const problem = document.errors[0] ?? document.warnings[0]
    // the parser itself ends where composing exhausts the stack
    if (/call stack/.test(problem?.message ?? '')) throw new YamlError(tooDeep)
    if (problem) throw new YamlError(messages[problem.code] ?? notYaml(problem.message), problem.pos[0])
    if (!document.contents) throw new YamlError('is empty')
    return treeOf(document, placeAt)
  } catch (error) {
    if (error instanceof YamlError) report(placeAt(error.offset), error.message)
    else report(at(1, 1), notYaml(messageOf(error)))
    return undefined
  }
}

/** What is wrong with a document, and where; at its start without an offset. */
class YamlError extends Error {
  readonly offset: number | undefined
  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }
}

const messages: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second YAML document begins here; a config must be a single one',
  NON_STRING_KEY: 'a key must be text',
  DUPLICATE_KEY: 'this key is set twice in its mapping',
}

const tooDeep = `nested more than ${maxDepth} levels deep`

function notYaml(message: string): string {
  const initial = message.slice(0, 1).toLowerCase()
  return `not valid YAML: ${initial}${message.slice(1)}`
}

/** The values of a document; aliases are followed. Throws YamlError. */
function treeOf(document: Document, placeAt: (offset?: number) => Place): Tree {
  let aliases = 0
  const follow = (node: Node | null, depth: number): Node | null => {
    if (depth > maxDepth) throw new YamlError(tooDeep)
    if (!isAlias(node)) return node
    if (++aliases > maxAliases) throw new YamlError(notYaml('excessive alias count'), startOf(node))
    const target = node.resolve(document)
    if (target) return target
    throw new YamlError(`the alias *${node.source} has no anchor &${node.source} before it`, startOf(node))
  }
  const read = (source: Node | null, depth: number, keyAt = placeAt(startOf(source))): Tree => {
    const at = source ? placeAt(startOf(source)) : keyAt
    const node = follow(source, depth)
    if (isSeq<Node>(node)) return { at, keyAt, items: node.items.map((item) => read(item, depth + 1)) }
    if (!isMap<Node, Node | null>(node)) return { at, keyAt, value: isScalar(node) ? node.value : null }
    const entries = new Map<string, Tree>()
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : ''
      const item = read(value, depth + 1, placeAt(startOf(key)))
      const text = isSpelled(name, item.value) && isScalar(value) ? value.source : undefined
      entries.set(name, text === undefined ? item : { ...item, value: text })
    }
    return { at, keyAt, entries }
  }
  return read(document.contents, 0)
}

const startOf = (node: Node | null): number | undefined => node?.range?.[0]

/** Whether a value keeps its spelling, although YAML reads it as a number or boolean: 007, 1.10. */
export const isSpelled = (key: string | undefined, value: unknown): boolean =>
  (key === 'label' || key === 'baseline') && (typeof value === 'number' || typeof value === 'boolean')

/** Reads a YAML file with the places of its values. */
export async function readYaml(
  file: string,
  name: string,
  report: ReportError,
  { order = 1, folder = dirname(file) }: Partial<Pick<Place, 'order' | 'folder'>> = {},
): Promise<Tree | undefined> {
  const at = (line: number, column: number): Place => ({
    text: `${name}:${line}:${column}`,
    order: order + line / 2 ** 20 + column / 2 ** 41,
    folder,
  })
  try {
    return parseYaml(await readText(file), at, report)
  } catch (error) {
    report(name, error instanceof YamlError ? error.message : await describeReadError(error, file, name))
    return undefined
  }
}

const maxBytes = 1_000_000

/** The text of a config file or pipe, without its byte order mark. Throws YamlError and errors of the file system. */
async function readText(file: string): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of createReadStream(file, { end: maxBytes })) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  if (bytes.length > maxBytes) throw new YamlError('is larger than 1 MB; is this a config?')
  if (!isUtf8(bytes)) throw new YamlError('is not UTF-8 text; is this a config?')
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

async function describeReadError(error: unknown, file: string, label: string): Promise<string> {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EISDIR') return 'is a folder; name a config file in it'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be read (${code ?? 'unknown reason'})`
  const siblings = await readdir(dirname(file)).catch(() => [])
  const configs = siblings.filter((name) => /\.(ya?ml|json)$/.test(name))
  const suggestion = nearest(basename(file), configs.sort())
  if (!suggestion) return 'no such file'
  return `no such file; did you mean "${join(dirname(label), suggestion)}"?`
}
