import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { scrubError } from '../errors.ts'
import { nearest, unknownName } from '../text/names.ts'
import { isSecretKey, variableIn } from './environment.ts'
import { isThere, oneLine, placeOf, quote, textAt, valueAt, type Path, type ReportError, type Tree } from './tree.ts'

/** The value to check, and its path in the tree. */
interface CheckTarget {
  readonly tree: Tree
  readonly path: Path
  readonly value: unknown
  /** Keys that are allowed in addition to those of the schema: `use` and `label`. */
  readonly extraKeys?: readonly string[]
  readonly report: ReportError
}

type Issue = z.core.$ZodIssue

/**
 * The value in the shape of a schema. Undefined where it does not fit: every issue that `isReported` is then reported
 * in one line at the place of what is wrong, with the nearest right name.
 */
export function check<T>(
  schema: ZodType<T>,
  target: CheckTarget,
  isReported: (issue: Issue) => boolean = () => true,
): T | undefined {
  const result = schema.safeParse(target.value, { error: messageFor })
  if (result.success) return result.data
  const issues = result.error.issues.filter(isReported)
  const misspelt = new Set(issues.flatMap(intendedKeys))
  const mistypedPaths = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('.')] : [])))
  for (const issue of issues) {
    const path = issue.path.join('.')
    // a key that is missing because it is misspelt is reported once
    if (misspelt.has(path) && !isThere(target.value, issue.path)) continue
    // zod also measures values of the wrong type: an empty text counts as a list that is too short
    if (issue.code === 'invalid_type' || !mistypedPaths.has(path)) reportIssue(issue, [], target)
  }
  return undefined
}

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

function reportIssue(issue: Issue, parentPath: Path, target: CheckTarget): void {
  const path = [...parentPath, ...issue.path]
  const branch = issue.code === 'invalid_union' ? intendedBranch(issue) : undefined
  if (issue.code === 'unrecognized_keys') reportUnknownKeys(issue, path, target)
  else if (issue.code === 'invalid_key') reportWrongKey(issue, path, target)
  else if (!isThere(target.value, path)) reportMissing(issue, path, target)
  else if (branch) for (const inner of branch) reportIssue(inner, path, target)
  else reportWrongValue(issue, path, target)
}

function reportWrongValue(issue: Issue, path: Path, target: CheckTarget): void {
  const { tree, report } = target
  const at = [...target.path, ...path]
  const isSecret = at.some((key) => isSecretKey(String(key)))
  const value = valueAt(target.value, path)
  const sourceText = textAt(tree, at)
  const message =
    issue.message === '' ? ` ${requirement(issue, { value, sourceText, isSecret })}` : `: ${scrubError(issue.message)}`
  const variable = value === '' && sourceText !== undefined ? variableIn(sourceText) : undefined
  const reason = variable === undefined ? '' : `: the environment variable ${variable} is empty`
  report(placeOf(tree, at), nameOf(path, target) + message + reason)
}

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

function reportUnknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, path: Path, target: CheckTarget): void {
  const { tree, extraKeys = [], report } = target
  const keys = [...(path.length === 0 ? extraKeys : []), ...keysOf(issue)].filter((key) => key !== '$schema')
  const name = [...target.path, ...path].join('.')
  const subject = name === '' ? 'key' : `key in ${name}:`
  for (const key of issue.keys) {
    const keyText = oneLine(key)
    const isOption = name === 'dataset' && nearest(key, keys) === undefined
    report(
      placeOf(tree, [...target.path, ...path, key], true),
      keys.length === 0
        ? `unknown ${subject} "${keyText}" (no keys are known here)`
        : unknownName(subject, keyText, keys) +
            (isOption ? `; an option of the dataset stands under options: { ${keyText}: … }` : ''),
    )
  }
}

function reportWrongKey(issue: z.core.$ZodIssueInvalidKey, path: Path, target: CheckTarget): void {
  const key = oneLine(String(path.at(-1)))
  const message = issue.issues.map((inner) => inner.message).find((text) => text !== '') ?? 'is not allowed'
  target.report(
    placeOf(target.tree, [...target.path, ...path], true),
    `key "${key}" in ${nameOf(path.slice(0, -1), target)} ${scrubError(message)}`,
  )
}

function reportMissing(issue: Issue, path: Path, target: CheckTarget): void {
  const name = nameOf(path, target)
  const isAuthored = issue.code === 'custom' && issue.message !== ''
  target.report(
    placeOf(target.tree, [...target.path, ...path]),
    isAuthored ? `${name}: ${scrubError(issue.message)}` : `"${name}" is missing`,
  )
}

const nameOf = (path: Path, target: CheckTarget): string => oneLine([...target.path, ...path].join('.')) || 'the config'

interface WrongValue {
  readonly value: unknown
  readonly sourceText: string | undefined
  /** Whether messages must not quote the value. */
  readonly isSecret: boolean
}

/** The requirement that a value violates: `must be at least 1, not 0`. */
function requirement(issue: Issue, wrong: WrongValue): string {
  const valueText = wrong.isSecret ? kindOf(wrong.value) : describe(wrong)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${valueText}`
    case 'too_small':
      return boundMessage(
        issue.origin,
        issue.inclusive === false ? 'more than' : 'at least',
        issue.minimum,
        wrong,
        valueText,
      )
    case 'too_big':
      return boundMessage(
        issue.origin,
        issue.inclusive === false ? 'less than' : 'at most',
        issue.maximum,
        wrong,
        valueText,
      )
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${valueText}`
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match ${issue.pattern ?? 'a pattern'}, not ${valueText}`
        : `must be a valid ${issue.format}, not ${valueText}`
    case 'invalid_value':
      return choiceMessage(issue.values, wrong, valueText)
    case 'invalid_union':
      return issue.inclusive !== false && issue.options
        ? choiceMessage(issue.options, wrong, valueText)
        : `must be ${alternatives(issue)}, not ${valueText}${suggestion(unionValues(issue), wrong)}`
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
  null: 'null',
}

/** The message for a number out of bounds, or for the length of a text or list. */
function boundMessage(
  origin: string,
  relation: string,
  limit: number | bigint,
  { value }: WrongValue,
  valueText: string,
): string {
  const plural = Number(limit) === 1 ? '' : 's'
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : valueText
  if (origin === 'string') return `must have ${relation} ${limit} character${plural}, not ${size}`
  if (origin === 'array') return `must hold ${relation} ${limit} item${plural}, not ${size}`
  return `must be ${relation} ${limit}, not ${size}`
}

function choiceMessage(values: readonly unknown[], wrong: WrongValue, valueText: string): string {
  const options = values.map((value) => JSON.stringify(value)).join(', ')
  return `must be ${values.length > 1 ? 'one of ' : ''}${options}, not ${valueText}${suggestion(values, wrong)}`
}

function suggestion(values: readonly unknown[], { sourceText, isSecret }: WrongValue): string {
  const near = sourceText === undefined || isSecret ? undefined : nearest(sourceText, values.map(String))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

const atRoot = (issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] =>
  issue.errors.flat().filter(({ path }) => path.length === 0)

const unionValues = (issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] =>
  atRoot(issue).flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []))

function alternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  const kinds = atRoot(issue).flatMap((inner) => {
    if (inner.code === 'invalid_value') return inner.values.map((value) => JSON.stringify(value))
    if (inner.code === 'invalid_type') return [typeNames[inner.expected] ?? inner.expected]
    return inner.code === 'invalid_union' ? [alternatives(inner)] : []
  })
  return [...new Set(kinds)].join(' or ') || 'something else'
}

function describe({ value, sourceText }: WrongValue): string {
  if (typeof value === 'string') return `the text ${quote(oneLine(sourceText ?? value))}`
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a mapping'
  if (value === null) return 'empty'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}
