import { z, type ZodType } from 'zod'
import { nearest, unknownName } from '../../text/names.ts'
import { authoredMessage, issueMessage, type ReportError, oneLine } from './error-list.ts'
import { type Located, child, descend } from '../source/located-value.ts'
import { emptyVariables } from '../source/expand-environment.ts'
import { isSecretKey } from '../record/record.ts'

type Issue = z.core.$ZodIssue

/** What was checked: a value, the schema it does not fit, and its name in the config. */
interface CheckedValue {
  readonly node: Located
  readonly schema: ZodType
  readonly path: readonly string[]
  /** Keys that belong beside those of the schema: `use` and `label`. */
  readonly besides: readonly string[]
  readonly report: ReportError
  /** Takes the values of environment variables out of messages that others wrote. */
  readonly hide: (text: string) => string
}

/** Reports every issue in one line at the place of what is wrong, with the nearest right name. */
export function reportIssues(issues: readonly Issue[], checked: CheckedValue): void {
  const meant = meantKeys(issues, checked)
  const mistyped = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [placeOf(path)] : [])))
  for (const issue of issues) {
    const place = placeOf(issue.path)
    // what has the wrong type is measured all the same: an empty text is a list that is too short
    if (!meant.has(place) && (issue.code === 'invalid_type' || !mistyped.has(place))) explainOne(issue, [], checked)
  }
}

/** The keys that misspelt ones mean: that they are missing is no second mistake. */
function meantKeys(issues: readonly Issue[], checked: CheckedValue): ReadonlySet<string> {
  const absent = issues.map(({ path }) => path).filter((path) => path.length > 0 && !descend(checked.node, path))
  return new Set(
    issues.flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return []
      const known = keysAt(checked.schema, issue.path)
      const meant = issue.keys.flatMap((key) => nearest(key, known) ?? [])
      const places = meant.map((key) => placeOf([...issue.path, key]))
      return absent.map(placeOf).filter((place) => places.includes(place))
    }),
  )
}

const placeOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String))

function explainOne(issue: Issue, above: readonly PropertyKey[], checked: CheckedValue): void {
  const path = [...above, ...issue.path]
  const node = descend(checked.node, path)
  const branch = issue.code === 'invalid_union' ? meantBranch(issue) : undefined
  if (issue.code === 'unrecognized_keys') unknownKeys(issue.keys, path, checked)
  else if (issue.code === 'invalid_key') wrongKey(issue, path, checked)
  else if (!node) missing(issue, path, checked)
  else if (node.kind === 'scalar' && node.unset) return
  else if (branch) for (const inner of branch) explainOne(inner, path, checked)
  else wrongValue(issue, node, path, checked)
}

function wrongValue(issue: Issue, node: Located, path: readonly PropertyKey[], checked: CheckedValue): void {
  const own = authoredMessage(issue.message)
  const name = nameOf(path, checked)
  const secret = [...checked.path, ...path].some((key) => isSecretKey(String(key)))
  const message = own === undefined ? ` ${issueMessage(issue, node, secret)}` : `: ${checked.hide(own)}`
  const [variable] = emptyVariables(node)
  const why = variable === undefined ? '' : `: the environment variable ${variable} is empty`
  checked.report(node.at, name + message + why)
}

/** The one alternative that the value was meant to be: of those of its type, the one with the fewest mistakes. */
function meantBranch(issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  return issue.errors
    .filter((branch) => branch.length > 0 && !branch.some((inner) => inner.path.length === 0 && isMismatch(inner)))
    .reduce<readonly Issue[] | undefined>(
      (best, branch) => (best && best.length <= branch.length ? best : branch),
      undefined,
    )
}

const isMismatch = (issue: Issue): boolean =>
  issue.code === 'invalid_type' ||
  issue.code === 'invalid_value' ||
  (issue.code === 'invalid_union' && !meantBranch(issue))

function unknownKeys(keys: readonly string[], path: readonly PropertyKey[], checked: CheckedValue): void {
  const holder = descend(checked.node, path)
  const besides = path.length === 0 ? checked.besides : []
  const known = [...besides, ...keysAt(checked.schema, path)].filter((key) => key !== '$schema')
  const name = [...checked.path, ...path].join('.')
  for (const key of keys) {
    const at = holder?.kind === 'mapping' ? holder.entries.get(key)?.key : undefined
    const what = name === '' ? 'key' : `key in ${name}:`
    const unknown =
      known.length === 0
        ? `unknown ${what} "${oneLine(key)}" (no keys are known here)`
        : `${unknownName(what, oneLine(key), known)}${ofOptions(name, key, known)}`
    checked.report(at ?? checked.node.at, unknown)
  }
}

/** A key of a dataset that is like none of those known may be an option of it. */
const ofOptions = (name: string, key: string, known: readonly string[]): string =>
  name === 'dataset' && nearest(key, known) === undefined
    ? `; an option of the dataset stands under options: { ${oneLine(key)}: … }`
    : ''

function wrongKey(issue: z.core.$ZodIssueInvalidKey, path: readonly PropertyKey[], checked: CheckedValue): void {
  const holder = descend(checked.node, path.slice(0, -1))
  const key = String(path.at(-1))
  const at = holder?.kind === 'mapping' ? holder.entries.get(key)?.key : undefined
  const own = issue.issues.map(({ message }) => authoredMessage(message)).find((message) => message !== undefined)
  checked.report(
    at ?? checked.node.at,
    `key "${oneLine(key)}" in ${nameOf(path.slice(0, -1), checked)} ${checked.hide(own ?? 'is not allowed')}`,
  )
}

/** A missing value stands where its nearest mapping begins. */
function missing(issue: Issue, path: readonly PropertyKey[], checked: CheckedValue): void {
  let holder = checked.node
  for (const key of path) holder = child(holder, key) ?? holder
  const own = issue.code === 'custom' ? authoredMessage(issue.message) : undefined
  const name = nameOf(path, checked)
  checked.report(holder.at, own === undefined ? `"${name}" is missing` : `${name}: ${checked.hide(own)}`)
}

const nameOf = (path: readonly PropertyKey[], checked: CheckedValue): string =>
  oneLine([...checked.path, ...path].join('.')) || 'the config'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The keys that a schema knows at a path, of all alternatives there, in the order written. */
function keysAt(schema: ZodType, path: readonly PropertyKey[]): readonly string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const here = path.reduce<readonly JsonSchema[]>(
    (schemas, key) => schemas.flatMap((inner) => stepInto(inner, key)).flatMap((inner) => alternatives(inner, root)),
    alternatives(root, root),
  )
  return [...new Set(here.flatMap((inner) => Object.keys(inner.properties ?? {})))]
}

/** The schema itself and all that it is made of, references followed once. */
function alternatives(schema: JsonSchema, root: JsonSchema, seen = new Set<JsonSchema>()): JsonSchema[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const referred = schema.$ref === undefined ? [] : [referenceIn(root, schema.$ref)]
  const parts = [...referred, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...parts.filter(isSchema).flatMap((part) => alternatives(part, root, seen))]
}

const referenceIn = (root: JsonSchema, reference: string): JsonSchema | undefined =>
  reference === '#' ? root : root.$defs?.[reference.replace('#/$defs/', '')]

function stepInto(schema: JsonSchema, key: PropertyKey): JsonSchema[] {
  const { properties, items, prefixItems, additionalProperties } = schema
  const property = properties && Object.hasOwn(properties, key) ? properties[String(key)] : additionalProperties
  const item = typeof key === 'number' ? (prefixItems?.[key] ?? items) : undefined
  return [property, item].filter(isSchema)
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
