import { z, type ZodType } from 'zod'
import { scrubError, UserError } from '../errors.ts'
import { nearest, unknownName } from '../text/names.ts'
import { expandVariables, type ReadContext } from './environment.ts'
import { dataOf, nodeAt, oneLine, placeOf, type Path, type ReportError, type Tree } from './tree.ts'

type Issue = z.core.$ZodIssue

/**
 * The value of a tree in the shape of a schema. `above`: its path in the config; `beside`: known keys of its mapping
 * that the schema lacks. Variables are expanded where the context has an environment. Undefined if the value does not
 * validate: every issue is then reported at its place, with the nearest right name.
 */
export function check<T>(
  schema: ZodType<T>,
  tree: Tree,
  above: Path,
  { environment, report }: Pick<ReadContext, 'report'> & Partial<ReadContext>,
  beside: readonly string[] = [],
): T | undefined {
  const value = environment ? expandVariables(tree, { environment, report }) : dataOf(tree)
  const result = schema.safeParse(value, { error: keysAsMessage })
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) => placedIssues(issue, [], tree))
  const misspelt = new Set<string>()
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const { path } = issue
    const keys = [...(path.length === 0 ? beside : []), ...keysOf(issue)].filter((key) => key !== '$schema')
    for (const key of issue.keys) {
      misspelt.add([...path, nearest(key, keys)].join('.'))
      const name = [...above, ...path].join('.')
      const message = unknownKeyMessage(name, oneLine(key), keys)
      report(placeOf(tree, [...path, key], true), message)
    }
  }
  for (const issue of issues) {
    const { code, path } = issue
    // a key that is missing because it is misspelt is reported once
    const isReported = code === 'unrecognized_keys' || (misspelt.has(path.join('.')) && !nodeAt(tree, path))
    if (isReported) continue
    const name = [...above, ...path]
    report(placeOf(tree, path, code === 'invalid_key'), messageOf(issue, name, nodeAt(tree, path)))
  }
  return undefined
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
  const isOtherType = (inner: Issue): boolean => inner.path.length === 0 && isMismatch(inner)
  const branches = issue.errors.filter((branch) => {
    return branch.length > 0 && !branch.some(isOtherType)
  })
  return branches.toSorted((a, b) => a.length - b.length)[0]
}

const isMismatch = (issue: Issue): boolean =>
  issue.code === 'invalid_type' ||
  issue.code === 'invalid_value' ||
  (issue.code === 'invalid_union' && !intendedBranch(issue))

function unknownKeyMessage(name: string, key: string, keys: readonly string[]): string {
  const subject = name === '' ? 'key' : `key in ${name}:`
  const isOption = name === 'dataset' && nearest(key, keys) === undefined
  const hint = isOption ? `; an option of the dataset stands under options: { ${key}: … }` : ''
  return unknownName(subject, key, keys) + hint
}

function messageOf(issue: Issue, name: Path, node: Tree | undefined): string {
  if (issue.code === 'invalid_key') {
    const reasons = issue.issues.map(({ message }) => message).join('; ')
    return `key "${oneLine(String(name.at(-1)))}" in ${nameOf(name.slice(0, -1))} ${scrubError(reasons)}`
  }
  if (!node && issue.code !== 'custom') return `"${nameOf(name)}" is missing`
  const near = nearest(typeof node?.value === 'string' ? node.value : '', allowedValues(issue).map(String))
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  const subject = name.length === 0 ? '' : `${nameOf(name)}: `
  return subject + scrubError(requirementOf(issue)) + hint
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

/** A list of errors, which `stop` prints in the order of files and lines, one line each, without duplicates. */
export function createErrorList() {
  const lines = new Set<string>()
  const report: ReportError = (place, message) =>
    void lines.add(oneLine(`${typeof place === 'string' ? place : place.text}: ${message}`))
  return {
    report,
    /** Throws UserError with at most ten lines if the list is not empty. */
    stop: (): void => {
      if (lines.size === 0) return
      const rest = lines.size > maxLines ? [`… and ${lines.size - maxLines} more`] : []
      const sortedLines = [...lines].sort(new Intl.Collator('en', { numeric: true }).compare)
      throw new UserError([...sortedLines.slice(0, maxLines), ...rest].join('\n'))
    },
  }
}
