import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import {
  quoted,
  type Located,
  type LocatedEntry,
  type LocatedMapping,
  type ReportError,
  type SourceLocation,
} from './located-value.ts'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../text/names.ts'

// more than any experiment needs, and far below what exhausts the parser
const deepest = 64
const mostValues = 100_000

/** A YAML document as placed values; undefined, and reported, when it was not understood. `at`: from 1. */
export function parseYaml(
  text: string,
  at: (line: number, column: number) => SourceLocation,
  report: ReportError,
): Located | undefined {
  if (depthOf(text) > deepest) {
    report(at(1, 1), `nested more than ${deepest} levels deep`)
    return undefined
  }
  const lineCounter = new LineCounter()
  const placeAt = (offset: number): SourceLocation => {
    const { line, col } = lineCounter.linePos(offset)
    return at(Math.max(1, line), Math.max(1, col))
  }
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false })
  // what follows the first error is mostly its consequence
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem) {
    report(placeAt(problem.pos[0]), wordsFor(problem.code, problem.message))
    return undefined
  }
  if (!document.contents) {
    report(at(1, 1), 'is empty')
    return undefined
  }
  return place(document.contents, placeAt, report)
}

function wordsFor(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'a second YAML document begins here; a config must be a single one'
  return `not valid YAML: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`
}

/** Levels of nesting, counted by the parser's own stack: composing a deeper document would exhaust the machine's. */
function depthOf(text: string): number {
  const parser = new Parser()
  let depth = 0
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme))
    depth = Math.max(depth, parser.stack.length)
    if (depth > deepest) break
  }
  return depth
}

/** Aliases are followed here, so that their number and depth can be bounded and each keeps a place. */
function place(contents: Node, placeAt: (offset: number) => SourceLocation, report: ReportError): Located {
  const anchors = new Map<string, Node>()
  let values = 0

  const startOf = (node: Node): SourceLocation => placeAt(node.range?.[0] ?? 0)
  const nothing = (at: SourceLocation): Located => ({ kind: 'scalar', at, value: null })

  function follow(node: Node, depth: number, at: SourceLocation = startOf(node)): Located {
    values++
    if (values === mostValues) report(at, `aliases expand it to more than ${mostValues} values`)
    if (values >= mostValues) return nothing(at)
    if (depth > deepest) {
      report(at, `an alias refers to itself, or nests it more than ${deepest} levels deep`)
      return nothing(at)
    }
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target) return follow(target, depth + 1, at)
      report(at, `the alias *${node.source} has no anchor &${node.source} before it`)
      return nothing(at)
    }
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor) anchors.set(node.anchor, node)
    if (isMap(node)) return mapping(node, depth, at)
    if (isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => follow(item as Node, depth + 1)) }
    if (isScalar(node) && isPlain(node.value)) {
      const { value, source } = node
      const isText = typeof value === 'string' || value === null
      return { kind: 'scalar', at, value, ...(!isText && source !== undefined && { source }) }
    }
    report(at, 'expected text, a number, true, false, a list or a mapping')
    return nothing(at)
  }

  function mapping(node: YAMLMap, depth: number, at: SourceLocation): LocatedMapping {
    const own = new Map<string, LocatedEntry>()
    const merged = new Map<string, LocatedEntry>()
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const key = startOf(pair.key)
      const name = keyOf(pair.key)
      const earlier = name === undefined ? undefined : own.get(name)
      const value = pair.value ? follow(pair.value, depth + 1) : nothing(key)
      if (name === undefined) report(key, 'a key must be text')
      else if (isMergeKey(pair.key)) mergeInto(merged, value)
      else if (earlier) report(key, `key ${quoted(name)} is set twice, first at ${earlier.key.text}`)
      else own.set(name, { key, value })
    }
    return { kind: 'mapping', at, entries: new Map([...merged, ...own]) }
  }

  /** https://yaml.org/type/merge.html: of several mappings the earlier wins, and own keys win over all. */
  function mergeInto(merged: Map<string, LocatedEntry>, value: Located): void {
    for (const source of value.kind === 'list' ? value.items : [value]) {
      if (source.kind !== 'mapping') report(source.at, '"<<" must be followed by a mapping or a list of mappings')
      else for (const [name, entry] of source.entries) if (!merged.has(name)) merged.set(name, entry)
    }
  }

  return follow(contents, 0)
}

const isPlain = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const isMergeKey = (key: Node): boolean => isScalar(key) && key.type === 'PLAIN' && key.value === '<<'

function keyOf(key: Node): string | undefined {
  const value = (key as Scalar).value
  return isScalar(key) && isPlain(value) && value !== null ? String(value) : undefined
}

/**
 * A YAML file as placed values; undefined, and reported, when it was not understood. `order` comes before line and
 * column, `folder` is where paths in it begin.
 */
export async function readYaml(
  file: string,
  shown: string,
  order: readonly number[],
  report: ReportError,
  folder = dirname(file),
): Promise<Located | undefined> {
  const text = await readText(file, shown, report)
  const at = (line: number, column: number): SourceLocation => ({
    text: `${shown}:${line}:${column}`,
    order: [...order, line, column],
    folder,
  })
  return text === undefined ? undefined : parseYaml(text, at, report)
}

const mostBytes = 1_000_000

/** The text of a config file without its byte order mark; undefined, and reported, when it cannot be one. */
async function readText(file: string, shown: string, report: ReportError): Promise<string | undefined> {
  const parts: Buffer[] = []
  try {
    for await (const part of createReadStream(file, { end: mostBytes })) parts.push(part as Buffer)
  } catch (error) {
    report(shown, await reason(error, file, shown))
    return undefined
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length > mostBytes) {
    report(shown, 'is larger than 1 MB; is this a config?')
    return undefined
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    report(shown, 'is not UTF-8 text; is this a config?')
    return undefined
  }
}

async function reason(error: unknown, file: string, shown: string): Promise<string> {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EISDIR') return 'is a folder; name a config file in it'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be read (${code ?? 'unknown reason'})`
  const beside = await readdir(dirname(file)).catch(() => [])
  const near = nearest(basename(file), beside.filter((name) => /\.(ya?ml|json)$/.test(name)).sort())
  return `no such file${near ? `; did you mean "${join(dirname(shown), near)}"?` : ''}`
}
