import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { scrubError } from '../errors.ts'
import { nearest, unknownName } from '../text/names.ts'
import { isSecretKey, variableIn } from './environment.ts'
import { nodeAt, oneLine, placeOf, quote, textAt, valueAt, type Path, type ReportError, type Tree } from './tree.ts'

/** The value to check: that at a path of a tree. */
interface CheckTarget {
  readonly tree: Tree
  readonly path?: Path
  /** Default: the value at the path. */
  readonly value?: unknown
  /** Keys next to the options of a plug-in, such as `use` and `label`: they are left out. */
  readonly extraKeys?: readonly string[]
  readonly report: ReportError
}

type Issue = z.core.$ZodIssue

/**
 * The value in the shape of a schema. Undefined if it does not validate: every issue that `isReported` is then reported
 * in one line at its place, with the nearest right name.
 */
export function check<T>(
  schema: ZodType<T>,
  { path: base = [], ...target }: CheckTarget,
  isReported: (issue: Issue) => boolean = () => true,
): T | undefined {
  const { tree, extraKeys, value = valueAt(tree, base) } = target
  const result = schema.safeParse(extraKeys ? withoutKeys(value, extraKeys) : value, { error: messageFor })
  if (result.success) return result.data
  const issues = result.error.issues.filter(isReported)
  const misspelt = new Set(issues.flatMap(intendedKeys))
  const mistypedPaths = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('.')] : [])))
  for (const issue of issues) {
    const path = issue.path.join('.')
    // a key that is missing because it is misspelt is reported once
    if (misspelt.has(path) && !nodeAt(tree, [...base, ...issue.path])) continue
    // zod also measures values of the wrong type: an empty text counts as a list that is too short
    if (issue.code === 'invalid_type' || !mistypedPaths.has(path)) reportIssue(issue, base, { ...target, base })
  }
  return undefined
}

/** The entries of a mapping but for some keys; none of anything else. */
export const withoutKeys = (value: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([key]) => !keys.includes(key)))

/** The message of an issue for which the schema has none: empty, or the keys of the schema as JSON. */
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

interface IssueTarget extends Omit<CheckTarget, 'path' | 'value'> {
  readonly base: Path
}

function reportIssue(issue: Issue, above: Path, target: IssueTarget): void {
  const { tree, base } = target
  const path = [...above, ...issue.path]
  const isMissing = path.length > base.length && !nodeAt(tree, path)
  const branch = issue.code === 'invalid_union' && !isMissing ? intendedBranch(issue) : undefined
  if (issue.code === 'unrecognized_keys') reportUnknownKeys(issue, path, target)
  else if (branch) for (const inner of branch) reportIssue(inner, path, target)
  else target.report(placeOf(tree, path, issue.code === 'invalid_key'), messageOf(issue, path, isMissing, tree))
}

function messageOf(issue: Issue, path: Path, isMissing: boolean, tree: Tree): string {
  if (issue.code === 'invalid_key') {
    const message = issue.issues.map((inner) => inner.message).find((text) => text !== '') ?? 'is not allowed'
    return `key "${oneLine(String(path.at(-1)))}" in ${nameOf(path.slice(0, -1))} ${scrubError(message)}`
  }
  const isAuthored = issue.message !== '' && (!isMissing || issue.code === 'custom')
  if (isMissing && !isAuthored) return `"${nameOf(path)}" is missing`
  const message = isAuthored ? `: ${scrubError(issue.message)}` : ` ${requirement(issue, wrongValue(tree, path))}`
  return nameOf(path) + message + emptyVariable(tree, path)
}

const nameOf = (path: Path): string => oneLine(path.join('.')) || 'the config'

/** The alternative of a union that the value most likely means: of its type, with the fewest issues. */
function intendedBranch(issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  return issue.errors
    .filter((branch) => branch.length > 0 && !branch.some((inner) => inner.path.length === 0 && isMismatch(inner)))
    .toSorted((a, b) => a.length - b.length)[0]
}

const isMismatch = (issue: Issue): boolean =>
  issue.code === 'invalid_type' ||
  issue.code === 'invalid_value' ||
  (issue.code === 'invalid_union' && !intendedBranch(issue))

function reportUnknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, path: Path, target: IssueTarget): void {
  const { tree, base, extraKeys = [], report } = target
  const keys = [...(path.length === base.length ? extraKeys : []), ...keysOf(issue)].filter((key) => key !== '$schema')
  const name = path.join('.')
  const subject = name === '' ? 'key' : `key in ${name}:`
  for (const key of issue.keys) {
    const keyText = oneLine(key)
    const isOption = name === 'dataset' && nearest(key, keys) === undefined
    const hint = isOption ? `; an option of the dataset stands under options: { ${keyText}: … }` : ''
    const message =
      keys.length > 0
        ? unknownName(subject, keyText, keys) + hint
        : `unknown ${subject} "${keyText}" (no keys are known here)`
    report(placeOf(tree, [...path, key], true), message)
  }
}

function emptyVariable(tree: Tree, path: Path): string {
  const sourceText = valueAt(tree, path) === '' ? textAt(tree, path) : undefined
  const variable = sourceText === undefined ? undefined : variableIn(sourceText)
  return variable === undefined ? '' : `: the environment variable ${variable} is empty`
}

interface WrongValue {
  readonly value: unknown
  /** The value as messages show it: a secret by its kind alone. */
  readonly text: string
  /** The text as written; undefined for a secret and for anything else. */
  readonly sourceText: string | undefined
}

function wrongValue(tree: Tree, path: Path): WrongValue {
  const value = valueAt(tree, path)
  if (path.some((key) => isSecretKey(String(key)))) return { value, text: kindOf(value), sourceText: undefined }
  const sourceText = textAt(tree, path)
  if (typeof value === 'string') return { value, text: `the text ${quote(oneLine(sourceText ?? value))}`, sourceText }
  const isShort = typeof value === 'number' || typeof value === 'boolean'
  return { value, text: isShort ? String(value) : kindOf(value), sourceText }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a mapping'
  if (value === null) return 'empty'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}

/** The requirement that a value violates: `must be at least 1, not 0`. */
function requirement(issue: Issue, wrong: WrongValue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeName(issue.expected)}, not ${wrong.text}`
    case 'too_small':
      return sizeMessage(
        issue.origin,
        `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`,
        wrong,
      )
    case 'too_big':
      return sizeMessage(issue.origin, `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`, wrong)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${wrong.text}`
    case 'invalid_format':
      return `must ${issue.format === 'regex' ? `match ${issue.pattern ?? 'a pattern'}` : `be a valid ${issue.format}`}, not ${wrong.text}`
    case 'invalid_value':
      return choiceMessage(issue.values, wrong)
    case 'invalid_union': {
      if (issue.inclusive !== false && issue.options) return choiceMessage(issue.options, wrong)
      const values = atRoot(issue).flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []))
      return `must be ${alternatives(issue)}, not ${wrong.text}${suggestion(values, wrong)}`
    }
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      return 'is not allowed'
  }
}

const typeNames: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

const typeName = (type: string): string => typeNames[type] ?? type

/** The message for a number out of bounds, or for the length of a text or list. */
function sizeMessage(origin: string, bound: string, { value, text }: WrongValue): string {
  const unit = { string: 'character', array: 'item' }[origin]
  if (unit === undefined) return `must be ${bound}, not ${text}`
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : text
  return `must ${origin === 'string' ? 'have' : 'hold'} ${bound} ${unit}${bound.endsWith(' 1') ? '' : 's'}, not ${size}`
}

function choiceMessage(values: readonly unknown[], wrong: WrongValue): string {
  const options = values.map((value) => JSON.stringify(value)).join(', ')
  return `must be ${values.length > 1 ? 'one of ' : ''}${options}, not ${wrong.text}${suggestion(values, wrong)}`
}

function suggestion(values: readonly unknown[], { sourceText }: WrongValue): string {
  const near = sourceText === undefined ? undefined : nearest(sourceText, values.map(String))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

const atRoot = (issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] =>
  issue.errors.flat().filter(({ path }) => path.length === 0)

function alternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  const kinds = atRoot(issue).flatMap((inner) => {
    if (inner.code === 'invalid_value') return inner.values.map((value) => JSON.stringify(value))
    if (inner.code === 'invalid_type') return [typeName(inner.expected)]
    return inner.code === 'invalid_union' ? [alternatives(inner)] : []
  })
  return [...new Set(kinds)].join(' or ') || 'something else'
}
