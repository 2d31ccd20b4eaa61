import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { scrubError } from '../basics/secrets.ts'
import { nearest, unknownName } from '../text/names.ts'
import { isSecretKey, variableIn } from './environment.ts'
import { oneLine, quoted, type ReportError } from './error-list.ts'
import { isThere, placeOf, textAt, valueAt, type Path, type Tree } from './tree.ts'

/** What is checked: a value, and the path by which its tree knows it. */
interface Checked {
  readonly tree: Tree
  readonly path: Path
  readonly value: unknown
  /** Keys that belong beside those of the schema: `use` and `label`. */
  readonly besides?: readonly string[]
  readonly report: ReportError
}

type Issue = z.core.$ZodIssue

/**
 * The value in the shape of a schema. Undefined where it does not fit: every issue that `isReported` is then reported
 * in one line at the place of what is wrong, with the nearest right name.
 */
export function check<T>(
  schema: ZodType<T>,
  checked: Checked,
  isReported: (issue: Issue) => boolean = () => true,
): T | undefined {
  const result = schema.safeParse(checked.value, { error: messageFor })
  if (result.success) return result.data
  const issues = result.error.issues.filter(isReported)
  const misspelt = new Set(issues.flatMap(intendedKeys))
  const mistyped = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('.')] : [])))
  for (const issue of issues) {
    const path = issue.path.join('.')
    // what is missing under a misspelt key is no second mistake
    if (misspelt.has(path) && !isThere(checked.value, issue.path)) continue
    // what has the wrong type is measured all the same: an empty text is a list that is too short
    if (issue.code === 'invalid_type' || !mistyped.has(path)) explain(issue, [], checked)
  }
  return undefined
}

/** What an issue says where the author of the schema wrote no message: nothing, or the keys of the schema. */
const messageFor = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? JSON.stringify(Object.keys(issue.inst.shape))
    : ''

const keysOf = ({ message }: z.core.$ZodIssueUnrecognizedKeys): readonly string[] =>
  message === '' ? [] : z.array(z.string()).parse(JSON.parse(message))

function intendedKeys(issue: Issue): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return []
  const keys = issue.keys.flatMap((key) => nearest(key, keysOf(issue)) ?? [])
  return keys.map((key) => [...issue.path, key].join('.'))
}

function explain(issue: Issue, above: Path, checked: Checked): void {
  const path = [...above, ...issue.path]
  const branch = issue.code === 'invalid_union' ? intendedBranch(issue) : undefined
  if (issue.code === 'unrecognized_keys') unknownKeys(issue, path, checked)
  else if (issue.code === 'invalid_key') wrongKey(issue, path, checked)
  else if (!isThere(checked.value, path)) missing(issue, path, checked)
  else if (branch) for (const inner of branch) explain(inner, path, checked)
  else wrongValue(issue, path, checked)
}

function wrongValue(issue: Issue, path: Path, checked: Checked): void {
  const { tree, report } = checked
  const at = [...checked.path, ...path]
  const isSecret = at.some((key) => isSecretKey(String(key)))
  const value = valueAt(checked.value, path)
  const written = textAt(tree, at)
  const message =
    issue.message === '' ? ` ${requirement(issue, { value, written, isSecret })}` : `: ${scrubError(issue.message)}`
  const variable = value === '' && written !== undefined ? variableIn(written) : undefined
  const why = variable === undefined ? '' : `: the environment variable ${variable} is empty`
  report(placeOf(tree, at), nameOf(path, checked) + message + why)
}

/** The one alternative that the value was meant to be: of those of its type, the one with the fewest mistakes. */
function intendedBranch(issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  return issue.errors
    .filter((branch) => branch.length > 0 && !branch.some((inner) => inner.path.length === 0 && isMismatch(inner)))
    .toSorted((a, b) => a.length - b.length)[0]
}

const isMismatch = (issue: Issue): boolean =>
  issue.code === 'invalid_type' ||
  issue.code === 'invalid_value' ||
  (issue.code === 'invalid_union' && !intendedBranch(issue))

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, path: Path, checked: Checked): void {
  const { tree, besides = [], report } = checked
  const keys = [...(path.length === 0 ? besides : []), ...keysOf(issue)].filter((key) => key !== '$schema')
  const name = [...checked.path, ...path].join('.')
  const what = name === '' ? 'key' : `key in ${name}:`
  for (const key of issue.keys) {
    const shown = oneLine(key)
    const isOption = name === 'dataset' && nearest(key, keys) === undefined
    report(
      placeOf(tree, [...checked.path, ...path, key], true),
      keys.length === 0
        ? `unknown ${what} "${shown}" (no keys are known here)`
        : unknownName(what, shown, keys) +
            (isOption ? `; an option of the dataset stands under options: { ${shown}: … }` : ''),
    )
  }
}

function wrongKey(issue: z.core.$ZodIssueInvalidKey, path: Path, checked: Checked): void {
  const key = oneLine(String(path.at(-1)))
  const message = issue.issues.map((inner) => inner.message).find((text) => text !== '') ?? 'is not allowed'
  checked.report(
    placeOf(checked.tree, [...checked.path, ...path], true),
    `key "${key}" in ${nameOf(path.slice(0, -1), checked)} ${scrubError(message)}`,
  )
}

function missing(issue: Issue, path: Path, checked: Checked): void {
  const name = nameOf(path, checked)
  const isAuthored = issue.code === 'custom' && issue.message !== ''
  checked.report(
    placeOf(checked.tree, [...checked.path, ...path]),
    isAuthored ? `${name}: ${scrubError(issue.message)}` : `"${name}" is missing`,
  )
}

const nameOf = (path: Path, checked: Checked): string => oneLine([...checked.path, ...path].join('.')) || 'the config'

interface Wrong {
  readonly value: unknown
  readonly written: string | undefined
  /** Not quoted. */
  readonly isSecret: boolean
}

/** What a value must be: `must be at least 1, not 0`. */
function requirement(issue: Issue, wrong: Wrong): string {
  const shown = wrong.isSecret ? kindOf(wrong.value) : describe(wrong)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${names[issue.expected] ?? issue.expected}, not ${shown}`
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum, wrong, shown)
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum, wrong, shown)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${shown}`
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match ${issue.pattern ?? 'a pattern'}, not ${shown}`
        : `must be a valid ${issue.format}, not ${shown}`
    case 'invalid_value':
      return choice(issue.values, wrong, shown)
    case 'invalid_union':
      return issue.inclusive !== false && issue.options
        ? choice(issue.options, wrong, shown)
        : `must be ${alternatives(issue)}, not ${shown}${suggestion(unionValues(issue), wrong)}`
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

/** A text or list that is too short or too long is told by its length. */
function bound(origin: string, words: string, limit: number | bigint, { value }: Wrong, shown: string): string {
  const plural = Number(limit) === 1 ? '' : 's'
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : shown
  if (origin === 'string') return `must have ${words} ${limit} character${plural}, not ${size}`
  if (origin === 'array') return `must hold ${words} ${limit} item${plural}, not ${size}`
  return `must be ${words} ${limit}, not ${size}`
}

function choice(values: readonly unknown[], wrong: Wrong, shown: string): string {
  const listed = values.map((value) => JSON.stringify(value)).join(', ')
  return `must be ${values.length > 1 ? 'one of ' : ''}${listed}, not ${shown}${suggestion(values, wrong)}`
}

function suggestion(values: readonly unknown[], { written, isSecret }: Wrong): string {
  const near = written === undefined || isSecret ? undefined : nearest(written, values.map(String))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

const atRoot = (issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] =>
  issue.errors.flat().filter(({ path }) => path.length === 0)

const unionValues = (issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] =>
  atRoot(issue).flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []))

function alternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  const kinds = atRoot(issue).flatMap((inner) => {
    if (inner.code === 'invalid_value') return inner.values.map((value) => JSON.stringify(value))
    if (inner.code === 'invalid_type') return [names[inner.expected] ?? inner.expected]
    return inner.code === 'invalid_union' ? [alternatives(inner)] : []
  })
  return [...new Set(kinds)].join(' or ') || 'something else'
}

function describe({ value, written }: Wrong): string {
  if (typeof value === 'string') return `the text ${quoted(oneLine(written ?? value))}`
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a mapping'
  if (value === null) return 'empty'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}
