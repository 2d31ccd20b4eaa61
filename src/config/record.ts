import type { Located, LocatedMapping } from './located-value.ts'
import { isObject } from '../basics/plain-data.ts'
import { hidden } from '../basics/secrets.ts'

/**
 * A value as it may be written to disk, `${NAME}` unexpanded, with defaults; values such as `apiKey` and `headers` are
 * hidden. `hide` takes values of the environment out of the defaults.
 */
export function recordOf(node: LocatedMapping, parsed: unknown, hide: Care['hide']): Readonly<Record<string, unknown>> {
  return mappingRecord(node, parsed, { hide, secret: false })
}

interface Care {
  readonly hide: (text: string) => string
  readonly secret: boolean
}

function record(node: Located | undefined, parsed: unknown, care: Care): unknown {
  if (!node) return defaultOf(parsed, care)
  if (node.kind === 'list') {
    const items = Array.isArray(parsed) && parsed.length === node.items.length ? (parsed as unknown[]) : []
    return node.items.map((item, index) => record(item, items[index], care))
  }
  if (node.kind === 'scalar') {
    if (typeof node.value !== 'string') return care.secret && node.value !== null ? hidden : node.value
    const written = node.written ?? node.value
    return care.secret ? withoutSecret(written) : withoutCredentials(written)
  }
  return mappingRecord(node, parsed, care)
}

function mappingRecord(node: LocatedMapping, parsed: unknown, care: Care): Readonly<Record<string, unknown>> {
  const defaults = isObject(parsed) ? parsed : {}
  const keys = [...new Set([...Object.keys(defaults), ...node.entries.keys()])]
  return object(keys, (key) => record(node.entries.get(key)?.value, defaults[key], within(care, key)))
}

function defaultOf(value: unknown, care: Care): unknown {
  if (typeof value === 'string') return care.secret ? hidden : withoutCredentials(care.hide(value))
  if (Array.isArray(value)) return value.map((item) => defaultOf(item, care))
  if (isObject(value)) return object(Object.keys(value), (key) => defaultOf(value[key], within(care, key)))
  return care.secret && typeof value === 'number' ? hidden : value
}

/** The keys of `vary` are dotted; the last name is the option's. */
const within = (care: Care, key: string): Care => ({
  ...care,
  secret: care.secret || isSecretKey(key.split('.').at(-1) ?? key),
})

const object = (keys: readonly string[], value: (key: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, value(key)] as const).filter(([, inner]) => inner !== undefined))

const secretKeys = /^(api[-_]?key|headers|authorization|password|secret|(\w+[-_])?token)$/i

/** Whether the value under a key is nobody's business. */
export const isSecretKey = (key: string): boolean => secretKeys.test(key)

/** A secret as it may be written to disk: only the names of environment variables, and the word Bearer. */
const withoutSecret = (written: string): string => (/^(Bearer |Basic )?(\$\{\w+\})+$/.test(written) ? written : hidden)

/** A text as it may be written to disk: an address without user name and password. */
const withoutCredentials = (text: string): string => text.replace(/:\/\/[^/?#\s]*@/g, `://${hidden}@`)

/** `--set` as it may be shown: without the value where a secret could stand in it. */
export const withoutSetSecret = (set: string): string =>
  /key|headers|authorization|password|secret|token\b/i.test(set) && !plainNumber.test(set)
    ? set.replace(/=.*/s, `=${hidden}`)
    : set

const plainNumber = /^(budget|chunks)\.\w+=\s*(-?\d{1,9}(\.\d{1,9})?|true|false)\s*$/
