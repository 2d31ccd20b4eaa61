import type { Fault } from './check.ts'

/** Why a value cannot be written as JSON and read back the same: `stats.mean is NaN`. A field that is undefined is left out, which does no harm. */
export function jsonFault(value: unknown, at: string, above: readonly unknown[] = []): Fault {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${at} is ${value}`
  if (typeof value !== 'object') return `${at} is ${value === undefined ? 'undefined' : `a ${typeof value}`}`
  if (above.includes(value)) return `${at} holds itself`
  const within = [...above, value]
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = jsonFault(item, `${at}[${index}]`, within)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && (prototype as { constructor?: { name?: string } }).constructor?.name !== 'Object')
    return `${at} is a ${(value.constructor as { name?: string } | undefined)?.name ?? 'strange object'}, no plain object`
  for (const [key, item] of Object.entries(value)) {
    const fault = item === undefined ? undefined : jsonFault(item, `${at}.${key}`, within)
    if (fault !== undefined) return fault
  }
  return undefined
}
