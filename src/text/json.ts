import { jsonrepair } from 'jsonrepair'
import { isObject } from '../basics/plain-data.ts'
import type { Expected } from './conform.ts'

/** `clean`: JSON.parse read it as it stood; `repaired`: it had to be mended. `lossy`: something was left out. */
type Lenient =
  | { readonly outcome: 'clean'; readonly value: unknown }
  | { readonly outcome: 'repaired'; readonly value: unknown; readonly lossy?: true }
  | { readonly outcome: 'failed'; readonly reason: string }

/**
 * The list or object in a reply without its reasoning: the last fenced block, else from the first bracket to the last,
 * parsed or repaired; of parts scattered over prose the longest, or all objects. A list that stands alone is taken for
 * that of an object that holds nothing else.
 */
export function parseLenient(text: string, expected: Expected): Lenient {
  const body = text.trim()
  if (body === '') return failed('the reply is empty')
  const kind = expected === 'list' ? 'list' : 'object'
  if (!/[[{]/.test(body)) return failed(`the reply holds no JSON ${kind}`)
  const shape = shapeOf(expected)
  const alone = shapeOf(expected, true)
  const fenced = bracketed(lastFenced(body))
  const sliced = bracketed(body)
  const clean = alone(jsonIn(body)) ?? alone(jsonIn(fenced)) ?? shape(jsonIn(sliced))
  if (clean !== undefined) return { outcome: 'clean', value: clean }
  const pieces = scattered(body)
  const mended = alone(mend(fenced))
  const picked = mended ?? shape(pick(pieces, kind))
  const repaired = picked ?? shape(mend(sliced))
  if (repaired !== undefined) {
    const passedOver = mended === undefined && picked !== undefined && kind === 'object' && objectsOf(pieces).length > 1
    return { outcome: 'repaired', value: repaired, ...((passedOver || outline(body).open) && { lossy: true }) }
  }
  if (sliced === undefined) return failed('the reply breaks off before its first item ends')
  return failed(
    sliced.length > longestMended
      ? `the reply is broken JSON of ${sliced.length} characters, and no more than ${longestMended} are repaired`
      : `the reply could not be read as a JSON ${kind}`,
  )
}

const failed = (reason: string): Lenient => ({ outcome: 'failed', reason })

/** The JSON objects of a text that are whole, in order, with their places; one alone in a list is taken out of it. */
export const objectsIn = (text: string) =>
  outline(text).pieces.flatMap(({ start, end }) => {
    const piece = text.slice(start, end)
    const object = asObject(jsonIn(piece) ?? mend(piece))
    return object ? [{ object, start, end }] : []
  })

/** The value of a text of JSON; undefined for another text, and for none. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The library copies all that it has written for every comma that it adds, so its time is quadratic in the length. */
const longestMended = 65_536

/** What it is after its repair; undefined where it is too long to be repaired, or beyond repair. */
function mend(text: string | undefined): unknown {
  if (text === undefined || text.length > longestMended) return undefined
  try {
    return JSON.parse(jsonrepair(plain(text)))
  } catch {
    return undefined
  }
}

/** The longest piece; or all objects where a list is wanted and the longest is one of them. */
function pick(pieces: readonly string[], expected: 'list' | 'object'): unknown {
  const objects = objectsOf(pieces)
  const longest = longestOf(expected === 'list' ? pieces : objects)
  if (longest === undefined) return undefined
  if (expected === 'object' || longest.startsWith('[') || objects.length === 1) return jsonIn(longest) ?? mend(longest)
  return objects.map((object) => jsonIn(object) ?? mend(object))
}

const objectsOf = (pieces: readonly string[]): readonly string[] => pieces.filter((piece) => piece.startsWith('{'))

const longestOf = (texts: readonly string[]): string | undefined =>
  texts.reduce<string | undefined>(
    (longest, text) => (text.length > (longest?.length ?? 0) ? text : longest),
    undefined,
  )

/** Bare NaN and Infinity become null, which jsonrepair would take for words; odd spaces become plain ones. */
const plain = (text: string): string =>
  text.replace(/"(?:[^"\\]+|\\[^])*"?|-?\b(?:NaN|Infinity)\b|[^\S\r\n]|[\u200B-\u200D\u2060]/g, (found) =>
    found.startsWith('"') ? found : found.trim().length > 1 ? 'null' : ' ',
  )

/** What a value is as the thing expected; undefined for none. A list is an object only where it stands `alone`. */
function shapeOf(expected: Expected, alone = false): (value: unknown) => unknown {
  if (expected === 'list') return asList
  if (expected === 'object') return asObject
  const { listOf } = expected
  return (value) => {
    const object = asObject(value)
    if (!isList(value) || (object && Object.hasOwn(object, listOf))) return object
    return alone ? { [listOf]: value } : undefined
  }
}

/** A list stays, is taken out of an object around it, or is made of one object. `flattened`: lists inside it. */
function asList(value: unknown): readonly unknown[] | undefined {
  if (isList(value)) return value
  if (!isObject(value)) return undefined
  if (isList(value.items)) return value.items
  const [only, ...others] = Object.values(value)
  return others.length === 0 && isList(only) ? only : [value]
}

/** An object stays, or is taken out of a list that holds no other. */
function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isObject(value)) return value
  const [only, ...others] = isList(value) ? value.filter(isObject) : []
  return others.length === 0 ? only : undefined
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The last code block fenced by ``` that holds a bracket; one that was never closed reaches to the end. */
export function lastFenced(text: string): string | undefined {
  let last: string | undefined
  let block: string | undefined
  const close = () => {
    if (block !== undefined && /[[{]/.test(block)) last = block
    block = undefined
  }
  for (const line of text.split('\n')) {
    const start = line.trimStart()
    if (start.startsWith('```')) {
      // a fence after an empty fence opens once more: models nest them
      const opens = block === undefined || block.trim() === ''
      close()
      if (!opens) continue
      block = withoutFence(start.replace(/^`+[ \t]*[\w+-]*/, ''))
      if (block.length > 0 && start.trimEnd().endsWith('```')) close()
    } else if (block !== undefined) {
      block += '\n' + withoutFence(line)
      if (line.trimEnd().endsWith('```')) close()
    }
  }
  close()
  return last
}

/** From the first bracket to the last; where the text breaks off, without the item that was cut. */
export function bracketed(text = ''): string | undefined {
  const first = text.search(/[[{]/)
  if (first < 0) return undefined
  const body = text.slice(first).trimEnd()
  const slice = body.slice(0, Math.max(body.lastIndexOf(']'), body.lastIndexOf('}')) + 1)
  // a reply that ends in a bracket is whole, however its quotes may be muddled
  if (slice === body || (slice !== '' && !outline(slice).open)) return slice
  return body.slice(0, outline(body).whole) || undefined
}

/** The texts of all outermost pairs of brackets, in order, where words stand between some of them; else none. */
export function scattered(text: string): string[] {
  const { pieces } = outline(text)
  const words = pieces.some(({ start }, i) => /[^\s,;]/.test(text.slice(pieces[i - 1]?.end ?? start, start)))
  return words ? pieces.map(({ start, end }) => text.slice(start, end)) : []
}

/**
 * One walk over a text that may be broken JSON: its outermost pairs of brackets, whether one is open at the end, and up
 * to where the items of the outermost open list, or the properties of the outermost open object, are whole.
 */
function outline(text: string) {
  const pieces: { start: number; end: number }[] = []
  let depth = 0
  let list = 0 // depth of the outermost open list
  let start = 0
  let whole = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '[' || sign === '{') {
      if (depth === 0) start = at
      depth++
      if (sign === '[' && list === 0) list = depth
    } else if (depth === 0) continue
    else if (sign === '"') at = endOfString(text, at)
    else if (sign === ']' || sign === '}') {
      if (depth === list) list = 0
      depth--
      if (depth === 0) pieces.push({ start, end: at + 1 })
      if (depth === (list || 1)) whole = at + 1
    } else if (sign === ',' && depth === (list || 1)) whole = at
  }
  return { pieces, open: depth > 0, whole }
}

function endOfString(text: string, quote: number): number {
  let at = quote + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

const withoutFence = (line: string): string => line.trimEnd().replace(/(?<!`)`{3,}$/, '')
