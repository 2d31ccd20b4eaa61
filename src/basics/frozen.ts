/** Freezes a value with all plain objects and lists in it, so that who writes to it fails; what is of a class, such as a Map or a Float32Array, stays as it is. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || !isPlain(value)) return value
  for (const part of Object.values(Object.freeze(value))) frozen(part)
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
