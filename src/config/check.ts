import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { scrubError, UserError } from '../errors.ts'
import { plural } from '../text/amounts.ts'
import { nearest, unknownName } from '../text/names.ts'
import { isSecretKey } from './environment.ts'
import { nodeAt, oneLine, placeOf, quote, rawAt, valueAt, type Path, type ReportError, type Tree } from './tree.ts'

/** The value to check: that at a path of a tree. */
interface CheckTarget {
  readonly tree: Tree
  readonly path?: Path
  /** Keys next to the options of a plug-in, such as `use` and `label`: they are left out. */
  readonly extraKeys?: readonly string[]
  readonly report: ReportError
}

type Issue = z.core.$ZodIssue

/**
 * The value in the shape of a schema. Undefined if it does not validate: every issue is then reported at its place,
 * with the nearest right name.
 */
export function check<T>(
  schema: ZodType<T>,
  { tree, path: base = [], extraKeys = [], report }: CheckTarget,
): T | undefined {
  const value = valueAt(tree, base)
  const options = base.length > 0 ? withoutKeys(value, extraKeys) : value
  const result = schema.safeParse(options, { error: messageFor })
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) => placedIssues(issue, base, tree))
  const misspelt = new Set<string>()
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const { path } = issue
    const keys = [...(path.length === base.length ? extraKeys : []), ...keysOf(issue)].filter(
      (key) => key !== '$schema',
    )
    for (const key of issue.keys) {
      misspelt.add([...path, nearest(key, keys)].join('.'))
      report(placeOf(tree, [...path, key], true), unknownKeyMessage(path.join('.'), oneLine(key), keys))
    }
  }
  for (const issue of issues) {
    const { code, path } = issue
    // a key that is missing because it is misspelt is reported once
    const isReported = code === 'unrecognized_keys' || (misspelt.has(path.join('.')) && !nodeAt(tree, path))
    if (!isReported) report(placeOf(tree, path, code === 'invalid_key'), messageOf(issue, tree))
  }
  return undefined
}

/** The entries of a mapping but for some keys; none of anything else. */
export function withoutKeys(value: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const entries = Object.entries(isObject(value) ? value : {})
  return Object.fromEntries(entries.filter(([key]) => !keys.includes(key)))
}

/** The message of an issue for which the schema has none: empty, or the keys of the schema as JSON. */
const messageFor = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? JSON.stringify(Object.keys(issue.inst.shape))
    : ''

const keysOf = ({ message }: z.core.$ZodIssueUnrecognizedKeys): readonly string[] =>
  message === '' ? [] : z.array(z.string()).parse(JSON.parse(message))

/** An issue, or those of the alternative of a union that the value most likely means, by their paths in the tree. */
function placedIssues(issue: Issue, above: Path, tree: Tree): readonly Issue[] {
  const path = [...above, ...issue.path]
  const branch = issue.code === 'invalid_union' && nodeAt(tree, path) ? intendedBranch(issue) : undefined
  return branch ? branch.flatMap((inner) => placedIssues(inner, path, tree)) : [{ ...issue, path }]
}

/** The alternative of a union that has the type of the value and the fewest issues. */
function intendedBranch(issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  const hasType = (branch: readonly Issue[]) => !branch.some((inner) => inner.path.length === 0 && isMismatch(inner))
  const branches = issue.errors.filter((branch) => branch.length > 0 && hasType(branch))
  return branches.toSorted((a, b) => a.length - b.length)[0]
}

const isMismatch = (issue: Issue): boolean =>
  issue.code === 'invalid_type' ||
  issue.code === 'invalid_value' ||
  (issue.code === 'invalid_union' && !intendedBranch(issue))

function unknownKeyMessage(name: string, key: string, keys: readonly string[]): string {
  const subject = name === '' ? 'key' : `key in ${name}:`
  if (keys.length === 0) return `unknown ${subject} "${key}" (no keys are known here)`
  const isOption = name === 'dataset' && nearest(key, keys) === undefined
  const hint = isOption ? `; an option of the dataset stands under options: { ${key}: … }` : ''
  return unknownName(subject, key, keys) + hint
}

function messageOf(issue: Issue, tree: Tree): string {
  const { path, message } = issue
  if (issue.code === 'invalid_key') {
    const reasons = issue.issues.map((inner) => inner.message)
    const reason = reasons.find((text) => text !== '') ?? 'is not allowed'
    return `key "${oneLine(String(path.at(-1)))}" in ${nameOf(path.slice(0, -1))} ${scrubError(reason)}`
  }
  const isMissing = !nodeAt(tree, path)
  if (message !== '' && (!isMissing || issue.code === 'custom'))
    return `${path.length === 0 ? '' : `${nameOf(path)}: `}${scrubError(message)}`
  return isMissing ? `"${nameOf(path)}" is missing` : `${nameOf(path)} ${requirement(issue, tree)}`
}

const nameOf = (path: Path): string => oneLine(path.join('.')) || 'the config'

/** The requirement that a value violates: `must be at least 1, not 0`. */
function requirement(issue: Issue, tree: Tree): string {
  const { path } = issue
  const raw = rawAt(tree, path)
  const sourceText = typeof raw === 'string' ? raw : undefined
  const isSecret = path.some((key) => isSecretKey(String(key)))
  const value = describeValue(valueAt(tree, path), isSecret, sourceText)
  const alternatives = allowedBy(issue)
  if (alternatives.length > 0) {
    const values = alternatives.flatMap((item) => ('value' in item ? String(item.value) : []))
    const near = sourceText === undefined || isSecret ? undefined : nearest(sourceText, values)
    const names = alternatives.map((item) => item.type ?? JSON.stringify(item.value))
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    return `must be ${disjunction.format(new Set(names))}, not ${value}${hint}`
  }
  if (issue.code === 'too_small') {
    const relation = issue.inclusive === false ? 'more than' : 'at least'
    return `must ${bound(issue.origin, relation, issue.minimum, value)}`
  }
  if (issue.code === 'too_big') {
    const relation = issue.inclusive === false ? 'less than' : 'at most'
    return `must ${bound(issue.origin, relation, issue.maximum, value)}`
  }
  if (issue.code !== 'invalid_format') return 'is not allowed'
  const { format, pattern = 'a pattern' } = issue
  return `must ${format === 'regex' ? `match ${pattern}` : `be a valid ${format}`}, not ${value}`
}

const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** A type or a value that a schema allows. */
type Alternative = { readonly type: string } | { readonly type?: undefined; readonly value: unknown }

/** The types and values that a violated choice allows; none for other issues. */
function allowedBy(issue: Issue): readonly Alternative[] {
  const toValues = (values: readonly unknown[]) => values.map((value) => ({ value }))
  if (issue.code === 'invalid_type') return [{ type: typeNames[issue.expected] ?? issue.expected }]
  if (issue.code === 'invalid_value') return toValues(issue.values)
  if (issue.code !== 'invalid_union') return []
  if (issue.inclusive !== false && issue.options) return toValues(issue.options)
  return issue.errors.flat().flatMap((inner) => (inner.path.length > 0 ? [] : allowedBy(inner)))
}

/** A wrong value as messages show it: a secret by its kind alone, a text as it is written. */
function describeValue(value: unknown, isSecret: boolean, sourceText: string | undefined): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a mapping'
  if (value === null) return 'empty'
  if (isSecret) return typeof value === 'string' ? 'text' : `a ${typeof value}`
  if (typeof value === 'string') return `the text ${quote(oneLine(sourceText ?? value))}`
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`
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

/** The bound of a number, or of the length of a text or list. */
function bound(origin: string, relation: string, limit: number | bigint, value: string): string {
  const unit = { string: 'character', array: 'item' }[origin]
  return unit === undefined
    ? `be ${relation} ${limit}, not ${value}`
    : `have ${relation} ${plural(Number(limit), unit)}`
}

export type ErrorList = ReturnType<typeof createErrorList>

const maxLines = 10

/** A list of errors, which `stop` prints in the order of their places, one line each, without duplicates. */
export function createErrorList() {
  const lines = new Map<string, number>()
  const report: ReportError = (place, message) => {
    const { text, order } = typeof place === 'string' ? { text: place, order: 0 } : place
    const line = oneLine(`${text}: ${message}`)
    if (!lines.has(line)) lines.set(line, order)
  }
  return {
    report,
    /** Throws UserError with at most ten lines if the list is not empty. */
    stop: (): void => {
      if (lines.size === 0) return
      const rest = lines.size > maxLines ? [`… and ${lines.size - maxLines} more`] : []
      const sortedLines = [...lines].sort(([, a], [, b]) => a - b).map(([line]) => line)
      throw new UserError([...sortedLines.slice(0, maxLines), ...rest].join('\n'))
    },
  }
}
