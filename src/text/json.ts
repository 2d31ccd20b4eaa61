import { jsonrepair } from 'jsonrepair'
import { bracketed, breaksOff, lastFenced, scattered } from './json-pieces.ts'
import { stripReasoning } from './reasoning.ts'
import type { Expected } from './expected.ts'

export { conform, expectedBy, fit, flattened, type Conformed } from './conform.ts'
export { stripReasoning } from './reasoning.ts'

/**
 * `clean`: JSON.parse read it as it stood, in a fence or between prose; `repaired`: it had to be mended or picked out. `lossy`: it broke
 * off, or other objects stood beside the one that was picked.
 */
export type Lenient =
  | { readonly outcome: 'clean'; readonly value: unknown }
  | { readonly outcome: 'repaired'; readonly value: unknown; readonly lossy?: true }
  | { readonly outcome: 'failed'; readonly reason: string }

/**
 * The list or object in a model's reply, whatever stands around it. Reasoning is dropped; the last fenced block, else the text from
 * the first bracket to the last, is parsed or repaired. Of bracketed parts scattered over prose the longest counts, or all objects.
 * A list that stands alone is taken for that of an object that holds nothing else.
 */
export function parseLenient(text: string, expected: Expected): Lenient {
  const body = stripReasoning(text)
  if (body === '')
    return failed(text.trim() === '' ? 'the reply is empty' : 'the reply holds nothing but unfinished reasoning')
  const kind = expected === 'list' ? 'list' : 'object'
  if (!/[[{]/.test(body)) return failed(`the reply holds no JSON ${kind}`)
  const shape = shapeOf(expected)
  const alone = shapeOf(expected, true)
  const fenced = bracketed(lastFenced(body))
  const sliced = bracketed(body)
  const clean = alone(read(body)) ?? alone(read(fenced)) ?? shape(read(sliced))
  if (clean !== undefined) return { outcome: 'clean', value: clean }
  const pieces = scattered(body)
  const mended = alone(mend(fenced))
  const picked = mended ?? shape(pick(pieces, kind))
  const repaired = picked ?? shape(mend(sliced))
  if (repaired !== undefined) {
    const passedOver = mended === undefined && picked !== undefined && kind === 'object' && objectsOf(pieces).length > 1
    return { outcome: 'repaired', value: repaired, ...((passedOver || breaksOff(body)) && { lossy: true }) }
  }
  if (sliced === undefined) return failed('the reply breaks off before its first item ends')
  return failed(
    sliced.length > longestMended
      ? `the reply is broken JSON of ${sliced.length} characters, and no more than ${longestMended} are repaired`
      : `the reply could not be read as a JSON ${kind}`,
  )
}

const failed = (reason: string): Lenient => ({ outcome: 'failed', reason })

/** What JSON.parse makes of it, or undefined. */
function read(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The library copies all that it has written for every comma that it adds, so its time is quadratic in the length. */
const longestMended = 65_536

/** What JSON.parse makes of it after its repair; undefined where it is too long to be repaired, or beyond repair. */
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
  if (expected === 'object' || longest.startsWith('[') || objects.length === 1) return read(longest) ?? mend(longest)
  return objects.map((object) => read(object) ?? mend(object))
}

const objectsOf = (pieces: readonly string[]): readonly string[] => pieces.filter((piece) => piece.startsWith('{'))

const longestOf = (texts: readonly string[]): string | undefined =>
  texts.reduce<string | undefined>(
    (longest, text) => (text.length > (longest?.length ?? 0) ? text : longest),
    undefined,
  )

/** Bare NaN and Infinity become null, which jsonrepair would take for words; odd spaces become plain ones; strings stay untouched. */
const plain = (text: string): string =>
  text.replace(/"(?:[^"\\]+|\\[^])*"?|-?\b(?:NaN|Infinity)\b|[^\S\r\n]|[\u200B-\u200D\u2060]/g, (found) =>
    found.startsWith('"') ? found : found.trim().length > 1 ? 'null' : ' ',
  )

/** What a value is as the thing expected; undefined where it is none. A list for an object counts only where it stands `alone`. */
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

/** A list stays, is taken out of an object that only wraps it, or is made of one object. `flattened` says what lists inside it are. */
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
