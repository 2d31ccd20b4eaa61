import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  visit,
  type Document,
  type Node,
} from 'yaml'
import { messageOf } from '../errors.ts'
import { nearest } from '../text/names.ts'
import { isThere, type Path, type Place, type ReportError, type Tree } from './tree.ts'

/** More than any experiment needs, and far below what exhausts the stack. */
const maxDepth = 64

/** Parses a YAML document with the places of its values. Reports errors; undefined if there are any. */
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
  if (depthOf(text) > maxDepth) {
    report(at(1, 1), tooDeep)
    return undefined
  }
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true, stringKeys: true })
    // later errors are mostly consequences of the first
    const problem = document.errors[0] ?? document.warnings[0]
    if (problem) {
      report(placeAt(problem.pos[0]), messages[problem.code] ?? notYaml(problem.message))
      return undefined
    }
    if (!document.contents) {
      report(at(1, 1), 'is empty')
      return undefined
    }
    const unresolvedAlias = keepLabels(document)
    if (unresolvedAlias) {
      report(
        placeAt(unresolvedAlias.range?.[0]),
        `the alias *${unresolvedAlias.source} has no anchor &${unresolvedAlias.source} before it`,
      )
      return undefined
    }
    const value: unknown = document.toJS({ maxAliasCount: 1000 })
    const fault = faultIn(value)
    if (fault) {
      report(placeAt(startOf(document, fault.path)), fault.message)
      return undefined
    }
    const source = (path: Path, isKey: boolean): Place | undefined =>
      isThere(value, path) ? placeAt(startOf(document, path, isKey)) : undefined
    return { value, raw: value, sources: [source] }
  } catch (error) {
    report(at(1, 1), notYaml(messageOf(error)))
    return undefined
  }
}

const messages: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second YAML document begins here; a config must be a single one',
  NON_STRING_KEY: 'a key must be text',
  DUPLICATE_KEY: 'this key is set twice in its mapping',
}

const tooDeep = `nested more than ${maxDepth} levels deep`

const notYaml = (message: string): string => `not valid YAML: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`

/** The nesting depth by the parser's stack; composing a deeper document would overflow the call stack. */
function depthOf(text: string): number {
  const parser = new Parser()
  let depth = 0
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme))
    depth = Math.max(depth, parser.stack.length)
    if (depth > maxDepth) break
  }
  return depth
}

/**
 * Keeps the spelling of labels that YAML reads as numbers or booleans: 007, 1.10. Returns an alias
 * without an anchor.
 */
function keepLabels(document: Document): Alias | undefined {
  let unresolvedAlias: Alias | undefined
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document)) unresolvedAlias ??= alias
    },
    Pair(_, { key, value }) {
      const isLabel = isScalar(key) && (key.value === 'label' || key.value === 'baseline')
      if (isLabel && isScalar(value) && value.value !== null && value.source !== undefined) value.value = value.source
    },
  })
  return unresolvedAlias
}

/** The first value that is not plain data or is nested too deeply, as in a recursive alias. */
function faultIn(value: unknown, path: Path = []): { readonly path: Path; readonly message: string } | undefined {
  if (path.length > maxDepth) return { path: [], message: tooDeep }
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return { path, message: 'expected text, a number, true, false, a list or a mapping' }
  for (const [key, inner] of Object.entries(value as object)) {
    const fault = faultIn(inner, [...path, key])
    if (fault) return fault
  }
  return undefined
}

/** The offset at which a value begins, or its key; what a merge key brings begins where the mapping does. */
function startOf(document: Document, path: Path, isKey = false): number | undefined {
  let node = document.contents
  let start = node?.range?.[0]
  for (const [index, key] of path.entries()) {
    const holder = isAlias(node) ? node.resolve(document) : node
    if (isSeq(holder)) node = holder.items[Number(key)] as Node
    else if (isMap<Node, Node | null>(holder)) {
      const pair = holder.items.find((item) => isScalar(item.key) && item.key.value === String(key))
      if (!pair) return start
      node = isKey && index === path.length - 1 ? pair.key : (pair.value ?? pair.key)
    } else return start
    start = node.range?.[0]
  }
  return start
}

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
