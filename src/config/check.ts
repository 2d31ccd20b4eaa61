import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { scrubError, UserError } from '../errors.ts'
import { nearest, unknownName } from '../text/names.ts'
import { expandVariables, type ReadContext } from './environment.ts'
import { nodeAt, oneLine, placeOf, valueAt, type Path, type ReportError, type Tree } from './tree.ts'

type Issue = z.core.$ZodIssue

/**
 * The value at a path in the shape of a schema, without the keys `extraKeys`, which stand next to the options of a
 * plug-in. Variables are expanded where the context has an environment. Undefined if the value does not validate: every
 * issue is then reported at its place, with the nearest right name.
 */
export function check<T>(
  schema: ZodType<T>,
  tree: Tree,
  base: Path,
  context: Pick<ReadContext, 'report'> & Partial<ReadContext>,
  extraKeys: readonly string[] = [],
): T | undefined {
  const { environment, report } = context
  const node = nodeAt(tree, base)
  const value = node && (environment ? expandVariables(node, { environment, report }) : valueAt(node, []))
  const options = base.length > 0 ? withoutKeys(value, extraKeys) : value
  const result = schema.safeParse(options, { error: keysAsMessage })
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

/** The message of unknown keys: the keys of the schema as JSON. */
const keysAsMessage = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? JSON.stringify(Object.keys(issue.inst.shape))
    : undefined

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
  const { path } = issue
  if (issue.code === 'invalid_key') {
    const reasons = issue.issues.map(({ message }) => message).join('; ')
    return `key "${oneLine(String(path.at(-1)))}" in ${nameOf(path.slice(0, -1))} ${scrubError(reasons)}`
  }
  const node = nodeAt(tree, path)
  if (!node && issue.code !== 'custom') return `"${nameOf(path)}" is missing`
  const near = nearest(typeof node?.value === 'string' ? node.value : '', allowedValues(issue).map(String))
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return `${path.length === 0 ? '' : `${nameOf(path)}: `}${scrubError(requirementOf(issue))}${hint}`
}

const nameOf = (path: Path): string => oneLine(path.join('.')) || 'the config'

/** What an issue asks for, of a union that of each alternative. */
function requirementOf(issue: Issue): string {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return issue.message.replace(/^Invalid (input|option): /, '')
  return [...new Set(issue.errors.flat().map(requirementOf))].join(', or ')
}

/** The values that a violated choice allows; none for other issues. */
function allowedValues(issue: Issue): readonly unknown[] {
  if (issue.code === 'invalid_value') return issue.values
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(allowedValues) : []
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
