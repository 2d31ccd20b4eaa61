import { createHash, hash } from 'node:crypto'
import { isObject } from '../basics/plain-data.ts'

/** SHA-256 of a text (UTF-8) or bytes, as 64 hex digits. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data)

/** MD5 of a text (UTF-8), as 32 hex digits, for document ids of datasets that use it. */
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** JSON with object keys sorted by UTF-16 code unit. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sortKeys(value))

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value) || typeof value['toJSON'] === 'function') return value
  const copy: Record<string, unknown> = { __proto__: null }
  for (const name of Object.keys(value).sort()) copy[name] = sortKeys(value[name])
  return copy
}

/** SHA-256 of a value's canonical JSON. */
export const hashOf = (value: unknown): string => sha256(canonicalJson(value))
