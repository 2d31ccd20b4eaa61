import { isDeepStrictEqual } from 'node:util'

/** Whether a text differs from a whole one only by values of the same type: every line is there once, with the same names. */
export function isEdit(whole: string, mutant: string, file: string): boolean {
  try {
    return isDeepStrictEqual(shapesIn(whole, file), shapesIn(mutant, file))
  } catch {
    return false
  }
}

const shapesIn = (text: string, file: string): unknown =>
  (file.endsWith('.jsonl') ? text.split('\n').filter((line) => line !== '') : [text]).map((line) =>
    shapeOf(JSON.parse(line)),
  )

/** The value with the type in place of every leaf; lists by their length. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}
