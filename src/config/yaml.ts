import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { messageOf } from '../errors.ts'
import { nearest } from '../text/names.ts'
import type { Place, ReportError, Tree } from './tree.ts'

/** More than any experiment needs, and far below what exhausts the stack. */
const maxDepth = 64
const maxAliases = 1000

/** Parses a YAML document with the places of its values. Reports an error; undefined if there is one. */
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
    const document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true, stringKeys: true })
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

const notYaml = (message: string): string => `not valid YAML: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`

/** The values of a document; aliases and merge keys are followed. Throws YamlError. */
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
    if (isMap<Node, Node | null>(node) && isPlain(node)) return { at, keyAt, entries: entriesOf(node, depth) }
    if (isSeq<Node>(node) && isPlain(node)) return { at, keyAt, items: node.items.map((item) => read(item, depth + 1)) }
    const value = isScalar(node) ? node.value : node
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
      return { at, keyAt, raw: value, value }
    throw new YamlError('expected text, a number, true, false, a list or a mapping', startOf(source))
  }
  const entriesOf = ({ items }: YAMLMap<Node, Node | null>, depth: number): ReadonlyMap<string, Tree> => {
    const entries = new Map<string, Tree>()
    for (const { key, value } of items) {
      if (isMergeKey(key)) {
        for (const [name, item] of mergedEntries(value, depth + 1)) {
          if (!entries.has(name)) entries.set(name, item)
        }
        continue
      }
      const name = isScalar(key) ? String(key.value) : ''
      const item = read(value, depth + 1, placeAt(startOf(key)))
      // labels that YAML reads as numbers or booleans keep their spelling: 007, 1.10
      const isLabel = ['label', 'baseline'].includes(name) && ['number', 'boolean'].includes(typeof item.raw)
      const text = isLabel && isScalar(value) ? value.source : undefined
      entries.set(name, text === undefined ? item : { ...item, raw: text, value: text })
    }
    return entries
  }
  const mergedEntries = (source: Node | null, depth: number): (readonly [string, Tree])[] => {
    const node = follow(source, depth)
    if (isMap<Node, Node | null>(node)) return [...entriesOf(node, depth)]
    if (isSeq<Node>(node)) return node.items.flatMap((item) => mergedEntries(item, depth + 1))
    throw new YamlError(notYaml('merge sources must be maps or map aliases'), startOf(source))
  }
  return read(document.contents, 0)
}

const startOf = (node: Node | null): number | undefined => node?.range?.[0]

/** Whether a collection has no tag of another kind, such as a set. */
const isPlain = ({ tag }: YAMLMap | YAMLSeq): boolean => tag === undefined || /:(map|seq)$/.test(tag)

const isMergeKey = (key: Node): boolean => isScalar(key) && key.type === 'PLAIN' && key.value === '<<'

/**
 * Reads a YAML file with the places of its values. Reports errors; undefined if there are any. `order` precedes
 * line and column; `folder` is the base of its paths.
 */
export async function readYaml(
  file: string,
  name: string,
  order: readonly number[],
  report: ReportError,
  folder = dirname(file),
): Promise<Tree | undefined> {
  const text = await readText(file, name, report)
  const at = (line: number, column: number): Place => ({
    text: `${name}:${line}:${column}`,
    order: [...order, line, column],
    folder,
  })
  return text === undefined ? undefined : parseYaml(text, at, report)
}

const maxBytes = 1_000_000

/** The text of a config file without its byte order mark. Reports errors; undefined if there are any. */
async function readText(file: string, name: string, report: ReportError): Promise<string | undefined> {
  const parts: Buffer[] = []
  try {
    for await (const part of createReadStream(file, { end: maxBytes })) parts.push(part as Buffer)
  } catch (error) {
    report(name, await describeReadError(error, file, name))
    return undefined
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length > maxBytes) {
    report(name, 'is larger than 1 MB; is this a config?')
    return undefined
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    report(name, 'is not UTF-8 text; is this a config?')
    return undefined
  }
}

async function describeReadError(error: unknown, file: string, label: string): Promise<string> {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EISDIR') return 'is a folder; name a config file in it'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be read (${code ?? 'unknown reason'})`
  const siblings = await readdir(dirname(file)).catch(() => [])
  const suggestion = nearest(basename(file), siblings.filter((name) => /\.(ya?ml|json)$/.test(name)).sort())
  return `no such file${suggestion ? `; did you mean "${join(dirname(label), suggestion)}"?` : ''}`
}
