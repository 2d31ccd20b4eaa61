import { isObject } from '../basics/plain-data.ts'
import { UserError } from '../errors.ts'
import { jsonIn } from '../text/json.ts'
import { malformedRecords, type MalformedRecords } from './malformed-records.ts'
import { textOf } from './text-file.ts'

/** A JSON object, the line, from 1, on which it begins, and its number among all objects, from 1. */
export interface JsonRecord {
  readonly line: number
  readonly number: number
  readonly value: unknown
}

/** Numbers as literal text, or as values, which keep 15 digits. */
export type Numbers = 'text' | 'values'

/**
 * The objects of a JSON file, one in memory at a time: lines, concatenated, or one array. Throws UserError with file,
 * line and column, and for no object; skips malformed objects if requested.
 */
export async function* jsonRecords(
  file: string,
  malformed: MalformedRecords = malformedRecords('stop'),
  numbers: Numbers = 'values',
): AsyncGenerator<JsonRecord> {
  const raws = malformed.skips && (await standsOnLines(file)) ? linesOf(file) : objectsOf(file)
  let count = 0
  for await (const raw of raws) {
    count++
    const record = malformed.attempt(() => parse(file, raw, numbers))
    if (record) yield { ...record, number: count }
  }
  if (count === 0) throw new UserError(`${file}: contains no JSON object`)
}

async function* objectsOf(file: string): AsyncGenerator<RawRecord> {
  const records = splitter(file)
  for await (const piece of textOf(file)) yield* records.feed(piece)
  const rest = records.end()
  if (rest) yield rest
}

async function standsOnLines(file: string): Promise<boolean> {
  for await (const { text } of linesOf(file)) {
    if (!text.trimStart().startsWith('{')) return false
    if (isObject(jsonIn(text))) return true
  }
  return false
}

/** The lines that are not blank. */
async function* linesOf(file: string): AsyncGenerator<RawRecord> {
  let line = 0
  let rest = ''
  for await (const piece of textOf(file)) {
    const [first = '', ...lines] = piece.split('\n')
    rest += first
    for (const next of lines) {
      line++
      if (rest.trim() !== '') yield { line, column: 1, text: rest }
      rest = next
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, column: 1, text: rest }
}

function parse(file: string, { line, column, text }: RawRecord, numbers: Numbers): Omit<JsonRecord, 'number'> {
  try {
    return { line, value: JSON.parse(numbers === 'text' ? quoteNumbers(text) : text) as unknown }
  } catch {
    const at = Math.min(malformedAt(text), text.trimEnd().length)
    const before = text.slice(0, at).split('\n')
    const place = `${file}:${line + before.length - 1}:${(before.at(-1) ?? '').length + (before.length === 1 ? column : 1)}`
    const excerpt = text.slice(at, at + 20).trimEnd()
    throw new UserError(
      `${place}: malformed JSON ${excerpt === '' ? '(unexpected end)' : `at ${JSON.stringify(excerpt)}`}`,
    )
  }
}

/** Quotes the numbers of JSON, to keep all digits; malformed text stays malformed. */
export const quoteNumbers = (text: string): string =>
  text.replace(stringOrNumber, (part) => (part.startsWith('"') ? part : `"${part}"`))

const numberForm = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?![\\w.+-])'
const stringOrNumber = new RegExp(`"(?:[^"\\\\]+|\\\\[^])*"?|${numberForm}`, 'g')

/** The text of an object and where it begins, both counted from 1. */
interface RawRecord {
  readonly line: number
  readonly column: number
  readonly text: string
}

/** Splits a text in pieces into its outermost objects, also within one array. */
export function splitter(file: string) {
  let around: 'unread' | 'nothing' | 'array' | 'ended array' = 'unread'
  let depth = 0
  let inString = false
  let isEscaped = false
  let line = 1
  let column = 0
  let start = { line, column }
  let text = ''

  const begins = (sign: string) => {
    if (sign === '{' && around !== 'ended array') {
      if (around === 'unread') around = 'nothing'
      return true
    }
    if (around === 'unread' && sign === '[') around = 'array'
    else if (around === 'array' && sign === ']') around = 'ended array'
    else if (!/\s/.test(sign) && !(around === 'array' && sign === ','))
      throw new UserError(`${file}:${line}:${column}: ${JSON.stringify(sign)} found where a JSON object should begin`)
    return false
  }
  const ends = (sign: string) => {
    if (isEscaped) isEscaped = false
    else if (inString && sign === '\\') isEscaped = true
    else if (sign === '"') inString = !inString
    else if (inString) return false
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    return depth === 0
  }

  return {
    /** The objects that end in this piece. Throws UserError for other text between objects. */
    *feed(piece: string): Generator<RawRecord> {
      let from = 0
      for (let at = 0; at < piece.length; at++) {
        const sign = piece.charAt(at)
        column++
        if (depth === 0 && begins(sign)) {
          start = { line, column }
          from = at
          depth = 1
        } else if (depth > 0 && ends(sign)) {
          yield { ...start, text: text + piece.slice(from, at + 1) }
          text = ''
        }
        if (sign === '\n') {
          line++
          column = 0
        }
      }
      if (depth > 0) text += piece.slice(from)
    },
    /** The incomplete last object. Throws UserError for an unclosed array. */
    end(): RawRecord | undefined {
      if (depth > 0) return { ...start, text }
      if (around === 'array') throw new UserError(`${file}:${line}:${column}: the array is not closed`)
      return undefined
    },
  }
}

/** The offset of the first JSON syntax error (RFC 8259), or the length of the text; linear time, no recursion. */
export function malformedAt(text: string): number {
  const closers: string[] = []
  let at = afterSpace(text, 0)
  for (;;) {
    if (closers.at(-1) === '}') {
      const key = stringEnd(text, at)
      if (key < 0) return at
      at = afterSpace(text, key)
      if (text[at] !== ':') return at
      at = afterSpace(text, at + 1)
    }
    const closer = text[at] === '{' ? '}' : text[at] === '[' ? ']' : undefined
    if (closer !== undefined) {
      at = afterSpace(text, at + 1)
      closers.push(closer)
      if (text[at] !== closer) continue
    } else {
      const end = text[at] === '"' ? stringEnd(text, at) : scalarEnd(text, at)
      if (end < 0) return at
      at = afterSpace(text, end)
    }
    while (closers.length > 0 && text[at] === closers.at(-1)) {
      closers.pop()
      at = afterSpace(text, at + 1)
    }
    if (closers.length === 0 || text[at] !== ',') return at
    at = afterSpace(text, at + 1)
  }
}

function afterSpace(text: string, from: number) {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++
  return at
}

/** The end of the string at `from`, or -1. */
function stringEnd(text: string, from: number) {
  if (text[from] !== '"') return -1
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1
    if (text.charCodeAt(at) < 0x20) return -1
    if (text[at] !== '\\') continue
    escape.lastIndex = at
    if (!escape.test(text)) return -1
    at = escape.lastIndex - 1
  }
  return -1
}

/** The end of the number or word at `from`, or -1. */
function scalarEnd(text: string, from: number) {
  scalar.lastIndex = from
  return scalar.test(text) ? scalar.lastIndex : -1
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const scalar = new RegExp(`(?:true|false|null)(?![\\w.+-])|${numberForm}`, 'y')
