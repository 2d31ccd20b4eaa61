import { z, type ZodType } from 'zod'
import { scrubError } from '../basics/secrets.ts'
import { nearest, unknownName } from '../text/names.ts'
import { emptyVariables, isSecretKey } from './secrets.ts'
import {
  child,
  descend,
  oneLine,
  plainValue,
  quoted,
  writtenText,
  type Located,
  type ReportError,
  type SourceLocation,
} from './located-value.ts'

/** What is checked: a value and its name in the config. */
interface CheckedValue {
  readonly node: Located
  readonly path: readonly string[]
  /** Keys that belong beside those of the schema: `use` and `label`. */
  readonly besides: readonly string[]
  readonly report: ReportError
}

type Issue = z.core.$ZodIssue

/**
 * The value in the shape of a schema. Undefined where it does not fit: every issue that `isReported` is then reported
 * in one line at the place of what is wrong, with the nearest right name.
 */
export function parseLocated<T>(
  schema: ZodType<T>,
  checked: CheckedValue,
  isReported: (issue: Issue) => boolean = () => true,
): T | undefined {
  const result = schema.safeParse(plainValue(checked.node), { error: messageFor })
  if (result.success) return result.data
  const issues = result.error.issues.filter(isReported)
  const meant = new Set(issues.flatMap(meantPlaces))
  const mistyped = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [placeOf(path)] : [])))
  for (const issue of issues) {
    const place = placeOf(issue.path)
    // what is missing under a misspelt key is no second mistake
    const isMisspelt = meant.has(place) && !descend(checked.node, issue.path)
    // what has the wrong type is measured all the same: an empty text is a list that is too short
    if (!isMisspelt && (issue.code === 'invalid_type' || !mistyped.has(place))) explain(issue, [], checked)
  }
  return undefined
}

/** What an issue says where the author of the schema wrote no message: nothing, or the keys that are known. */
const messageFor = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? JSON.stringify(Object.keys(issue.inst.shape))
    : ''

const keysKnown = ({ message }: z.core.$ZodIssueUnrecognizedKeys): readonly string[] =>
  message === '' ? [] : z.array(z.string()).parse(JSON.parse(message))

function meantPlaces(issue: Issue): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return []
  const meant = issue.keys.flatMap((key) => nearest(key, keysKnown(issue)) ?? [])
  return meant.map((key) => placeOf([...issue.path, key]))
}

const placeOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String))

function explain(issue: Issue, above: readonly PropertyKey[], checked: CheckedValue): void {
  const path = [...above, ...issue.path]
  const node = descend(checked.node, path)
  const branch = issue.code === 'invalid_union' ? meantBranch(issue) : undefined
  if (issue.code === 'unrecognized_keys') unknownKeys(issue, path, checked)
  else if (issue.code === 'invalid_key') wrongKey(issue, path, checked)
  else if (!node) missing(issue, path, checked)
  else if (node.kind === 'scalar' && node.unset) return
  else if (branch) for (const inner of branch) explain(inner, path, checked)
  else wrongValue(issue, node, path, checked)
}

function wrongValue(issue: Issue, node: Located, path: readonly PropertyKey[], checked: CheckedValue): void {
  const secret = [...checked.path, ...path].some((key) => isSecretKey(String(key)))
  const message = issue.message === '' ? ` ${issueMessage(issue, node, secret)}` : `: ${scrubError(issue.message)}`
  const [variable] = emptyVariables(node)
  const why = variable === undefined ? '' : `: the environment variable ${variable} is empty`
  checked.report(node.at, nameOf(path, checked) + message + why)
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

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  path: readonly PropertyKey[],
  checked: CheckedValue,
): void {
  const besides = path.length === 0 ? checked.besides : []
  const known = [...besides, ...keysKnown(issue)].filter((key) => key !== '$schema')
  const name = [...checked.path, ...path].join('.')
  const what = name === '' ? 'key' : `key in ${name}:`
  for (const key of issue.keys) {
    const unknown =
      known.length === 0
        ? `unknown ${what} "${oneLine(key)}" (no keys are known here)`
        : `${unknownName(what, oneLine(key), known)}${ofOptions(name, key, known)}`
    checked.report(placeOfKey(key, path, checked), unknown)
  }
}

/** A key of a dataset that is like none of those known may be an option of it. */
const ofOptions = (name: string, key: string, known: readonly string[]): string =>
  name === 'dataset' && nearest(key, known) === undefined
    ? `; an option of the dataset stands under options: { ${oneLine(key)}: … }`
    : ''

function wrongKey(issue: z.core.$ZodIssueInvalidKey, path: readonly PropertyKey[], checked: CheckedValue): void {
  const above = path.slice(0, -1)
  const key = String(path.at(-1))
  const message = issue.issues.map((inner) => inner.message).find((text) => text !== '') ?? 'is not allowed'
  checked.report(
    placeOfKey(key, above, checked),
    `key "${oneLine(key)}" in ${nameOf(above, checked)} ${scrubError(message)}`,
  )
}

function placeOfKey(key: string, path: readonly PropertyKey[], { node }: CheckedValue): SourceLocation {
  const holder = descend(node, path)
  return (holder?.kind === 'mapping' ? holder.entries.get(key)?.key : undefined) ?? node.at
}

/** A missing value stands where its nearest mapping begins. */
function missing(issue: Issue, path: readonly PropertyKey[], checked: CheckedValue): void {
  let holder = checked.node
  for (const key of path) holder = child(holder, key) ?? holder
  const name = nameOf(path, checked)
  const isAuthored = issue.code === 'custom' && issue.message !== ''
  checked.report(holder.at, isAuthored ? `${name}: ${scrubError(issue.message)}` : `"${name}" is missing`)
}

const nameOf = (path: readonly PropertyKey[], checked: CheckedValue): string =>
  oneLine([...checked.path, ...path].join('.')) || 'the config'

/** What a value must be: `must be at least 1, not 0`. `secret` values are not quoted. */
function issueMessage(issue: Issue, node: Located, secret: boolean): string {
  const found = secret ? kindOf(node) : describe(node)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${expected(issue.expected)}, not ${found}`
    case 'too_small':
      return `must ${bound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')}, not ${measured(node, found)}`
    case 'too_big':
      return `must ${bound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')}, not ${measured(node, found)}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${found}`
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match ${issue.pattern ?? 'a pattern'}, not ${found}`
        : `must be a valid ${issue.format}, not ${found}`
    case 'invalid_value':
      return choice(issue.values, node, found, secret)
    case 'invalid_union':
      return issue.inclusive !== false && issue.options
        ? choice(issue.options, node, found, secret)
        : `must be ${alternatives(issue)}, not ${found}${suggestion(unionValues(issue), node, secret)}`
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      return 'is not allowed'
  }
}

const names: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'null',
}

const expected = (type: string): string => names[type] ?? type

function bound(origin: string, limit: number | bigint, words: string): string {
  const plural = Number(limit) === 1 ? '' : 's'
  if (origin === 'string') return `have ${words} ${limit} character${plural}`
  if (origin === 'array') return `hold ${words} ${limit} item${plural}`
  return `be ${words} ${limit}`
}

/** A text or list that is too short or too long, by its length. */
function measured(node: Located, found: string): string {
  if (node.kind === 'list') return String(node.items.length)
  return node.kind === 'scalar' && typeof node.value === 'string' ? String(node.value.length) : found
}

function choice(values: readonly unknown[], node: Located, found: string, secret: boolean): string {
  const known = values.map((value) => JSON.stringify(value))
  return `must be ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}, not ${found}${suggestion(values, node, secret)}`
}

function suggestion(values: readonly unknown[], node: Located, secret: boolean): string {
  const text = writtenText(node)
  const near = text === undefined || secret ? undefined : nearest(text, values.map(String))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

const atRoot = (issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] =>
  issue.errors.flat().filter(({ path }) => path.length === 0)

const unionValues = (issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] =>
  atRoot(issue).flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []))

function alternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  const kinds = atRoot(issue).flatMap((inner) => {
    if (inner.code === 'invalid_value') return inner.values.map((value) => JSON.stringify(value))
    if (inner.code === 'invalid_type') return [expected(inner.expected)]
    return inner.code === 'invalid_union' ? [alternatives(inner)] : []
  })
  return [...new Set(kinds)].join(' or ') || 'something else'
}

function describe(node: Located): string {
  const text = writtenText(node)
  if (text !== undefined) return `the text ${quoted(oneLine(text))}`
  return node.kind === 'scalar' && node.value !== null ? String(node.value) : kindOf(node)
}

function kindOf(node: Located): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`
  if (node.value === null) return 'empty'
  return typeof node.value === 'string' ? 'text' : `a ${typeof node.value}`
}
