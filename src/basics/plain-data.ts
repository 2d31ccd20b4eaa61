/**
 * More characters than these, escaped, do not fit into one text of JavaScript, and so not into a line of a result file.
 */
export const longestData = 80_000_000

/**
 * A copy of a value as JSON holds it, read once: what a getter or a Proxy says later has no effect. Throws Error for a
 * value that JSON cannot hold, and for one of more than 80 million characters.
 */
export function plainData(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined
  if (text !== undefined && text.length > longestData)
    throw new Error(`it has ${text.length} characters, more than ${longestData}`)
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

/**
 * Freezes a value with all plain objects and lists in it, so that who writes to it fails. What is of a class, such as a
 * Map or a Float32Array, stays as it is.
 */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || !isPlain(value)) return value
  for (const part of Object.values(Object.freeze(value))) frozen(part)
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

/** Whether a value read from JSON is an object, not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
