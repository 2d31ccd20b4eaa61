import { isObject } from '../basics/plain-data.ts'
import { mask, knowSecret } from '../errors.ts'
import { nearest } from '../text/names.ts'
import { describe } from '../text/validation-errors.ts'
import { dataOf, type ReportError, type Tree } from './tree.ts'

// `$${` is an escaped `${`; the name of a variable is checked separately
const variablePattern = /\$\$\{|\$\{([^}]*)(\}?)/g

/** The variables that a config may name, and where errors go. */
export interface ReadContext {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly report: ReportError
}

/**
 * The plain value of a tree with `${NAME}` filled in, as a secret from then on; `$${NAME}` stands for itself. Reports
 * unset ones. Prompts, labels and the name of the config stay as written.
 */
export function expandVariables({ entries, items, value, at }: Tree, context: ReadContext): unknown {
  const { environment, report } = context
  if (items) return items.map((item) => expandVariables(item, context))
  if (entries) {
    const textKey = entries.has('role') ? 'content' : entries.has('methods') ? 'name' : 'label'
    const expand = (key: string, item: Tree) => (key === textKey ? dataOf(item) : expandVariables(item, context))
    return Object.fromEntries(Array.from(entries, ([key, item]) => [key, expand(key, item)]))
  }
  if (typeof value !== 'string') return value
  return value.replace(variablePattern, (match, name: string | undefined, end: string | undefined) => {
    if (name === undefined) return '${'
    const isName = /^[A-Za-z_]\w*$/.test(name) && end === '}'
    const setting = isName && Object.hasOwn(environment, name) ? environment[name] : undefined
    if (setting !== undefined) knowSecret(setting, `\${${name}}`)
    else if (isName) report(at, describeUnset(name, environment))
    else {
      const remedy = 'for a literal "${" write "$${"'
      report(at, `${describe(match)} does not name an environment variable; ${remedy}`)
    }
    return setting ?? ''
  })
}

/** The message for an unset variable, with the most similar name. The environment includes `.env`. */
function describeUnset(name: string, environment: ReadContext['environment']): string {
  const near = nearest(name, Object.keys(environment))
  const hint = near === undefined ? '' : `; did you mean ${near}, which is?`
  return `environment variable ${name} is not set, neither in the environment nor in .env${hint}`
}

/**
 * A mapping as it may be written to disk, `${NAME}` unexpanded, with the defaults of `parsedValue`; values such as
 * `apiKey` and `headers` are hidden.
 */
export function recordOf(source: unknown, parsedValue: unknown, isSecret = false): Readonly<Record<string, unknown>> {
  const raw = isObject(source) ? source : {}
  const values = isObject(parsedValue) ? parsedValue : {}
  const defaults = Object.keys(values).filter((key) => values[key] !== undefined)
  return Object.fromEntries(
    Array.from(new Set([...defaults, ...Object.keys(raw)]), (key) => {
      const item = Object.hasOwn(raw, key) ? raw[key] : values[key]
      return [key, recordValue(item, values[key], isSecret || isSecretKey(key))]
    }),
  )
}

function recordValue(raw: unknown, parsedValue: unknown, isSecret: boolean): unknown {
  if (isObject(raw)) return recordOf(raw, parsedValue, isSecret)
  if (Array.isArray(raw)) {
    const isSameLength = Array.isArray(parsedValue) && parsedValue.length === raw.length
    const items = isSameLength ? (parsedValue as unknown[]) : []
    return raw.map((item, index) => recordValue(item, items[index], isSecret))
  }
  if (typeof raw !== 'string') return isSecret && raw !== null ? mask : raw
  return isSecret ? withoutSecret(raw) : withoutCredentials(raw)
}

/** Whether the value of a key is a secret; keys of `vary` are dotted, and the last part is the option. */
export const isSecretKey = (key: string): boolean =>
  /(^|\.)(api[-_]?key|headers|authorization|password|secret|(\w+[-_])?token)$/i.test(key)

/** A secret as it may be written to disk: only the names of environment variables, and the word Bearer. */
const withoutSecret = (raw: string): string => (/^(Bearer |Basic )?(\$\{\w+\})+$/.test(raw) ? raw : mask)

/** A text as it may be written to disk: an address without user name and password. */
const withoutCredentials = (text: string): string => text.replace(/:\/\/[^/?#\s]*@/g, `://${mask}@`)

/** An access that a config asks for and a person may want to permit beforehand. */
interface Ask {
  readonly kind: 'plug-in' | 'program' | 'server' | 'variable'
  /** The path as written, the command line, the address, or the name of the variable. */
  readonly name: string
}

/** The programs, servers and variables that a config would use, sorted and unique. */
export function asksOf(config: unknown): readonly Ask[] {
  const all = new Map(asksIn(config, '').map((ask) => [`${ask.kind} ${ask.name}`, ask]))
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ask]) => ask)
}

/** Keys whose values are data files, whatever their extension. */
const dataKeys = ['path', 'documents', 'questions']

function asksIn(value: unknown, key: string): readonly Ask[] {
  if (Array.isArray(value)) return value.flatMap((item) => asksIn(item, key))
  const asks: Ask[] = []
  const add = (kind: Ask['kind'], name: unknown) => asks.push({ kind, name: String(name) })
  if (typeof value === 'string') {
    for (const [, name] of value.matchAll(/\$\$\{|\$\{([A-Za-z_]\w*)\}/g)) {
      if (name !== undefined) add('variable', name)
    }
    if (/\.(ts|js|mjs)$/.test(value) && !dataKeys.includes(key)) add('plug-in', value)
  }
  if (!isObject(value)) return asks
  const { use, run, env, url, baseUrl = 'https://api.openai.com/v1' } = value
  const isProgram = use === 'command'
  const hasKey = Object.hasOwn(value, 'apiKey') || Object.hasOwn(value, 'headers')
  if (isProgram) add('program', Array.isArray(run) ? run.join(' ') : run)
  if (isProgram && Array.isArray(env)) for (const name of env) add('variable', name)
  if (hasKey || use === 'openai') add('server', use === 'http' ? url : baseUrl)
  if (use === 'openai' && !hasKey) add('variable', 'OPENAI_API_KEY')
  if (use === 'pgvector') add('server', String(url).replace(/\/\/.*@/, `//${mask}@`))
  for (const [name, item] of Object.entries(value))
    // the arguments of a program are not plug-ins
    if (!isProgram || name !== 'run') asks.push(...asksIn(item, name))
  return asks
}
