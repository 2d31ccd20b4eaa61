import { isObject } from '../basics/plain-data.ts'
import { hidden, isTellable, knowSecret } from '../basics/secrets.ts'
import { nearest } from '../text/names.ts'
import { quoted, type Located, type LocatedMapping, type LocatedScalar, type ReportError } from './located-value.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that a text names, where it is empty because all of them are. */
export function emptyVariables(node: Located): readonly string[] {
  if (node.kind !== 'scalar' || node.value !== '' || node.written === undefined) return []
  return [...new Set([...node.written.matchAll(reference)].flatMap(([, name]) => name ?? []))]
}

// `$${` is an escaped `${`; the name of a variable is checked by itself
const reference = /\$\$\{|\$\{([^}]*)(\}?)/g

/**
 * Fills in `${NAME}` in every text, as a secret from then on; `$${NAME}` stands for itself. Reports unset ones. `hide`
 * puts the name in place of every such value in a text that others wrote.
 */
export function expandEnvironment(root: Located, environment: Environment, report: ReportError) {
  const used = new Map<string, string>()
  const filled = walk(root, (scalar, text) => {
    const refused: string[] = []
    const value = text.replace(reference, (found, name: string | undefined, end: string | undefined) => {
      if (name === undefined) return '${'
      const isName = /^[A-Za-z_]\w*$/.test(name) && end === '}'
      const inside = isName && Object.hasOwn(environment, name) ? environment[name] : undefined
      if (inside !== undefined) {
        used.set(name, inside)
        knowSecret(inside, `\${${name}}`)
      } else if (isName) refused.push(notSet(name, environment))
      else refused.push(`${quoted(found)} does not name an environment variable; for a literal "\${" write "$\${"`)
      return inside ?? ''
    })
    for (const message of refused) report(scalar.at, message)
    if (refused.length > 0) return { ...scalar, written: text, unset: true }
    return value === text ? scalar : { ...scalar, value, written: text }
  })
  return { root: filled, hide: hider(used) }
}

/** The nearest name is told, never a value. What `.env` sets is in the environment by now. */
function notSet(name: string, environment: Environment): string {
  const near = nearest(name, Object.keys(environment))
  return `environment variable ${name} is not set, neither in the environment nor in .env${near === undefined ? '' : `; did you mean ${near}, which is?`}`
}

function walk(node: Located, fill: (scalar: LocatedScalar, text: string) => LocatedScalar): Located {
  if (node.kind === 'scalar') return typeof node.value === 'string' ? fill(node, node.value) : node
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => walk(item, fill)) }
  const entries = [...node.entries].map(([name, { key, value }]) => [name, { key, value: walk(value, fill) }] as const)
  return { ...node, entries: new Map(entries) }
}

/** Longer values first, so that none is left over in part; short ones stay, since they stand in other words too. */
function hider(used: ReadonlyMap<string, string>): (text: string) => string {
  const values = [...used].filter(([, value]) => isTellable(value)).sort(([, a], [, b]) => b.length - a.length)
  return (text) => values.reduce((shown, [name, value]) => shown.replaceAll(value, () => `\${${name}}`), text)
}

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
