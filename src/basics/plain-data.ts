/** Limit of characters in a result line: escaped, more would exceed a JavaScript string. */
export const longestData = 80_000_000

/** A JSON copy of a value. Throws Error where it is not serialisable, or beyond 80 million characters. */
export function plainData(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined
  if (text !== undefined && text.length > longestData)
    throw new Error(`it has ${text.length} characters, more than ${longestData}`)
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

/** Freezes a value with all plain objects and lists in it, but not class instances. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || !isPlain(value)) return value
  for (const part of Object.values(Object.freeze(value))) deepFreeze(part)
  return value
}

function isPlain(value: object) {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

/** Whether a value read from JSON is an object, not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
