import { jsonrepair } from 'jsonrepair'
import { isObject } from '../basics/plain-data.ts'
import type { Expected } from './validate.ts'

/** `clean`: valid JSON. `repaired`: JSON after repair; `lossy`: with something left out. */
type Lenient =
  | { readonly outcome: 'clean'; readonly value: unknown }
  | { readonly outcome: 'repaired'; readonly value: unknown; readonly lossy?: true }
  | { readonly outcome: 'failed'; readonly reason: string }

/**
 * The list or object in a reply without reasoning: the last code block, else from the first bracket to the last, parsed
 * or repaired; of parts in prose the longest, or all objects. A bare list counts as the object whose only property it
 * is.
 */
export function parseLenient(text: string, expected: Expected): Lenient {
  const body = text.trim()
  if (body === '') return failed('the reply is empty')
  const kind = expected === 'list' ? 'list' : 'object'
  if (!/[[{]/.test(body)) return failed(`the reply holds no JSON ${kind}`)
  const shape = shapeOf(expected)
  const alone = shapeOf(expected, true)
  const fencedJson = outerBrackets(lastCodeBlock(body))
  const outerJson = outerBrackets(body)
  const clean = alone(jsonIn(body)) ?? alone(jsonIn(fencedJson)) ?? shape(jsonIn(outerJson))
  if (clean !== undefined) return { outcome: 'clean', value: clean }
  const pieces = outermostBrackets(body)
  const objects = pieces.filter((piece) => piece.startsWith('{'))
  const repairedBlock = alone(repairJson(fencedJson))
  const repairedPart = repairedBlock ?? shape(pick(kind === 'list' ? pieces : objects, objects))
  const repairedValue = repairedPart ?? shape(repairJson(outerJson))
  if (repairedValue !== undefined) {
    const skipsObjects = repairedBlock === undefined && repairedPart !== undefined && kind === 'object'
    const isLossy = (skipsObjects && objects.length > 1) || outline(body).open
    return { outcome: 'repaired', value: repairedValue, ...(isLossy && { lossy: true }) }
  }
  if (outerJson === undefined) return failed('the reply breaks off before its first item ends')
  return failed(
    outerJson.length > repairLimit
      ? `the reply is broken JSON of ${outerJson.length} characters, and no more than ${repairLimit} are repaired`
      : `the reply could not be read as a JSON ${kind}`,
  )
}

const failed = (reason: string): Lenient => ({ outcome: 'failed', reason })

/** The complete JSON objects of a text, in order, with offsets; a single object is unwrapped from its list. */
export const objectsIn = (text: string) =>
  outline(text).pieces.flatMap(({ start, end }) => {
    const object = asObject(readJson(text.slice(start, end)))
    return object ? [{ object, start, end }] : []
  })

/** Parses JSON; undefined where it is invalid or absent. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** jsonrepair is quadratic: it copies its output for every comma that it adds. */
const repairLimit = 65_536

function repairJson(text: string | undefined): unknown {
  if (text === undefined || text.length > repairLimit) return undefined
  try {
    return JSON.parse(jsonrepair(plain(text)))
  } catch {
    return undefined
  }
}

const readJson = (text: string): unknown => jsonIn(text) ?? repairJson(text)

function pick(pieces: readonly string[], objects: readonly string[]): unknown {
  const [longest] = pieces.toSorted((a, b) => b.length - a.length)
  const isOneOfObjects = longest?.startsWith('{') && pieces !== objects && objects.length > 1
  return isOneOfObjects ? objects.map(readJson) : longest && readJson(longest)
}

/** Bare NaN and Infinity become null, which jsonrepair would take for words; other spaces become plain ones. */
const plain = (text: string): string =>
  text.replace(/"(?:[^"\\]+|\\[^])*"?|-?\b(?:NaN|Infinity)\b|[^\S\r\n]|[\u200B-\u200D\u2060]/g, (match) =>
    match.startsWith('"') ? match : match.trim().length > 1 ? 'null' : ' ',
  )

function shapeOf(kind: Expected, alone = false): (value: unknown) => unknown {
  if (kind === 'list') return asList
  if (kind === 'object') return asObject
  const { listOf } = kind
  return (value) => {
    const object = asObject(value)
    if (!isList(value) || (object && Object.hasOwn(object, listOf))) return object
    return alone ? { [listOf]: value } : undefined
  }
}

function asList(value: unknown): readonly unknown[] | undefined {
  if (isList(value)) return value
  if (!isObject(value)) return undefined
  if (isList(value.items)) return value.items
  const [only, ...rest] = Object.values(value)
  return rest.length === 0 && isList(only) ? only : [value]
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isObject(value)) return value
  const [only, ...rest] = isList(value) ? value.filter(isObject) : []
  return rest.length === 0 ? only : undefined
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The last code block with a bracket; an unclosed one reaches to the end. */
export const lastCodeBlock = (text: string): string | undefined =>
  Array.from(text.matchAll(codeBlock), ([, block = '']) => block).findLast((block) => /[[{]/.test(block))

/** A fence after an empty fence opens once more: models nest them. */
const codeBlock = /```(?:\s*```)?((?:(?!```)[^])*)(?:```|$)/g

/** From the first bracket to the last; of a truncated text, without its incomplete item. */
export function outerBrackets(text = ''): string | undefined {
  const first = text.search(/[[{]/)
  if (first < 0) return undefined
  const body = text.slice(first).trimEnd()
  const slice = body.slice(0, Math.max(body.lastIndexOf(']'), body.lastIndexOf('}')) + 1)
  // a reply that ends in a bracket is complete, even with broken quotes
  if (slice === body || (slice !== '' && !outline(slice).open)) return slice
  return body.slice(0, outline(body).whole) || undefined
}

/** The outermost pairs of brackets, in order, if there is prose between them; else none. */
export function outermostBrackets(text: string): string[] {
  const { pieces } = outline(text)
  const words = pieces.some(({ start }, i) => /[^\s,;]/.test(text.slice(pieces[i - 1]?.end ?? start, start)))
  return words ? pieces.map(({ start, end }) => text.slice(start, end)) : []
}

function outline(text: string) {
  const pieces: { start: number; end: number }[] = []
  let depth = 0
  let list = 0 // depth of the outermost open list
  let start = 0
  let completeEnd = 0
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
      if (depth === (list || 1)) completeEnd = at + 1
    } else if (sign === ',' && depth === (list || 1)) completeEnd = at
  }
  return { pieces, open: depth > 0, whole: completeEnd }
}

function endOfString(text: string, quote: number): number {
  let at = quote + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
