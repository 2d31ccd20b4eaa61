import { createHash } from 'node:crypto'

/** SHA-256 of a text (UTF-8) or bytes, as 64 hex digits. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** SHA-256 of a list of texts (UTF-8), length-prefixed; 64 hex digits. */
export function sha256OfAll(texts: Iterable<string>): string {
  const sum = createHash('sha256')
  for (const text of texts) sum.update(`${text.length}\n${text}`)
  return sum.digest('hex')
}

/** MD5 of a text (UTF-8), as 32 hex digits, for document ids of datasets that use it. */
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** JSON with object keys sorted by UTF-16 code unit. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** SHA-256 of a value's canonical JSON. */
export const hashOf = (value: unknown): string => sha256(canonicalJson(value))
