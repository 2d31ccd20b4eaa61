import { isObject } from '../basics/plain-data.ts'
import { hidden, knowSecret } from '../basics/secrets.ts'
import { nearest } from '../text/names.ts'
import {
  locate,
  quoted,
  type Located,
  type LocatedMapping,
  type LocatedScalar,
  type ReportError,
} from './located-value.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that a text names, where it is empty because all of them are. */
export function emptyVariables(node: Located): readonly string[] {
  if (node.kind !== 'scalar' || node.value !== '' || node.written === undefined) return []
  return [...new Set([...node.written.matchAll(reference)].flatMap(([, name]) => name ?? []))]
}

// `$${` is an escaped `${`; the name of a variable is checked by itself
const reference = /\$\$\{|\$\{([^}]*)(\}?)/g

/**
 * Fills in `${NAME}` in every text, as a secret from then on; `$${NAME}` stands for itself. Reports unset ones.
 */
export function expandEnvironment(root: Located, environment: Environment, report: ReportError): Located {
  return walk(root, (scalar, text) => {
    const refused: string[] = []
    const value = text.replace(reference, (found, name: string | undefined, end: string | undefined) => {
      if (name === undefined) return '${'
      const isName = /^[A-Za-z_]\w*$/.test(name) && end === '}'
      const inside = isName && Object.hasOwn(environment, name) ? environment[name] : undefined
      if (inside !== undefined) knowSecret(inside, `\${${name}}`)
      else if (isName) refused.push(notSet(name, environment))
      else refused.push(`${quoted(found)} does not name an environment variable; for a literal "\${" write "$\${"`)
      return inside ?? ''
    })
    for (const message of refused) report(scalar.at, message)
    if (refused.length > 0) return { ...scalar, written: text, unset: true }
    return value === text ? scalar : { ...scalar, value, written: text }
  })
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

/**
 * A value as it may be written to disk, `${NAME}` unexpanded, with defaults; values such as `apiKey` and `headers` are
 * hidden.
 */
export const recordOf = (node: LocatedMapping, parsed: unknown): Readonly<Record<string, unknown>> =>
  mappingRecord(node, parsed, false)

function record(node: Located, parsed: unknown, isSecret: boolean): unknown {
  if (node.kind === 'mapping') return mappingRecord(node, parsed, isSecret)
  if (node.kind === 'list') {
    const items = Array.isArray(parsed) && parsed.length === node.items.length ? (parsed as unknown[]) : []
    return node.items.map((item, index) => record(item, items[index], isSecret))
  }
  if (typeof node.value !== 'string') return isSecret && node.value !== null ? hidden : node.value
  const written = node.written ?? node.value
  return isSecret ? withoutSecret(written) : withoutCredentials(written)
}

function mappingRecord(node: LocatedMapping, parsed: unknown, isSecret: boolean): Readonly<Record<string, unknown>> {
  const values = isObject(parsed) ? parsed : {}
  const defaults = Object.entries(values).filter(([, value]) => value !== undefined)
  const nodes = new Map(defaults.map(([key, value]) => [key, locate(value, node.at)]))
  for (const [key, { value }] of node.entries) nodes.set(key, value)
  return Object.fromEntries(
    [...nodes].map(([key, value]) => {
      // the keys of vary are dotted; the last name is the option's
      const isSecretHere = isSecret || isSecretKey(key.split('.').at(-1) ?? key)
      return [key, record(value, values[key], isSecretHere)]
    }),
  )
}

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
